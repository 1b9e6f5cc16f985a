package io.github.ratelimit.content.cms.media.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.content.harness.CpuTime;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import net.coobird.thumbnailator.Thumbnails;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PicturesTest {

    private static final int RED = 0xffff0000;
    private static final int GREEN = 0xff00ff00;
    private static final int BLUE = 0xff0000ff;
    private static final int WHITE = 0xffffffff;

    private final Pictures pictures = new Pictures();

    @TempDir
    Path dir;

    /** Twenty turns of 45 degrees would make a picture of a hundred thousand pixels a side. */
    @Test
    void noStepMakesAPictureThatIsTooLarge() {
        BufferedImage picture = new BufferedImage(100, 100, BufferedImage.TYPE_INT_RGB);

        assertThatThrownBy(() -> pictures.edit(picture, Collections.nCopies(20, new Modifier.Rotate(45))))
                .isInstanceOf(UnusableImageException.class)
                .hasMessageContaining("more than 25000000 pixels");
        assertThatThrownBy(() -> pictures.edit(
                        new BufferedImage(20_000, 1, BufferedImage.TYPE_INT_RGB), List.of(new Modifier.Rotate(45))))
                .isInstanceOf(UnusableImageException.class);
    }

    @ParameterizedTest
    @EnumSource(ImageFormat.class)
    void writesWhatItReads(ImageFormat format) throws IOException {
        Path file = dir.resolve("b");

        pictures.write(PictureFiles.quarters(200, 100), format, file);

        assertThat(PictureFiles.formatOf(Files.readAllBytes(file))).contains(format);
        int[] corners = pictures.open(file, pictures.inspect(file, format), PicturesTest::corners);
        assertNear(corners, RED, GREEN, BLUE, WHITE);
    }

    /** Native code that reads what strangers send would be one mistake away from their code. */
    @Test
    void noNativeCodeOfALibraryReadsPictures() throws IOException {
        Path file = dir.resolve("read.webp");
        pictures.write(PictureFiles.quarters(20, 20), ImageFormat.WEBP, file);
        List<ImageReader> readers = new ArrayList<>();
        ImageIO.getImageReadersByMIMEType("image/webp").forEachRemaining(readers::add);
        ImageIO.getImageReadersBySuffix("webp").forEachRemaining(readers::add);
        ImageIO.getImageReadersByFormatName("webp").forEachRemaining(readers::add);
        // Whoever reads a file without naming its format asks for one of these.
        try (ImageInputStream in = ImageIO.createImageInputStream(file.toFile())) {
            ImageIO.getImageReaders(in).forEachRemaining(readers::add);
        }

        assertThat(readers)
                .hasSizeGreaterThanOrEqualTo(4)
                .allSatisfy(reader ->
                        assertThat(reader.getClass().getName()).startsWith("com.twelvemonkeys.imageio.plugins.webp."));
        assertThat(ImageIO.read(file.toFile()).getWidth()).isEqualTo(20);
        assertThat(Thumbnails.of(file.toFile()).scale(1).asBufferedImage().getWidth())
                .isEqualTo(20);
    }

    @Test
    void picturesWithTooManyPixelsOrScansAreRejectedBeforeTheyAreDecoded() throws IOException {
        Map<String, byte[]> rejected = PictureFiles.bombs();
        for (Map.Entry<String, byte[]> one : rejected.entrySet()) {
            Path file = file(one.getKey(), one.getValue());
            ImageFormat format = PictureFiles.formatOf(one.getValue()).orElseThrow();
            CpuTime.assertWithin(
                    Duration.ofSeconds(1),
                    one.getKey(),
                    () -> assertThatThrownBy(() -> pictures.inspect(file, format))
                            .isInstanceOf(UnusableImageException.class));
        }
        byte[] plain = PictureFiles.encoded(new BufferedImage(4_000, 4_000, BufferedImage.TYPE_INT_RGB), "png");
        assertThat(pictures.inspect(file("one-colour.png", plain), ImageFormat.PNG)
                        .width())
                .isEqualTo(4_000);
    }

    @Test
    void placesAreFoundInTheMetadataOfEachFormat() throws IOException {
        Path jpeg = file("place.jpg", PictureFiles.jpegWithExif(80, 40, 6));
        byte[] png = PictureFiles.encoded(PictureFiles.quarters(20, 20), "png");
        byte[] note = PictureFiles.chunk("iTXt", "XML:com.adobe.xmp\0\0\0\0\0<x GPSLatitude='1'/>".getBytes(UTF_8));
        Path noted = file(
                "place.png",
                PictureFiles.joined(Arrays.copyOf(png, 33), note, Arrays.copyOfRange(png, 33, png.length)));

        assertThat(pictures.inspect(jpeg, ImageFormat.JPEG).tellsPlace()).isTrue();
        assertThat(pictures.inspect(noted, ImageFormat.PNG).tellsPlace()).isTrue();
        assertThat(pictures.inspect(file("plain.png", png), ImageFormat.PNG).tellsPlace())
                .isFalse();
    }

    @Test
    void turnsPicturesUpright() throws IOException {
        int[][] seen = {
            {RED, GREEN, BLUE, WHITE}, {GREEN, RED, WHITE, BLUE}, {WHITE, BLUE, GREEN, RED}, {BLUE, WHITE, RED, GREEN},
            {RED, BLUE, GREEN, WHITE}, {BLUE, RED, WHITE, GREEN}, {WHITE, GREEN, BLUE, RED}, {GREEN, WHITE, RED, BLUE}
        };
        for (int orientation = 1; orientation <= 8; orientation++) {
            Path file = file("turned.jpg", PictureFiles.jpegWithExif(80, 40, orientation));
            Pictures.Inspected found = pictures.inspect(file, ImageFormat.JPEG);

            assertThat(found.meta().orientation()).isEqualTo(orientation);
            assertThat(found.meta().shown().path("camera").asString()).isEqualTo("Cam");
            boolean swapped = orientation >= 5;
            int[] corners = pictures.open(file, found, picture -> {
                assertThat(picture.getWidth()).isEqualTo(swapped ? 40 : 80);
                return corners(picture);
            });
            assertNear(corners, seen[orientation - 1]);
        }
    }

    @Test
    void appliesTheStepsOfAnEditInOrder() throws IOException {
        BufferedImage picture = PictureFiles.quarters(80, 40);

        BufferedImage edited = pictures.edit(
                picture,
                List.of(new Modifier.Rotate(90), new Modifier.Crop(0, 0, 50, 50), new Modifier.Flip(true, false)));

        assertThat(edited.getWidth()).isEqualTo(20);
        assertThat(edited.getHeight()).isEqualTo(40);
        // Turned clockwise, the lower left quarter comes to the upper left.
        assertThat(edited.getRGB(5, 5)).isEqualTo(BLUE);
        assertThat(corners(pictures.edit(picture, List.of(new Modifier.Flip(false, true)))))
                .containsExactly(BLUE, WHITE, RED, GREEN);
        assertThat(corners(pictures.edit(picture, List.of(new Modifier.Rotate(-90)))))
                .containsExactly(GREEN, WHITE, RED, BLUE);
        assertThat(corners(pictures.edit(picture, List.of(new Modifier.Rotate(720), new Modifier.Flip(false, false)))))
                .containsExactly(RED, GREEN, BLUE, WHITE);
        // What is turned by less than a quarter is shown whole: 80 × 40 take 84.9 pixels then.
        assertThat(pictures.edit(picture, List.of(new Modifier.Rotate(45))).getWidth())
                .isEqualTo(85);
    }

    @Test
    void aCropBeyondAnEdgeEndsThere() throws IOException {
        BufferedImage picture = PictureFiles.quarters(80, 40);

        BufferedImage aboveAndLeft = pictures.edit(picture, List.of(new Modifier.Crop(-25, -50, 50, 100)));
        assertThat(aboveAndLeft.getWidth()).isEqualTo(20);
        assertThat(aboveAndLeft.getHeight()).isEqualTo(20);
        assertThat(corners(aboveAndLeft)).containsOnly(RED);
        BufferedImage belowAndRight = pictures.edit(picture, List.of(new Modifier.Crop(75, 50, 50, 100)));
        assertThat(belowAndRight.getWidth()).isEqualTo(20);
        assertThat(belowAndRight.getHeight()).isEqualTo(20);
        assertThat(corners(belowAndRight)).containsOnly(WHITE);
    }

    @Test
    void rejectsToCutOutWhatIsNotThere() {
        BufferedImage picture = PictureFiles.quarters(80, 40);

        for (Modifier.Crop crop : List.of(
                new Modifier.Crop(100, 0, 10, 10),
                new Modifier.Crop(-10, 0, 10, 10),
                new Modifier.Crop(0, -50, 10, 10),
                new Modifier.Crop(0, 0, 0, 10),
                new Modifier.Crop(0, 0, -20, 10),
                new Modifier.Crop(-1e300, 0, 1e300, 10),
                new Modifier.Crop(Double.NaN, 0, Double.NaN, 10),
                new Modifier.Crop(1e300, 0, 1e300, 10))) {
            assertThatThrownBy(() -> pictures.edit(picture, List.of(crop))).isInstanceOf(UnusableImageException.class);
        }
    }

    private Path file(String name, byte[] bytes) throws IOException {
        return Files.write(dir.resolve(name), bytes);
    }

    private static int[] corners(BufferedImage picture) {
        int right = picture.getWidth() - 3;
        int bottom = picture.getHeight() - 3;
        return new int[] {
            picture.getRGB(2, 2), picture.getRGB(right, 2), picture.getRGB(2, bottom), picture.getRGB(right, bottom)
        };
    }

    private static void assertNear(int[] found, int... expected) {
        for (int i = 0; i < expected.length; i++) {
            for (int shift = 0; shift < 24; shift += 8) {
                assertThat(found[i] >> shift & 0xff)
                        .as("corner %d", i)
                        .isBetween((expected[i] >> shift & 0xff) - 12, (expected[i] >> shift & 0xff) + 12);
            }
        }
    }
}
