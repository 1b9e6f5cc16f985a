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
import java.util.concurrent.locks.LockSupport;
import org.apache.coyote.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a worker waits for a client, and how long. */
final class ClientWaitsTest {
    private static final int MEGABYTE = 1 << 20;

    private final TestClock clock = new TestClock();
    private final Transfers transfers = TransfersTest.transfers(clock, peer -> true);
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
    void aWholeBodyHasItsTimeAndAgainForEachMegabyte() {
        waits.serves(new Response());
        waits.read(0);
        clock.advance(Duration.ofSeconds(59));
        assertThat(waits.read(0)).isZero();
        waits.read(MEGABYTE);
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

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(US_ASCII));
    }

    private void await(long waiting) {
        for (int i = 0; i < 60_000 && transfers.waitingNow() != waiting; i++) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(transfers.waitingNow()).isEqualTo(waiting);
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
