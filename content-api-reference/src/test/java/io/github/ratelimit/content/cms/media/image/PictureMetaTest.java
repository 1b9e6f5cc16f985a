package io.github.ratelimit.content.cms.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

class PictureMetaTest {

    private static final int DESCRIPTION = 0x010e;
    private static final int ARTIST = 0x013b;

    private static final String LONG = "More than a title holds. ".repeat(4).strip();

    @TempDir
    private Path directory;

    @Test
    void takesAShortDescriptionForTheTitleToo() throws IOException {
        ObjectNode said = read(PictureFiles.jpegWithTexts(Map.of(DESCRIPTION, "Été", ARTIST, "José")));
        assertThat(said.path("title").asString()).isEqualTo("Été");
        assertThat(said.path("caption").asString()).isEqualTo("Été");
        assertThat(said.path("credit").asString()).isEqualTo("José");

        ObjectNode told = read(PictureFiles.jpegWithTexts(Map.of(DESCRIPTION, LONG)));
        assertThat(told.path("title").asString()).isEmpty();
        assertThat(told.path("caption").asString()).isEqualTo(LONG);
    }

    /** Rule: IPTC-NAA Information Interchange Model 4, record 2. */
    @Test
    void readsWhatThePressWrites() throws IOException {
        ObjectNode meta = read(PictureFiles.jpegWithPressNotes(
                "5 Name",
                "25 boats",
                "25 sea",
                "55 20190304",
                "60 101112+0100",
                "80 By whom",
                "105 Headline",
                "110 Agency",
                "116 Notice",
                "120 Caption"));

        assertThat(meta.path("title").asString()).isEqualTo("Headline");
        assertThat(meta.path("caption").asString()).isEqualTo("Caption");
        assertThat(meta.path("credit").asString()).isEqualTo("Agency");
        assertThat(meta.path("copyright").asString()).isEqualTo("Notice");
        assertThat(meta.path("created_timestamp").asString()).isEqualTo("1551690672");
        assertThat(meta.path("keywords").toString()).isEqualTo("[\"boats\",\"sea\"]");
        assertThat(read(PictureFiles.jpegWithPressNotes("120 " + LONG))
                        .path("title")
                        .asString())
                .isEmpty();
    }

    /** Whatever the notes of the press hold, those of the camera beside them are read. */
    @Test
    void brokenNotesOfThePressHideNothingElse() throws IOException {
        byte[] press = PictureFiles.jpegWithPressNotes("5 Name", "90 Town");
        byte[] exif = PictureFiles.jpegWithTexts(Map.of(ARTIST, "José"));
        int end = 4 + (press[4] & 0xff) * 256 + (press[5] & 0xff);
        assertThat(PictureMeta.read(Files.write(file(), press), ImageFormat.JPEG)
                        .hasLocation())
                .isTrue();
        for (int i = 6; i < end; i++) {
            byte[] broken = press.clone();
            broken[i] = (byte) 0xff;
            byte[] both = PictureFiles.joined(Arrays.copyOf(broken, end), Arrays.copyOfRange(exif, 2, exif.length));
            assertThat(read(both).path("credit").asString()).as("byte %d", i).isEqualTo("José");
        }
    }

    private Path file() {
        return directory.resolve("picture.jpg");
    }

    private ObjectNode read(byte[] picture) throws IOException {
        return PictureMeta.read(Files.write(file(), picture), ImageFormat.JPEG).shown();
    }
}
