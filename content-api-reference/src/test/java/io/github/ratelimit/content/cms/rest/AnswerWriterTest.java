package io.github.ratelimit.content.cms.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletResponse;

final class AnswerWriterTest {
    private static final int PIECE = 8_000;

    private final MockHttpServletResponse response = new MockHttpServletResponse();
    private final AnswerWriter writer = new AnswerWriter(response);

    private int sent() {
        return response.getContentAsByteArray().length;
    }

    @Test
    void whatIsShortIsSentAtOnceWithItsLength() throws IOException {
        writer.write(new byte[PIECE]);
        writer.write(1);

        assertThat(sent()).isZero();

        writer.finish();

        assertThat(sent()).isEqualTo(PIECE + 1);
        assertThat(response.getContentLength()).isEqualTo(PIECE + 1);
    }

    @Test
    void ofWhatIsLongNoMoreIsHeldThanIsShort() throws IOException {
        for (int written = PIECE; written < 1 << 20; written += PIECE) {
            writer.write(new byte[PIECE]);

            assertThat(written - sent()).isBetween(0, AnswerWriter.MOST_HELD);
        }
        int before = sent();
        writer.finish();

        assertThat(sent()).isEqualTo(before);
        assertThat(response.containsHeader("Content-Length")).isFalse();
    }

    /** Whoever fails to write all of it does not finish it. */
    @Test
    void whatBreaksOffIsNoAnswer() throws IOException {
        writer.write(new byte[PIECE]);
        writer.close();

        assertThat(sent()).isZero();
    }
}
