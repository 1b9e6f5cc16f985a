package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.client.OutgoingLimit;
import io.github.ratelimit.http.client.OutgoingRejectedException;
import io.github.ratelimit.spring.client.OutgoingInterceptor;
import io.github.ratelimit.test.TestClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;

/** Calls to another server, by a limiter of properties. */
class OutgoingCallsTest {

    @Configuration(proxyBeanMethods = false)
    static class Application {
        // region outgoing
        @Bean
        OutgoingLimit github(Limiters<HttpCall> limiters, Store store) {
            return OutgoingLimit.builder(limiters.get("github"))
                    .maxWait(Duration.ofSeconds(5))
                    .time(store.time())
                    .build();
        }

        @Bean
        RestClient githubClient(OutgoingLimit github) {
            return RestClient.builder()
                    .requestInterceptor(new OutgoingInterceptor(github))
                    .build();
        }
        // endregion
    }

    @Test
    void limiterOfPropertiesLimitsCallsOfAnApplication() throws IOException {
        AtomicInteger served = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            served.incrementAndGet();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        String path = ":" + server.getAddress().getPort() + "/";
        try {
            new ApplicationContextRunner()
                    .withConfiguration(Ours.autoConfigurations())
                    .withUserConfiguration(Application.class)
                    .withBean(TimeSource.class, TestClock::new)
                    .withPropertyValues(
                            "ratelimit.limiters.github.permits=1",
                            "ratelimit.limiters.github.window=1h",
                            "ratelimit.limiters.github.key=attribute:host")
                    .run(context -> {
                        RestClient client = context.getBean(RestClient.class);
                        get(client, "http://127.0.0.1" + path);
                        assertThatThrownBy(() -> get(client, "http://127.0.0.1" + path))
                                .isInstanceOf(OutgoingRejectedException.class);
                        get(client, "http://localhost" + path);
                        assertThat(served).hasValue(2);
                    });
        } finally {
            server.stop(0);
        }
    }

    private static void get(RestClient client, String uri) {
        client.get().uri(uri).retrieve().toBodilessEntity();
    }
}
