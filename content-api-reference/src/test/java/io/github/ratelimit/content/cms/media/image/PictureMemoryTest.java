package io.github.ratelimit.content.cms.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A server that runs out of memory ends, so no picture may need more than its heap. Runs with {@code -Pfull}. */
@EnabledIfSystemProperty(named = "full", matches = "true")
class PictureMemoryTest {

    private static final int SIDE = 3000;

    @TempDir
    private Path dir;

    /** What runs in a heap of its own. */
    static final class Program {

        private Program() {}

        public static void main(String[] paths) throws IOException {
            var pictures = new Pictures();
            for (String path : paths) {
                ImageFormat format = path.endsWith("png") ? ImageFormat.PNG : ImageFormat.WEBP;
                Path from = Path.of(path);
                Path to = Path.of(path + ".made");
                pictures.open(from, pictures.inspect(from, format), picture -> {
                    pictures.write(Pictures.toLargestShown(picture), format, to);
                    return to;
                });
                pictures.open(from, pictures.inspect(from, format), picture -> {
                    pictures.write(pictures.edit(picture, List.of(new Modifier.Rotate(90))), format, to);
                    return to;
                });
            }
        }
    }

    @Test
    void largestPicturesAreThinnedOutWhereTheHeapIsSmall() throws Exception {
        Path seenThrough = dir.resolve("seen-through.png");
        ImageIO.write(coloured(BufferedImage.TYPE_INT_ARGB), "png", seenThrough.toFile());
        Path opaque = dir.resolve("opaque.webp");
        new Pictures().write(coloured(BufferedImage.TYPE_3BYTE_BGR), ImageFormat.WEBP, opaque);

        assertThat(run(seenThrough)).isEqualTo("0: ");
        assertThat(run(opaque)).isEqualTo("0: ");
    }

    /** Colours that no compression makes a bomb of. */
    private static BufferedImage coloured(int type) {
        BufferedImage picture = new BufferedImage(SIDE, SIDE, type);
        for (int y = 0; y < SIDE; y++) {
            for (int x = 0; x < SIDE; x++) {
                picture.setRGB(x, y, ((x % 256) << 24) | ((x * 31 / 8 ^ y * 17 / 8) & 0xFFFFFF));
            }
        }
        return picture;
    }

    /** Returns how it ended, and what it printed. */
    private String run(Path picture) throws Exception {
        Path printed = dir.resolve("printed.txt");
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx88m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName(),
                        picture.toString())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        try {
            assertThat(program.waitFor(2, TimeUnit.MINUTES)).isTrue();
        } finally {
            program.destroyForcibly();
        }
        return program.exitValue() + ": " + Files.readString(printed, StandardCharsets.UTF_8);
    }
}
