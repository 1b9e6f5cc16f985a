package io.github.ratelimit.spring.autoconfigure;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.autoconfigure.MethodLimitsTest.RemoteStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

/** WebFlux answers every request of connections that stay open, from its first one on. */
class KeepAliveTest {

    private static final int REQUESTS = 4_000;

    /** Whatever thread the store answers on. */
    @Test
    void requestStaysOnTheEventLoopOfItsConnection() throws Exception {
        try (RunningApplication application = RunningApplication.of(Application.class, Feed.class, Items.class)
                .reactive()
                .servingOnly()
                .bean(Store.class, new RemoteStore(TimeSource.system()))
                .limiter("path", 10)
                .property("ratelimit.limiters.path.paths", "/threads")
                .limiter("feed", 10)
                .start()) {
            String[] threads =
                    RawHttp.get(application.base(), "/threads").body().split(" ");
            assertThat(threads[0]).startsWith("reactor-http-");
            assertThat(threads).containsOnly(threads[0]);
        }
    }

    /** Reactor Netty stopped reading connections where answers came now from their own thread and now from another one. */
    @ParameterizedTest
    @EnabledIfSystemProperty(named = "full", matches = "true")
    @CsvSource({"in-process, 1", "in-process, 4", "redis, 1", "redis, 4"})
    void everyRequestOfAConnectionThatStaysOpenIsAnswered(String store, int connections) throws Exception {
        try (RedisProcess redis = RedisProcess.start()) {
            Process server = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            KeepAliveTest.class.getName(),
                            store,
                            redis.uri())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (BufferedReader said = server.inputReader()) {
                assertThat(answered(Integer.parseInt(said.readLine()), connections))
                        .isEqualTo(connections * REQUESTS);
            } finally {
                server.destroyForcibly();
            }
        }
    }

    private static int answered(int port, int connections) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(connections);
        try {
            List<Future<Integer>> counts = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                counts.add(clients.submit(() -> client(port)));
            }
            int sum = 0;
            for (Future<Integer> count : counts) {
                sum += count.get();
            }
            return sum;
        } finally {
            clients.shutdownNow();
        }
    }

    /** Sends requests one after the other, each when the one before it is answered; on a new connection where one is not. */
    private static int client(int port) throws IOException {
        int answered = 0;
        Socket socket = connect(port);
        try {
            for (int i = 0; i < REQUESTS; i++) {
                try {
                    request(socket);
                    answered++;
                } catch (SocketTimeoutException e) {
                    socket.close();
                    socket = connect(port);
                }
            }
        } finally {
            socket.close();
        }
        return answered;
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(5_000);
        return socket;
    }

    private static void request(Socket socket) throws IOException {
        socket.getOutputStream().write("GET /feed HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
        StringBuilder answer = new StringBuilder();
        InputStream in = socket.getInputStream();
        byte[] read = new byte[4_096];
        while (answer.indexOf("\r\n\r\nfeed") < 0) {
            int length = in.read(read);
            if (length < 0) {
                throw new IOException("closed after: " + answer);
            }
            answer.append(new String(read, 0, length, US_ASCII));
        }
    }

    /**
     * Serves in a process of its own, as a server that has served before does not show it.
     *
     * @param arguments the store, and the address of Redis
     */
    public static void main(String[] arguments) throws Exception {
        try (RunningApplication application = RunningApplication.of(Application.class, Feed.class, Items.class)
                .reactive()
                .property("ratelimit.store", arguments[0])
                .property("ratelimit.redis.uri", arguments[1])
                .limiter("feed", 1_000_000)
                .start()) {
            System.out.println(application.base().getPort());
            System.in.read();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        /** The first of all, to see what thread the others are called on. */
        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        WebFilter arrival() {
            return (exchange, chain) -> {
                exchange.getAttributes().put("arrival", Thread.currentThread().getName());
                return chain.filter(exchange);
            };
        }
    }

    @RestController
    static class Feed {

        private final Items items;

        Feed(Items items) {
            this.items = items;
        }

        @GetMapping("/feed")
        @RateLimit("feed")
        Mono<String> feed() {
            return items.feed().thenReturn("feed");
        }

        @GetMapping("/threads")
        @RateLimit("feed")
        Mono<String> threads(@RequestAttribute String arrival) {
            String here = Thread.currentThread().getName();
            return items.feed().map(behind -> String.join(" ", arrival, here, behind));
        }
    }

    @Component
    static class Items {

        @RateLimit(permits = 1_000_000, window = "1h", key = "everybody")
        public Mono<String> feed() {
            return Mono.fromSupplier(() -> Thread.currentThread().getName());
        }
    }
}
