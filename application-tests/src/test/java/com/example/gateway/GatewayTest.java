package com.example.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.example.Browser;
import com.example.Start;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.cloud.gateway.event.RefreshRoutesEvent;
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
        service.createContext("/service/busy", exchange -> {
            exchange.getResponseHeaders().add("Retry-After", "59");
            exchange.getResponseHeaders().add("X-RateLimit-Remaining", "0");
            exchange.sendResponseHeaders(429, -1);
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
    void routeWithoutAKnownLimiterStopsTheStart() {
        String route = "--spring.cloud.gateway.server.webflux.routes[0].";
        List<String> named =
                List.of(route + "id=shop", route + "uri=http://127.0.0.1:1", route + "predicates=Path=/**");
        String filter = route + "filters[0].";
        assertThatThrownBy(() -> gateway(redis, with(named, filter + "name=RequestRateLimiter")))
                .rootCause()
                .hasMessageStartingWith("route 'shop': the filter RequestRateLimiter names no limiter; known: orders,");
        assertThatThrownBy(() -> gateway(
                        redis,
                        with(named, filter + "name=RequestRateLimiter", filter + "args.ratelimit.limiter=ordres")))
                .rootCause()
                .hasMessageStartingWith("route 'shop': no such limiter: 'ordres'; known: orders,");
    }

    private static String[] with(List<String> first, String... then) {
        return Stream.concat(first.stream(), Stream.of(then)).toArray(String[]::new);
    }

    @Test
    void limitersOfSeveralFiltersAreOneDecision() {
        assertThat(browser.statuses(3, "/twice/hello", "User-Agent", "ann", "X-Tenant", "both"))
                .containsExactly(200, 200, 429);
        assertThat(browser.statuses(3, "/twice/hello", "User-Agent", "bob", "X-Tenant", "both"))
                .as("what one limiter rejected, the other one did not count")
                .containsExactly(200, 200, 429);
        assertThat(browser.statuses(1, "/twice/hello", "User-Agent", "carol", "X-Tenant", "both"))
                .containsExactly(429);
    }

    @Test
    void defaultFilterHoldsBesideThoseOfARoute() {
        String gateway = "--spring.cloud.gateway.server.webflux.";
        String route = gateway + "routes[0].";
        String filter = gateway + "default-filters[0].";
        List<String> shop = List.of(
                filter + "name=RequestRateLimiter",
                filter + "args.ratelimit.limiter=large",
                route + "id=shop",
                route + "uri=${service}",
                route + "predicates=Path=/service/**",
                route + "filters[0].name=RequestRateLimiter",
                route + "filters[0].args.ratelimit.limiter=small");
        Browser client = gateway(redis, with(shop));
        for (String agent : new String[] {"dan", "eva"}) {
            assertThat(client.statuses(2, "/service/hello", "User-Agent", agent, "X-Tenant", "default"))
                    .containsExactly(200, 200);
        }
        assertThat(client.statuses(1, "/service/hello", "User-Agent", "fay", "X-Tenant", "default"))
                .containsExactly(429);
        assertThat(client.statuses(3, "/service/hello", "User-Agent", "gus", "X-Tenant", "other"))
                .containsExactly(200, 200, 429);

        assertThatThrownBy(() -> gateway(redis, with(shop, route + "filters[0].args.key-resolver=#{@tenant}")))
                .rootCause()
                .hasMessageStartingWith("route 'shop': several filters RequestRateLimiter");
    }

    @Test
    void refreshOfRoutesChangesNothing() {
        GATEWAYS.get(0).publishEvent(new RefreshRoutesEvent(this));
        assertThat(browser.statuses(3, "/twice/hello", "User-Agent", "gil", "X-Tenant", "refresh"))
                .containsExactly(200, 200, 429);
    }

    @Test
    void endpointAndTableListRoutes() {
        assertThat(browser.get("/actuator/ratelimits/large").body())
                .contains("\"paths\":[\"/twice/**\",\"/again/**\"]", "\"handler\":\"route twice\"");
        assertThat(browser.get("/actuator/ratelimits/before").body())
                .contains("\"paths\":[\"/orders/**\"]", "\"handler\":\"route orders\"");
        PrintStream console = System.out;
        ByteArrayOutputStream seen = new ByteArrayOutputStream();
        System.setOut(new PrintStream(seen, true, US_ASCII));
        try {
            gateway(redis);
        } finally {
            System.setOut(console);
        }
        assertThat(seen.toString(US_ASCII))
                .contains("at any /orders/** route orders", "at any /twice/**, /again/** route twice")
                .doesNotContain("(no controller)");
    }

    @Test
    void routeInCodeIsLimitedAndListed() {
        PrintStream console = System.out;
        ByteArrayOutputStream seen = new ByteArrayOutputStream();
        System.setOut(new PrintStream(seen, true, US_ASCII));
        Browser client;
        try {
            client = gateway(redis, "--routes-in-code=orders");
        } finally {
            System.setOut(console);
        }
        assertThat(client.statuses(3, "/coded/hello", "User-Agent", "ida")).containsExactly(200, 200, 429);
        GATEWAYS.get(GATEWAYS.size() - 1).publishEvent(new RefreshRoutesEvent(this));
        assertThat(client.statuses(3, "/coded/hello", "User-Agent", "jon")).containsExactly(200, 200, 429);
        assertThat(client.get("/actuator/ratelimits/orders").body()).contains("\"handler\":\"route coded\"");
        assertThat(seen.toString(US_ASCII))
                .as("the path of such a route is not known")
                .contains("at any /** route coded");
        assertThatThrownBy(() -> gateway(redis, "--routes-in-code=ordres"))
                .rootCause()
                .hasMessageStartingWith("route 'coded': no such limiter: 'ordres'; known: orders,");
    }

    @Test
    void rejectionOfTheServiceKeepsItsOwnFields() {
        HttpResponse<String> rejected = browser.get("/orders/busy", "User-Agent", "hal");
        assertThat(rejected.statusCode()).isEqualTo(429);
        assertThat(field(rejected, "Retry-After")).isEqualTo("59");
        assertThat(field(rejected, "X-RateLimit-Remaining")).isEqualTo("0");
        assertThat(field(rejected, "X-RateLimit-Limit")).isEmpty();
        assertThat(field(rejected, "X-RateLimit-Reset")).isEmpty();
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
