package io.github.ratelimit.content.server.http;

import static io.github.ratelimit.content.harness.ReferenceServer.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.RawConnection;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The bounds of requests before any filter: bodies, and the requests in flight of one address. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RequestValveTest {

    private static final String TYPING = "POST /api/v1/widget/typing HTTP/1.1";
    private static final String INIT = "POST /api/v1/widget/init HTTP/1.1";
    private static final int IN_FLIGHT = 3;

    private final TestClock clock = new TestClock();

    @AutoClose
    private final ReferenceServer server = ReferenceServer.start(
            Database.H2,
            with(clock),
            "--spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
            "--ratelimit.http.trusted-proxies=",
            "--content-api.requests.max-bytes-in-flight=24KB",
            "--content-api.requests.max-in-flight-per-address=" + IN_FLIGHT,
            "--content-api.requests.longest-wait=1s");

    @Test
    void bodyThatComesTooLateIs408() {
        try (RawConnection slow = half("127.0.0.2", 4_000)) {
            // Other requests are served meanwhile, so the server has begun to read. If not, the container's own timeout
            // ends it.
            IntStream.range(0, 5).forEach(i -> send("127.0.0.9", TYPING, "{}"));
            clock.advance(Duration.ofSeconds(31));

            slow.write(" ");

            assertError(slow.receive(), 408, "too_slow");
        }
    }

    /** Two such bodies need more than the budget. */
    @Test
    void bodiesThatFindNoRoomAre503UntilOthersEnd() {
        String body = "{\"page\":\"" + "x".repeat(15_000) + "\"}";

        // The half body may come while the other one is read, and be the one that is rejected; then it is sent again.
        await(() -> {
            RawConnection half = half("127.0.0.3", 15_000);
            try {
                return IntStream.range(0, 5)
                        .anyMatch(i -> send("127.0.0.5", INIT, body).status() == 503);
            } finally {
                half.close();
            }
        });

        await(() -> send("127.0.0.5", INIT, body).status() == 422);
    }

    /** Each is half there when the next one begins, and all together need more than the budget. */
    @Test
    void bodiesWaitForRoomInTheirOrder() {
        List<RawConnection> parallel = new ArrayList<>();
        try {
            for (String from : List.of("127.0.0.10", "127.0.0.11", "127.0.0.12")) {
                parallel.add(half(from, 14_000));
            }
            parallel.forEach(body -> body.write("x".repeat(1_009) + "\"}"));
            parallel.forEach(body -> assertThat(body.receive().status()).isEqualTo(422));
        } finally {
            parallel.forEach(RawConnection::close);
        }
    }

    @Test
    void requestThatWaitsTooLongIs503() {
        List<RawConnection> inFlight = new ArrayList<>();
        try {
            IntStream.range(0, IN_FLIGHT).forEach(i -> inFlight.add(half("127.0.0.8", 1_000)));
            await(() -> !isServedAtOnce("127.0.0.8"));

            RawConnection waiting = half("127.0.0.8", 1_000);
            inFlight.add(waiting);
            Answer late = waiting.receive();

            assertError(late, 503, "unavailable");
            assertThat(late.header("Retry-After")).isPresent();
        } finally {
            inFlight.forEach(RawConnection::close);
        }
    }

    /** Those that are sent already never wait for those that are still to come. */
    @Test
    void slowSendersHoldNoOtherRequestOfTheirAddress() {
        List<RawConnection> senders = new ArrayList<>();
        try {
            IntStream.range(0, 10 * IN_FLIGHT).forEach(i -> senders.add(half("127.0.0.10", 1_000)));
            await(() -> !isServedAtOnce("127.0.0.10"));

            for (int i = 0; i < 5; i++) {
                assertThat(send("127.0.0.10", TYPING, "{}").status()).isEqualTo(204);
                assertThat(send("127.0.0.10", "GET /actuator/health HTTP/1.1", "")
                                .status())
                        .isEqualTo(200);
                assertThat(send("127.0.0.10", "GET /index.php?rest_route=/cms/v2/posts HTTP/1.1", "")
                                .status())
                        .isEqualTo(200);
            }
        } finally {
            senders.forEach(RawConnection::close);
        }
    }

    private boolean isServedAtOnce(String from) {
        long before = System.nanoTime();
        boolean isServed;
        try (var connection = new RawConnection(server.base(), from)) {
            connection.write(TYPING + "\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n");
            // So long that the server has seen that the body is still to come.
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
            isServed = connection.write("{}").receive().status() == 204;
        }
        return isServed && System.nanoTime() - before < Duration.ofMillis(900).toNanos();
    }

    /** Begins a request whose body does not end. */
    private RawConnection half(String from, int length) {
        String body = "{\"page\":\"" + "x".repeat(length - 10);
        return new RawConnection(server.base(), from)
                .write(INIT + "\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: " + (length + 1_000)
                        + "\r\n\r\n" + body);
    }

    private Answer send(String from, String line, String body) {
        try (var connection = new RawConnection(server.base(), from)) {
            return connection.send(line, body);
        }
    }

    private static void assertError(Answer answer, int status, String code) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.text("/error/code")).isEqualTo(code);
    }

    /** Asks again until the server has come so far. */
    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("the server did not come so far").isLessThan(end);
        }
    }
}
