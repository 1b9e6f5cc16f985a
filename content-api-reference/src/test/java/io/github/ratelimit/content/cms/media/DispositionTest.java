package io.github.ratelimit.content.cms.media;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Rule: BEHAVIOUR section 9, the name of a raw upload. */
class DispositionTest {
    private static String name(String sent, Charset charset) {
        // As a container hands a field on: a character for each byte.
        String field = new String(sent.getBytes(charset), StandardCharsets.ISO_8859_1);
        return Disposition.fileName("attachment; filename=\"" + field + "\"").orElse("");
    }

    @Test
    void lettersBeyondAsciiAreUtf8() {
        assertThat(name("na\u00efve caf\u00e9.jpg", StandardCharsets.UTF_8)).isEqualTo("na\u00efve caf\u00e9.jpg");
        assertThat(name("na\u00efve.jpg", StandardCharsets.ISO_8859_1)).isEqualTo("na\u00efve.jpg");
        assertThat(name("plain.jpg", StandardCharsets.US_ASCII)).isEqualTo("plain.jpg");
    }
}
