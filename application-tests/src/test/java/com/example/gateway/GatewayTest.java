package com.example.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.example.Browser;
import com.example.Start;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import redis.embedded.RedisServer;

/** A gateway with routes that ask limiters by their names, on Redis. */
class GatewayTest {

    private static final List<ConfigurableApplicationContext> GATEWAYS = new ArrayList<>();

    private static RedisServer redis;
    private static HttpServer service;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException {
        redis = redis();
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/service/hello", exchange -> {
            exchange.sendResponseHeaders(200, 5);
            exchange.getResponseBody().write("hello".getBytes(US_ASCII));
            exchange.close();
        });
        service.start();
        browser = gateway(redis);
    }

    /** Closed at the end alone: the first one that closes ends the threads of all. */
    @AfterAll
    static void stop() {
        GATEWAYS.forEach(ConfigurableApplicationContext::close);
        service.stop(0);
        redis.stop();
    }

    private static RedisServer redis() throws IOException {
        RedisServer made = RedisServer.builder()
                .port(freePort())
                .bind("127.0.0.1")
                .setting("save \"\"")
                .build();
        made.start();
        return made;
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    private static Browser gateway(RedisServer redis, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--service=http://127.0.0.1:" + service.getAddress().getPort());
        all.add("--ratelimit.redis.uri=redis://127.0.0.1:" + redis.ports().get(0));
        ConfigurableApplicationContext gateway = Start.of(GatewayApplication.class, all.toArray(String[]::new));
        GATEWAYS.add(gateway);
        return Browser.of(gateway);
    }

    private static String field(HttpResponse<?> response, String name) {
        return String.join(",", response.headers().allValues(name));
    }

    @Test
    void limitersOfARouteUseTheirOwnKeys() {
        for (String agent : new String[] {"ann", "bob"}) {
            for (int remaining = 1; remaining >= 0; remaining--) {
                HttpResponse<String> allowed = browser.get("/orders/hello", "User-Agent", agent);
                assertThat(allowed.statusCode()).isEqualTo(200);
                assertThat(allowed.body()).isEqualTo("hello");
                assertThat(field(allowed, "X-RateLimit-Limit")).isEqualTo("2");
                assertThat(field(allowed, "X-RateLimit-Remaining")).isEqualTo("" + remaining);
            }
        }
        HttpResponse<String> rejected = browser.get("/orders/hello", "User-Agent", "ann");
        assertThat(rejected.statusCode()).isEqualTo(429);
        assertThat(rejected.body()).isNotEmpty();
        assertThat(field(rejected, "X-RateLimit-Remaining")).isEqualTo("0");
        assertThat(Integer.parseInt(field(rejected, "Retry-After"))).isBetween(1, 3600);
    }

    @Test
    void keyResolverOfTheRouteCountsIfTheLimiterNamesIt() {
        for (String tenant : new String[] {"one", "two"}) {
            assertThat(browser.statuses(3, "/search/hello", "X-Tenant", tenant)).containsExactly(200, 200, 429);
        }
        assertThat(browser.get("/search/hello").statusCode()).isEqualTo(403);
    }

    @Test
    void routeThatNamesNoLimiterIsNoOpenDoor() {
        assertThat(browser.get("/forgotten/hello").statusCode()).isEqualTo(500);
    }

    /** Spring Data Redis brings the gateway's own rate limiter, which is the default of such an application. */
    @Test
    void routeMayNameTheRateLimiter() {
        Browser client = gateway(redis, "--spring.cloud.gateway.server.webflux.redis.enabled=true");
        assertThat(client.statuses(3, "/named/hello", "User-Agent", "carol")).containsExactly(200, 200, 429);
        assertThat(client.get("/orders/hello").statusCode())
                .as("the default, as before: it wants a user")
                .isEqualTo(403);
    }

    @Test
    void switchedOffLimitsAllowEveryRequest() {
        assertThat(gateway(redis, "--ratelimit.enabled=false").statuses(5, "/orders/hello", "User-Agent", "eve"))
                .containsOnly(200);
    }

    @Test
    void policyDecidesOnceTheStoreIsKilled() throws IOException {
        RedisServer own = redis();
        try {
            Browser client = gateway(own);
            assertThat(client.get("/orders/hello").statusCode()).isEqualTo(200);
            own.stop();
            HttpResponse<String> rejected = client.get("/orders/hello");
            assertThat(rejected.statusCode()).isEqualTo(503);
            assertThat(field(rejected, "Retry-After")).isNotEmpty();
            assertThat(client.statuses(5, "/search/hello", "X-Tenant", "three")).containsOnly(200);
        } finally {
            own.stop();
        }
    }
}
