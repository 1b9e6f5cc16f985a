package io.github.ratelimit.content.shared.container;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.test.TestClock;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.coyote.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.unit.DataSize;

/** When a worker waits for a client, and how long. */
final class ClientWaitsTest {
    private static final int MEGABYTE = 1 << 20;

    private final TestClock clock = new TestClock();
    private final Transfers transfers = TransfersTest.transfers(clock, DataSize.ofMegabytes(4), peer -> true);
    private final ClientWaits waits = new ClientWaits(transfers);

    @Test
    void whoeverIsAsFastAsTheServerTakesNoPlace() throws IOException {
        waits.serves(new Response());

        assertThat(waits.read(100)).isEqualTo(100);
        assertThat(waits.written(100, true)).isEqualTo(100);
        assertThat(waits.written(0, false)).as("everything is sent").isZero();

        assertThat(transfers.waitingNow()).isZero();
    }

    @Test
    void aPlaceIsTakenAsLongAsNothingComes() {
        waits.read(0);
        assertThat(transfers.waitingNow())
                .as("for the next request nobody waits")
                .isZero();
        waits.serves(new Response());

        waits.read(0);
        waits.read(0);
        assertThat(transfers.waitingNow()).isOne();
        waits.read(1);
        assertThat(transfers.waitingNow()).isZero();

        waits.read(0);
        waits.done(false);
        assertThat(transfers.waitingNow()).isZero();
    }

    @Test
    void aWholeBodyHasItsTimeAndAgainForEachMegabyteThatIsStored() {
        waits.serves(new Response());
        waits.read(0);
        clock.advance(Duration.ofSeconds(59));
        assertThat(waits.read(0)).isZero();
        waits.read(MEGABYTE);
        waits.stored(MEGABYTE);
        waits.read(0);
        clock.advance(Duration.ofSeconds(60));
        assertThat(waits.read(0)).isZero();
        waits.read(1);
        waits.read(0);

        clock.advance(Duration.ofSeconds(2));

        assertThatThrownBy(() -> waits.read(0))
                .isInstanceOfSatisfying(
                        UnavailableException.class,
                        refused -> assertThat(refused.status()).isEqualTo(408));
        assertThat(transfers.waitingNow()).isZero();
        waits.serves(new Response());
        assertThat(waits.read(0)).as("the next request").isZero();
    }

    @Test
    void aWholeAnswerHasItsTimeAndNothingFollowsOneThatIsGivenUp() throws IOException {
        waits.serves(new Response());
        waits.written(0, true);
        clock.advance(Duration.ofSeconds(40));
        waits.written(1, true);
        waits.written(0, true);
        clock.advance(Duration.ofSeconds(21));

        assertThatThrownBy(() -> waits.written(0, true)).isInstanceOf(GivenUpException.class);

        assertThat(transfers.waitingNow()).isZero();
        assertThatThrownBy(waits::requireKept).isInstanceOf(GivenUpException.class);
        waits.connected(null);
        assertThatCode(waits::requireKept).doesNotThrowAnyException();
    }

    @Test
    void whoeverFindsNoPlaceIsRefusedOrGivenUp() throws IOException {
        Transfers few = TransfersTest.transfers(clock, peer -> false);
        for (int i = 0; i < 2; i++) {
            ClientWaits slow = new ClientWaits(few);
            slow.serves(new Response());
            slow.written(0, true);
        }
        ClientWaits another = new ClientWaits(few);
        another.serves(new Response());

        assertThatThrownBy(() -> another.read(0))
                .isInstanceOfSatisfying(
                        UnavailableException.class,
                        refused -> assertThat(refused.status()).isEqualTo(503));
        assertThat(another.written(10, true)).isEqualTo(10);
        assertThatThrownBy(() -> another.written(0, true)).isInstanceOf(GivenUpException.class);
    }

    @Test
    void anAnswerThatGoesOnWithoutItsWorkerIsStillWaitedFor() throws IOException {
        waits.serves(new Response());
        waits.written(0, true);

        waits.done(true);
        assertThat(transfers.waitingNow()).isOne();
        waits.connected(null);
        assertThat(transfers.waitingNow()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aConnectionTellsWhatItWaitsFor(boolean isEncrypted, @TempDir Path directory) throws Exception {
        try (var container = new SmallContainer(directory, isEncrypted, transfers, new Endless())) {
            for (String sent : List.of("", "0123456789")) {
                // Either no body comes, or none of the answer is read, of which the machine keeps some.
                try (Socket slow = container.connect()) {
                    send(slow, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n" + sent);
                    await(1);
                }
                await(0);
            }
        }
    }

    /** What is held in memory takes it from others as long as it takes to come. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void onlyWhatIsStoredGivesABodyMoreTime(boolean isStored, @TempDir Path directory) throws Exception {
        Reading reading = new Reading(isStored);
        try (var container = new SmallContainer(directory, false, transfers, reading);
                Socket slow = container.connect()) {
            slow.setSoTimeout(60_000); // longer than any answer takes
            send(slow, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + (2 * MEGABYTE + 2) + "\r\n\r\n");
            send(slow, "x".repeat(2 * MEGABYTE));
            await(reading.read::get, 2 * MEGABYTE);
            await(1);
            clock.advance(Duration.ofSeconds(61));
            send(slow, "x");
            await(reading.read::get, 2 * MEGABYTE + 1);
            if (isStored) {
                await(1);
                send(slow, "x");
            }

            String answer = new String(slow.getInputStream().readNBytes(12), US_ASCII);
            assertThat(answer).isEqualTo("HTTP/1.1 " + (isStored ? 200 : 408));
        }
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(US_ASCII));
    }

    private void await(long waiting) {
        await(transfers::waitingNow, waiting);
    }

    private static void await(LongSupplier amount, long expected) {
        for (int i = 0; i < 60_000 && amount.getAsLong() != expected; i++) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(amount.getAsLong()).isEqualTo(expected);
    }

    /** Reads a whole body as a surface does. */
    private final class Reading extends HttpServlet {
        private static final long serialVersionUID = 1L;

        private final AtomicLong read = new AtomicLong();
        private final boolean isStored;

        Reading(boolean isStored) {
            this.isStored = isStored;
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            BoundedRequest bounded = new BoundedRequest(request, transfers);
            if (isStored) {
                BoundedRequest.isStored(bounded);
            }
            transfers.serving(bounded);
            try {
                byte[] piece = new byte[8192];
                for (int more = 0; more >= 0; more = bounded.getInputStream().read(piece)) {
                    read.addAndGet(more);
                }
            } catch (UnavailableException refused) {
                response.setStatus(refused.status());
            } finally {
                transfers.serving(null);
                bounded.release();
            }
        }
    }

    private static final class Endless extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            request.getInputStream().readAllBytes();
            OutputStream out = response.getOutputStream();
            byte[] piece = new byte[MEGABYTE];
            for (int i = 0; i < 1_000; i++) {
                out.write(piece);
            }
        }
    }
}
