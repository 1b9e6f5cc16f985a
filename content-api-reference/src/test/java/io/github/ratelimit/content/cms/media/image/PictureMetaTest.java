package io.github.ratelimit.content.cms.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PictureMetaTest {

    private static final int DESCRIPTION = 0x010e;
    private static final int ARTIST = 0x013b;

    private static final String LONG = "More than a title holds. ".repeat(4).strip();

    @TempDir
    private Path directory;

    @Test
    void takesAShortDescriptionForTheTitleToo() throws IOException {
        PictureMeta said = read(PictureFiles.jpegWithTexts(Map.of(DESCRIPTION, "Été", ARTIST, "José")));
        assertThat(said.title()).isEqualTo("Été");
        assertThat(said.caption()).isEqualTo("Été");
        assertThat(said.credit()).isEqualTo("José");

        PictureMeta told = read(PictureFiles.jpegWithTexts(Map.of(DESCRIPTION, LONG)));
        assertThat(told.title()).isEmpty();
        assertThat(told.caption()).isEqualTo(LONG);
    }

    private PictureMeta read(byte[] picture) throws IOException {
        return PictureMeta.read(Files.write(directory.resolve("picture.jpg"), picture), ImageFormat.JPEG);
    }
}
