package io.github.ratelimit.content.server.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.CpuTime;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.RawConnection;
import io.github.ratelimit.content.harness.ReferenceServer;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Requests in the queue of an address, and bodies of each kind of caller, with the bounds as they are configured. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RequestBoundsTest {
    private static final int IN_FLIGHT = 32;
    private static final String TOKEN = "the-token-of-a-workspace-in-a-test";
    private static final String POSTS = "POST /?rest_route=/cms/v2/posts HTTP/1.1";
    private static final String DOCUMENTS = "POST /v1/cms/documents HTTP/1.1";
    private static final String TYPING = "POST /api/v1/widget/typing HTTP/1.1";
    private static final Account AUTHOR = Accounts.standard().get("author");

    @AutoClose
    private final ReferenceServer server = ReferenceServer.start(
            Database.H2,
            "--ratelimit.http.trusted-proxies=",
            "--spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
            "--content-api.widget.allowed-origins=https://shop.example",
            "--content-api.provision.workspaces[0].id=site",
            "--content-api.provision.workspaces[0].token=" + TOKEN);

    /** Requests of one address whose bodies do not come. */
    private final class Held implements AutoCloseable {
        private final List<RawConnection> connections;

        Held(String address) {
            this(address, IN_FLIGHT);
        }

        Held(String address, int count) {
            connections = IntStream.range(0, count)
                    .mapToObj(number -> new RawConnection(server.base(), address)
                            .write(head(TYPING, 2, "Content-Type: application/json")))
                    .toList();
            while (waitingForBodies() < count) {
                Thread.onSpinWait();
            }
        }

        private static long waitingForBodies() {
            return Thread.getAllStackTraces().values().stream()
                    .filter(stack -> Arrays.stream(stack)
                            .anyMatch(frame -> frame.getClassName().equals(RequestBody.class.getName())))
                    .count();
        }

        @Override
        public void close() {
            connections.forEach(RawConnection::close);
        }
    }

    private String head(String line, long length, String... fields) {
        return line + "\r\nHost: x\r\n" + String.join("\r\n", fields) + "\r\nContent-Length: " + length + "\r\n\r\n";
    }

    @Test
    void requestInTheQueueIsServedAsAnyOther() {
        String address = "127.0.2.1";
        try (Held held = new Held(address);
                RawConnection waiting = new RawConnection(server.base(), address);
                RawConnection forged = new RawConnection(server.base(), address);
                RawConnection other = new RawConnection(server.base(), "127.0.2.2")) {
            waiting.write(head(TYPING, 2, "Content-Type: application/json", "Origin: https://shop.example"));
            assertThat(other.send(TYPING, "{}").status()).isEqualTo(204);

            held.connections.get(0).write("{}");
            Answer first = held.connections.get(0).receive();
            waiting.write("{}");
            Answer second = waiting.receive();
            held.connections.get(1).write("{}");
            forged.write(head("POST /api/v1/widget/messages HTTP/1.1", 2, "Authorization: Bearer forged") + "{}");
            Answer third = forged.receive();

            assertThat(first.status()).isEqualTo(204);
            assertThat(second.status()).isEqualTo(204);
            assertThat(second.headers().allValues("Access-Control-Allow-Origin"))
                    .containsExactly("https://shop.example");
            // 32 requests hold their turns, and this one is the 33rd.
            assertThat(second.headers().allValues("X-RateLimit-Remaining"))
                    .containsExactly(Integer.toString(600 - IN_FLIGHT - 1));
            assertThat(third.status()).isEqualTo(401);
            assertThat(third.headers().allValues("X-RateLimit-Remaining")).containsExactly("299");
        }
    }

    /** The address is another one inside the server, and the request is still one. */
    @Test
    void requestAtAnotherAddressTakesOneTurn() {
        String address = "127.0.2.5";
        try (Held held = new Held(address, IN_FLIGHT - 1);
                RawConnection last = new RawConnection(server.base(), address)) {
            assertThat(held.connections).hasSize(IN_FLIGHT - 1);
            assertThat(last.send("GET /?rest_route=/cms/v2/posts HTTP/1.1", "").status())
                    .isEqualTo(200);
        }
    }

    @Test
    void clientsThatLeaveGiveTheirTurnsBack() {
        String address = "127.0.2.4";
        Held held = new Held(address);
        held.connections.forEach(RawConnection::leave);

        try (RawConnection next = new RawConnection(server.base(), address)) {
            assertThat(next.send(TYPING, "{}").status()).isEqualTo(204);
        }
    }

    @Test
    void bodiesHaveALimitByCaller() {
        String stranger = "{\"a\":\"" + "x".repeat(16 << 10) + "\"}";
        String account = "{\"title\":\"" + "x".repeat(1 << 20) + "\"}";

        assertThat(once(TYPING, stranger).status()).isEqualTo(413);
        assertThat(once(TYPING, stranger).text("/error/code")).isEqualTo("too_large");
        assertThat(once(POSTS, stranger).status()).isIn(400, 401);
        assertThat(once(
                                "POST /authorize-application HTTP/1.1",
                                "a=" + stranger,
                                "Content-Type: application/x-www-form-urlencoded")
                        .status())
                .isEqualTo(413);
        assertThat(once(POSTS, account, "Authorization: " + AUTHOR.basic()).status())
                .isEqualTo(413);
        assertThat(once(DOCUMENTS, "{\"documents\":[]}" + " ".repeat(1 << 20), "Authorization: Bearer " + TOKEN)
                        .status())
                .isEqualTo(200);
        assertThat(once("GET /?rest_route=/cms/v2/posts HTTP/1.1", stranger).status())
                .isEqualTo(200);
    }

    @Test
    void bodiesOfUnknownLengthHaveTheSameLimit() {
        try (RawConnection connection = new RawConnection(server.base())) {
            String chunk = "2000\r\n" + " ".repeat(8 << 10) + "\r\n";
            connection.write(
                    TYPING + "\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + chunk + chunk + chunk + "0\r\n\r\n");
            assertThat(connection.receive().status()).isEqualTo(413);
        }
    }

    @Test
    void dearBodiesTakeLittleTime() {
        String marks = "\\\"".repeat(500_000);
        List<String> bodies = List.of(
                "{\"title\":\"x\",\"content\":\"" + marks + "\"}",
                "{\"title\":\"x\",\"content\":\"" + "'".repeat(160_000) + "\"}",
                "{\"title\":" + "[".repeat(10_000) + "]".repeat(10_000) + "}",
                "{" + String.join(",", members(100_000)) + "}");
        for (String body : bodies) {
            once(POSTS, body, "Authorization: " + AUTHOR.basic());
            Duration before = cpu();
            Answer answer = once(POSTS, body, "Authorization: " + AUTHOR.basic());
            Duration took = cpu().minus(before);

            assertThat(answer.status()).as(answer.text()).isIn(201, 400, 413);
            assertThat(took).as(body.substring(0, 40)).isLessThan(CpuTime.atNominal(Duration.ofSeconds(2)));
        }
    }

    private static List<String> members(int count) {
        List<String> members = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            members.add("\"" + Integer.toString(i, 36) + "\":1");
        }
        return members;
    }

    private static Duration cpu() {
        OperatingSystemMXBean system = requireNonNull(ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class));
        return Duration.ofNanos(system.getProcessCpuTime());
    }

    private Answer once(String line, String body, String... fields) {
        return RawConnection.once(server.base(), line, body, fields);
    }
}
