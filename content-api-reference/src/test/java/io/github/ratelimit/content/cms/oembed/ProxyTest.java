package io.github.ratelimit.content.cms.oembed;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The proxy of the real server never reaches what is not public, and tells nobody what is open there. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProxyTest {

    private static final List<String> HOSTS = List.of(
            "127.0.0.1",
            "127.1",
            "127.0.1",
            "127.0.0.1.",
            "2130706433",
            "0x7f000001",
            "0x7f.0.0.1",
            "0x7f.1",
            "0177.0.0.1",
            "017700000001",
            "00000177.1",
            "127.0x1",
            "127.0.0.01",
            "127.000.000.001",
            "0",
            "0.0.0.0",
            "0x0",
            "127.127.127.127",
            "127.255.255.254",
            "4294967295",
            "4294967296",
            "1.1.1.1.1",
            "256.0.0.1",
            "localhost",
            "LOCALHOST",
            "localhost.",
            "localhost.localdomain",
            "ip6-localhost",
            "10.0.0.1",
            "10.1",
            "167772161",
            "0x0a000001",
            "012.0.0.1",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.0.1",
            "192.168.1",
            "3232235521",
            "0xc0a80001",
            "169.254.169.254",
            "2852039166",
            "0xa9fea9fe",
            "0251.0376.0251.0376",
            "169.254.43518",
            "100.64.0.1",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "198.18.0.1",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "[::1]",
            "[::]",
            "[0:0:0:0:0:0:0:1]",
            "[0000::0001]",
            "[::127.0.0.1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[0:0:0:0:0:ffff:127.0.0.1]",
            "[::ffff:0:127.0.0.1]",
            "[::ffff:10.0.0.1]",
            "[::ffff:169.254.169.254]",
            "[64:ff9b::127.0.0.1]",
            "[64:ff9b::7f00:1]",
            "[64:ff9b:1::7f00:1]",
            "[2002:7f00:1::]",
            "[2002:a9fe:a9fe::1]",
            "[2001:0:7f00:1::]",
            "[fe80::1]",
            "[fe80::1%25lo]",
            "[::1%25lo]",
            "[fc00::1]",
            "[fd12:3456::1]",
            "[fec0::1]",
            "[ff02::1]",
            "[100::1]",
            "[2001:db8::1]",
            "[3fff::1]",
            "[5f00::1]",
            "\uff11\uff12\uff17.0.0.1",
            "\u2460\u2461\u2466.0.0.1",
            "127\u30020\u30020\u30021",
            "user@127.0.0.1",
            "public.example@127.0.0.1",
            "127.0.0.1:",
            "%31%32%37.0.0.1",
            "nowhere.invalid");

    private static final boolean EXACT = Boolean.getBoolean("full");
    private static final int ROUNDS = EXACT ? 5 : 1;

    private final TimeSource time = TimeSource.system();
    private final Account contributor = Accounts.standard().get("contributor");

    @AutoClose
    private final ReferenceServer server = ReferenceServer.start(Database.H2);

    private final SiteClient client = new SiteClient(server.base());

    @AutoClose
    private ServerSocket canary;

    @BeforeAll
    void start() throws IOException {
        canary = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        canary.setSoTimeout(200);
    }

    @Test
    void noSpellingReachesTheCanary() throws Exception {
        assertThat(HOSTS).hasSizeGreaterThanOrEqualTo(85);
        ExecutorService threads = Executors.newFixedThreadPool(16);
        try {
            List<Callable<Answer>> tasks = new ArrayList<>();
            for (String host : HOSTS) {
                tasks.add(() -> ask("http://" + host + ":" + canary.getLocalPort() + "/"));
                // The usual ports are allowed; there the address alone keeps the fetch away.
                tasks.add(() -> ask("http://" + host + "/"));
            }
            for (Future<Answer> answer : threads.invokeAll(tasks)) {
                assertThat(answer.get().status()).isEqualTo(404);
                assertThat(answer.get().json().path("code").asString()).isEqualTo("oembed_invalid_url");
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(connects()).isFalse();
    }

    @Test
    void anOpenPortLooksLikeAClosedOne() throws IOException {
        int closed;
        try (ServerSocket probe = new ServerSocket(0)) {
            closed = probe.getLocalPort();
        }
        List<Long> open = new ArrayList<>();
        List<Long> shut = new ArrayList<>();
        Answer fromOpen = ask("http://127.0.0.1:" + canary.getLocalPort() + "/");
        Answer fromShut = ask("http://127.0.0.1:" + closed + "/");
        for (int i = 0; i < ROUNDS; i++) {
            open.add(millis("http://127.0.0.1:" + canary.getLocalPort() + "/"));
            shut.add(millis("http://127.0.0.1:" + closed + "/"));
        }

        assertThat(fromOpen.status()).isEqualTo(fromShut.status());
        assertThat(fromOpen.bytes()).isEqualTo(fromShut.bytes());
        // Neither is ever asked, and both are told after the same time; what differs is the noise of the machine.
        assertThat(open).allMatch(millis -> millis >= 500);
        assertThat(shut).allMatch(millis -> millis >= 500);
        if (EXACT) {
            assertThat(Math.abs(median(open) - median(shut))).isLessThan(150);
        }
        assertThat(connects()).isFalse();
    }

    private Answer ask(String url) {
        return client.call("GET", "/oembed/1.0/proxy", Query.of("url", url))
                .as(contributor)
                .send();
    }

    private long millis(String url) {
        long start = time.nanoTime();
        ask(url);
        return Duration.ofNanos(time.nanoTime() - start).toMillis();
    }

    private static long median(List<Long> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private boolean connects() throws IOException {
        try {
            canary.accept().close();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }
}
