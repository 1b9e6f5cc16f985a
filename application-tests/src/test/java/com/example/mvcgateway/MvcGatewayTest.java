package com.example.mvcgateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.example.Browser;
import com.example.Start;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** A gateway on servlets, whose paths are limited before its routes. */
class MvcGatewayTest {

    private static final ByteArrayOutputStream CONSOLE = new ByteArrayOutputStream();

    private static HttpServer service;
    private static ConfigurableApplicationContext gateway;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/service/hello", exchange -> {
            exchange.getResponseHeaders().add("X-RateLimit-Remaining", "70");
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
        PrintStream console = System.out;
        System.setOut(new PrintStream(CONSOLE, true, US_ASCII));
        try {
            gateway = Start.of(
                    MvcGatewayApplication.class,
                    "--service=http://127.0.0.1:" + service.getAddress().getPort());
        } finally {
            System.setOut(console);
        }
        browser = Browser.of(gateway);
    }

    @AfterAll
    static void stop() {
        gateway.close();
        service.stop(0);
    }

    private static String field(HttpResponse<?> response, String name) {
        return String.join(",", response.headers().allValues(name));
    }

    @Test
    void pathsAreLimitedBeforeRoutes() {
        for (String remaining : new String[] {"1", "0"}) {
            HttpResponse<String> allowed = browser.get("/orders/hello", "User-Agent", "ann");
            assertThat(allowed.statusCode()).isEqualTo(200);
            assertThat(allowed.body()).isEqualTo("hello");
            assertThat(field(allowed, "X-RateLimit-Remaining"))
                    .as("the gateway's own")
                    .isEqualTo(remaining);
        }
        HttpResponse<String> rejected = browser.get("/orders/hello", "User-Agent", "ann");
        assertThat(rejected.statusCode()).isEqualTo(429);
        assertThat(Integer.parseInt(field(rejected, "Retry-After"))).isBetween(1, 3600);
    }

    @Test
    void tableAndEndpointListRoutes() {
        assertThat(CONSOLE.toString(US_ASCII))
                .contains("at any /orders/** route orders", "at GET /search/** route search")
                .doesNotContain("(no controller)");
        assertThat(browser.get("/actuator/ratelimits/orders").body())
                .contains("\"paths\":[\"/orders/**\"]", "\"handler\":\"route orders\"");
    }

    @Test
    void rejectionOfTheServiceKeepsItsOwnFields() {
        HttpResponse<String> rejected = browser.get("/orders/busy", "User-Agent", "bob");
        assertThat(rejected.statusCode()).isEqualTo(429);
        assertThat(field(rejected, "Retry-After")).isEqualTo("59");
        assertThat(field(rejected, "X-RateLimit-Remaining")).isEqualTo("0");
    }
}
