package io.github.ratelimit.content.cms.media.storage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileTypeTest {

    private static final String PNG = "\u0089PNG\r\n\u001a\n\0\0\0\rIHDR";

    @Test
    void nameAndContentMustAgree() {
        assertThat(type("a.png", PNG)).isEqualTo("image/png");
        assertThat(type("a.PNG", PNG)).isEqualTo("image/png");
        assertThat(type("a.jpg", PNG)).isEmpty();
        assertThat(type("a.txt", PNG)).isEmpty();
        assertThat(type("a", PNG)).isEmpty();
        assertThat(type("a.wav", "RIFF\0\0\0\0WAVEfmt ")).isEqualTo("audio/wav");
        assertThat(type("a.webp", "RIFF\0\0\0\0WAVEfmt ")).isEmpty();
        assertThat(type("a.pdf", "%PDF-1.4")).isEqualTo("application/pdf");
        assertThat(type("notes.txt", "plain words, \u00c3\u00a9 too")).isEqualTo("text/plain");
        assertThat(type("a.pdf", "\r\n\n%PDF-1.4")).isEqualTo("application/pdf");
        assertThat(type("a.csv", "Gr\u00f6\u00dfe;3\n")).isEqualTo("text/csv");
        assertThat(type("a.txt", "\u0093quoted\u0094 by Windows")).isEqualTo("text/plain");
        assertThat(type("a.txt", "\u00ff\u00feG\0r\0\u00fc\0")).isEqualTo("text/plain");
        assertThat(type("a.txt", "\u00fe\u00ff\0G\0r")).isEqualTo("text/plain");
        assertThat(type("a.txt", "G\0r\0\u00fc\0")).isEmpty();
        assertThat(type("broken.jpg", "this is no picture")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"a.jpg", "a.bmp", "a.TIFF", "a.ico", "a.heic", "a.avif"})
    void pictureGetsTheExtensionOfWhatItIs(String name) {
        assertThat(FileType.fittingName(name, PNG.getBytes(ISO_8859_1))).isEqualTo("a.png");
    }

    @Test
    void picturesThatAreKeptAsTheyCome() {
        assertThat(type("a.bmp", "BM")).isEqualTo("image/bmp");
        assertThat(type("a.tiff", "II*\0")).isEqualTo("image/tiff");
        assertThat(type("a.HEIC", "\0\0\0\30ftypheic")).isEqualTo("image/heic");
        assertThat(type("a.heic", "\0\0\0\30ftypisom")).isEmpty();
        assertThat(FileType.fittingName("a.png", "MM\0*".getBytes(ISO_8859_1))).isEqualTo("a.tif");
    }

    @ParameterizedTest
    @CsvSource({"a.txt", "a.exe", "a.svg", "a", "a.png"})
    void noOtherNameIsChanged(String name) {
        assertThat(FileType.fittingName(name, PNG.getBytes(ISO_8859_1))).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({
        "a.svg, <svg xmlns='http://www.w3.org/2000/svg'/>",
        "a.html, <p>",
        "a.htm, <p>",
        "a.xml, <a/>",
        "a.js, alert(1)",
        "a.php, <?php",
        "a.exe, MZ",
        "a.swf, FWS",
        "a.jar, PK",
        "a.sh, #!/bin/sh",
        "a.xhtml, <a/>",
        "a.css, a{}",
        "a.txt, <script>alert(1)</script>",
        "a.txt, ' \n<!DOCTYPE html>'",
        "a.csv, '<?php echo 1;'",
        "a.txt, '%PDF-1.4 all in letters'",
        "a.txt, '{\\rtf1 words}'",
        "a.txt, '#!/bin/sh'",
        "a.csv, GIF89a",
        "a.txt, '\u00EF\u00BB\u00BF\n%PDF-1.4'",
        "a.txt, '\u00FF\u00FE<\0s\0c\0r\0i\0p\0t\0'",
        "a.mht, x",
        "a.json, {}"
    })
    void rejectsWhatABrowserOrAServerWouldRun(String name, String content) {
        assertThat(type(name, content)).isEmpty();
    }

    private static String type(String name, String content) {
        return FileType.of(name, content.getBytes(ISO_8859_1))
                .map(FileType::mediaType)
                .orElse("");
    }
}
