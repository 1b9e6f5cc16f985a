package io.github.ratelimit.content.cms.oembed;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.AtOnce;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The proxy of the real server never reaches what is not public, and tells nobody what is open there. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProxyTest {

    private static final List<String> HOSTS = List.of("""
            127.0.0.1 2130706433 169.254.169.254 [::1] [::ffff:127.0.0.1] [0000::0001] user@127.0.0.1
            localhost LOCALHOST localhost. localhost.localdomain ip6-localhost nowhere.invalid""".split("\\s+"));

    /** More than the other tests ask of any host. */
    private static final int OF_A_HOST = 10;

    @AutoClose
    private final ReferenceServer server =
            ReferenceServer.start(Database.H2, "--ratelimit.limiters.oembed-proxy.rules.host.permits=" + OF_A_HOST);

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
        // The usual ports are allowed; there the address alone keeps the fetch away.
        for (String port : List.of(":" + canary.getLocalPort(), "")) {
            assertThat(AtOnce.run(HOSTS.size(), i -> ask("http://" + HOSTS.get(i) + port + "/")))
                    .allSatisfy(answer -> {
                        assertThat(answer.status()).isEqualTo(404);
                        assertThat(answer.code()).isEqualTo("oembed_invalid_url");
                    });
        }
        assertThat(connects()).isFalse();
    }

    @Test
    void anOpenPortLooksLikeAClosedOne() throws IOException {
        int closed;
        try (ServerSocket probe = new ServerSocket(0)) {
            closed = probe.getLocalPort();
        }
        Answer fromOpen = ask("http://127.0.0.1:" + canary.getLocalPort() + "/");
        Answer fromShut = ask("http://127.0.0.1:" + closed + "/");

        assertThat(fromOpen.status()).isEqualTo(fromShut.status());
        assertThat(fromOpen.bytes()).isEqualTo(fromShut.bytes());
        assertThat(connects()).isFalse();
    }

    @Test
    void aHostIsAskedOnlySoOften() throws Exception {
        assertThat(AtOnce.run(OF_A_HOST, i -> ask("http://often.invalid/" + i).status()))
                .containsOnly(404);

        Answer rejected = ask("http://often.invalid/once-more");
        assertThat(rejected.status()).isEqualTo(429);
        assertThat(rejected.code()).isEqualTo("rest_too_many_requests");
        assertThat(rejected.header("Retry-After").orElse("")).matches("[1-9][0-9]*");
        assertThat(ask("http://another.invalid/").status()).isEqualTo(404);
    }

    private Answer ask(String url) {
        return client.as("contributor").get("/oembed/1.0/proxy?url=" + url);
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
