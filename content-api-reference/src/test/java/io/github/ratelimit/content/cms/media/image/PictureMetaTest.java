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
    private static final int COMMENT = 0x9286;

    private static final String LONG = "More than a title holds. ".repeat(4).strip();

    @TempDir
    private Path directory;

    @Test
    void readsWhatThePressWrites() throws IOException {
        PictureMeta meta = read(PictureFiles.jpegWithPressNotes(Map.of(
                5,
                "Name",
                25,
                "boats",
                55,
                "20190304",
                60,
                "101112",
                80,
                "By whom",
                105,
                "Headline",
                116,
                "Notice",
                120,
                "Caption")));

        assertThat(meta.title()).isEqualTo("Headline");
        assertThat(meta.caption()).isEqualTo("Caption");
        assertThat(meta.credit()).isEqualTo("By whom");
        assertThat(meta.copyright()).isEqualTo("Notice");
        assertThat(meta.createdTimestamp()).isEqualTo("1551694272");
        assertThat(meta.keywords()).containsExactly("boats");
    }

    @Test
    void knowsTheHourByItsZone() throws IOException {
        assertThat(read(PictureFiles.jpegWithPressNotes(Map.of(55, "20190304", 60, "101112+0100")))
                        .createdTimestamp())
                .isEqualTo("1551690672");
        assertThat(read(PictureFiles.jpegWithPressNotes(Map.of(55, "20190304", 60, "soon")))
                        .createdTimestamp())
                .isEqualTo("0");
    }

    @Test
    void takesAShortDescriptionForTheTitleToo() throws IOException {
        PictureMeta said = read(PictureFiles.jpegWithTexts(Map.of(DESCRIPTION, "Été", ARTIST, "José")));
        assertThat(said.title()).isEqualTo("Été");
        assertThat(said.caption()).isEqualTo("Été");
        assertThat(said.credit()).isEqualTo("José");

        PictureMeta told = read(PictureFiles.jpegWithTexts(Map.of(DESCRIPTION, LONG)));
        assertThat(told.title()).isEmpty();
        assertThat(told.caption()).isEqualTo(LONG);

        assertThat(read(PictureFiles.jpegWithPressNotes(Map.of(120, LONG))).title())
                .isEmpty();
    }

    @Test
    void joinsTheCommentOfAUser() throws IOException {
        PictureMeta both = read(PictureFiles.jpegWithTexts(Map.of(DESCRIPTION, "Title", COMMENT, "Comment")));
        assertThat(both.title()).isEqualTo("Title");
        assertThat(both.caption()).isEqualTo("Comment");

        PictureMeta longer = read(PictureFiles.jpegWithTexts(Map.of(DESCRIPTION, LONG, COMMENT, "Comment")));
        assertThat(longer.title()).isEmpty();
        assertThat(longer.caption()).isEqualTo(LONG + " Comment");

        PictureMeta alone = read(PictureFiles.jpegWithTexts(Map.of(ARTIST, "x", COMMENT, "Comment")));
        assertThat(alone.title()).isEqualTo("Comment");
        assertThat(alone.caption()).isEqualTo("Comment");
    }

    private PictureMeta read(byte[] picture) throws IOException {
        return PictureMeta.read(Files.write(directory.resolve("picture.jpg"), picture), ImageFormat.JPEG);
    }
}
