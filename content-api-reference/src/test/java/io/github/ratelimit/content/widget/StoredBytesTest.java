package io.github.ratelimit.content.widget;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.RawConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A client address cannot fill the disk: what it stores is limited in bytes, over as many conversations as it likes to begin. */
final class StoredBytesTest extends OnLimitedServer {
    private static final int MEGABYTE = 1 << 20;
    private static final String EVENT = "{\"name\":\"e\",\"properties\":{\"p\":\"" + "x".repeat(15_000) + "\"}}";
    private static final int EVENTS = 30; // of a conversation, below its own maximum

    @SuppressWarnings("NullAway.Init") // each test sends something
    private Answer last;

    private int conversations;

    @Test
    void oneAddressStoresTenMegabytesAMinuteAndFiftyADay() {
        clock.advance(Duration.ofDays(1));
        long day = 0;
        for (int minute = 0; minute < 6; minute++) {
            long stored = store(12 * MEGABYTE, "127.0.2.1");
            assertThat(stored).as("minute %s", minute).isLessThanOrEqualTo(10 * MEGABYTE);
            day += stored;
            clock.advance(Duration.ofMinutes(1));
        }
        assertThat(day).isBetween(40L * MEGABYTE, 50L * MEGABYTE);
        assertThat(last.status()).isEqualTo(429);
        assertThat(last.text("/error/code")).isEqualTo("rate_limited");
        assertThat(Crowd.number(last, "Retry-After")).isGreaterThan(86_000);

        assertThat(store(MEGABYTE, "127.0.2.2")).as("of another address").isGreaterThanOrEqualTo(MEGABYTE);
        clock.advance(Duration.ofDays(1));
        assertThat(store(MEGABYTE, "127.0.2.1")).as("a day later").isGreaterThanOrEqualTo(MEGABYTE);
    }

    /** The server learns the length of such a body too late. */
    @Test
    void bodyOfUnknownLengthCostsAsMuchAsTheLongest() {
        clock.advance(Duration.ofDays(1));
        int sent = 0;
        try (var connection = new RawConnection(server.base(), "127.0.2.3")) {
            do {
                last = connection.send(("POST " + WIDGET + "init HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
                                + "Content-Type: application/json\r\n\r\n2\r\n{}\r\n0\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
                sent++;
            } while (last.status() == 200);
        }
        assertThat(last.status()).isEqualTo(429);
        assertThat(sent).isLessThanOrEqualTo(10 * MEGABYTE / (16 << 10) + 1);
    }

    /** Returns how many bytes of bodies were accepted, up to so many. */
    private long store(long most, String address) {
        long stored = 0;
        try (var connection = new RawConnection(server.base(), address)) {
            while (stored < most) {
                last = connection.send(
                        "POST " + WIDGET + "init HTTP/1.1", "{}", "User-Agent: agent-" + conversations++ / 900);
                if (last.status() == 429) {
                    return stored;
                }
                String visitor = bearer(last.text("/token"));
                for (int event = 0; event < EVENTS && stored < most; event++) {
                    last = connection.send("POST " + WIDGET + "events HTTP/1.1", EVENT, visitor);
                    if (last.status() == 429) {
                        return stored;
                    }
                    assertThat(last.status()).isEqualTo(202);
                    stored += EVENT.length();
                }
            }
        }
        return stored;
    }
}
