package io.github.ratelimit.spring.client;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpKeys;
import io.github.ratelimit.http.client.OutgoingCall;
import io.github.ratelimit.http.client.OutgoingLimit;
import io.github.ratelimit.http.client.OutgoingRejectedException;
import io.github.ratelimit.test.TestClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/** Calls to another server, with each of Spring's clients and a real server. */
@Timeout(60) // what waits is woken by the clock; where it is not, the test is to fail and not to hang
class OutgoingClientsTest {

    /** Each sends one GET and answers with its status. */
    @FunctionalInterface
    interface Sender {
        int send(URI uri) throws Exception;
    }

    enum Client {
        REST_CLIENT,
        REST_TEMPLATE,
        WEB_CLIENT;

        Sender sender(OutgoingLimit limit) {
            return switch (this) {
                case REST_CLIENT -> restClient(limit);
                case REST_TEMPLATE -> restTemplate(limit);
                case WEB_CLIENT -> webClient(limit);
            };
        }

        private static Sender restClient(OutgoingLimit limit) {
            RestClient client = RestClient.builder()
                    .requestInterceptor(new OutgoingInterceptor(limit))
                    .defaultStatusHandler(status -> true, (request, response) -> {})
                    .build();
            return uri -> client.get()
                    .uri(uri)
                    .retrieve()
                    .toBodilessEntity()
                    .getStatusCode()
                    .value();
        }

        private static Sender restTemplate(OutgoingLimit limit) {
            RestTemplate client = new RestTemplate();
            client.getInterceptors().add(new OutgoingInterceptor(limit));
            client.setErrorHandler(response -> false);
            return uri -> client.getForEntity(uri, String.class).getStatusCode().value();
        }

        private static Sender webClient(OutgoingLimit limit) {
            WebClient client =
                    WebClient.builder().filter(new OutgoingFilter(limit)).build();
            return uri -> requireNonNull(client.get()
                    .uri(uri)
                    .exchangeToMono(response -> response.releaseBody()
                            .thenReturn(response.statusCode().value()))
                    .block());
        }
    }

    private final TestClock clock = new TestClock();
    private final AtomicInteger served = new AtomicInteger();
    private volatile int status = 200;
    private volatile Map<String, String> fields = Map.of();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            served.incrementAndGet();
            fields.forEach(exchange.getResponseHeaders()::set);
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.setExecutor(Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        }));
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private URI uri(String host) {
        return URI.create(
                "http://%s:%d/things".formatted(host, server.getAddress().getPort()));
    }

    private URI uri() {
        return uri("127.0.0.1");
    }

    private OutgoingLimit limit(long permits, Duration maxWait) {
        Limiter<HttpCall> limiter = Limiter.of(
                LimiterSpec.of("api", Limit.of(permits, Duration.ofMinutes(1)), HttpKeys.attribute("host")),
                InProcessStore.create(clock));
        return OutgoingLimit.builder(limiter)
                .maxWait(maxWait)
                .maxClosed(Duration.ofMinutes(2))
                .time(clock)
                .build();
    }

    /** Sends on another thread, and comes back when the call waits. */
    private CompletableFuture<Integer> sendingLater(Sender sender) {
        CompletableFuture<Integer> sent = CompletableFuture.supplyAsync(() -> {
            try {
                return sender.send(uri());
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        while (clock.waiting() == 0 && !sent.isDone() && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
        assertThat(sent).isNotDone();
        return sent;
    }

    @ParameterizedTest
    @EnumSource
    void callWaitsForItsPermit(Client client) throws Exception {
        Sender sender = client.sender(limit(1, Duration.ofMinutes(1)));
        assertThat(sender.send(uri())).isEqualTo(200);

        CompletableFuture<Integer> second = sendingLater(sender);
        assertThat(served).hasValue(1);
        clock.advance(Duration.ofMinutes(1));
        assertThat(second.join()).isEqualTo(200);
        assertThat(served).hasValue(2);
    }

    @ParameterizedTest
    @EnumSource
    void callCostsAnEstimateUntilItsAnswerTellsTheRealCost(Client client) throws Exception {
        Limiter<HttpCall> limiter = Limiter.of(
                LimiterSpec.of("tokens", Limit.of(1_000, Duration.ofMinutes(1)), HttpKeys.attribute("host")),
                InProcessStore.create(clock));
        Sender sender = client.sender(OutgoingLimit.builder(limiter)
                .cost(call -> 70)
                .settle((code, answer) -> Long.valueOf(requireNonNull(answer.apply("X-Tokens"))))
                .time(clock)
                .build());
        OutgoingCall any = new OutgoingCall("GET", uri(), name -> List.of());
        sender.send(uri());
        assertThat(limiter.look(any).statuses().get(0).remaining())
                .as("the answer does not say it")
                .isEqualTo(930);
        fields = Map.of("X-Tokens", "100");
        sender.send(uri());
        assertThat(limiter.look(any).statuses().get(0).remaining()).isEqualTo(830);
    }

    @ParameterizedTest
    @EnumSource
    void callThatWouldWaitForTooLongIsNotMade(Client client) throws Exception {
        Sender sender = client.sender(limit(1, Duration.ofSeconds(59)));
        sender.send(uri());

        assertThatThrownBy(() -> sender.send(uri()))
                .satisfies(thrown -> assertThat(rejected(thrown))
                        .hasMessage("limiter 'api' has no permit for a call to 127.0.0.1:%d within 59s"
                                .formatted(server.getAddress().getPort()))
                        .satisfies(rejected -> assertThat(rejected.retryAfter()).contains(Duration.ofMinutes(1))));
        assertThat(served).hasValue(1);
    }

    private static OutgoingRejectedException rejected(Throwable thrown) {
        Throwable at = thrown;
        while (at.getCause() != null && !(at instanceof OutgoingRejectedException)) {
            at = at.getCause();
        }
        assertThat(at).isInstanceOf(OutgoingRejectedException.class);
        return (OutgoingRejectedException) at;
    }

    private final Limiter<HttpCall> two = Limiter.of(
            LimiterSpec.of("jobs", Limit.concurrent("jobs", 2, Duration.ofMinutes(1)), HttpKeys.attribute("host")),
            InProcessStore.create(clock));

    private OutgoingLimit twoAtATime() {
        return OutgoingLimit.builder(two).time(clock).build();
    }

    private long free() {
        return two.look(new OutgoingCall("GET", uri(), name -> List.of()))
                .statuses()
                .get(0)
                .remaining();
    }

    /** The server's thread and the client's end a call at slightly different moments. */
    private void awaitFree(long expected) {
        while (free() != expected && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
        assertThat(free()).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource
    void callsThatHaveEndedHoldNoPermit(Client client) throws Exception {
        Sender sender = client.sender(twoAtATime());
        for (int i = 0; i < 5; i++) {
            assertThat(sender.send(uri())).isEqualTo(200);
            awaitFree(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void callsThatFailHoldNoPermit(Client client) {
        Sender sender = client.sender(twoAtATime());
        server.stop(0);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> sender.send(uri()))
                    .satisfies(thrown -> assertThat(thrown).isNotInstanceOf(OutgoingRejectedException.class));
            awaitFree(2);
        }
    }

    /** A server that sends a part of a body, and the rest when it is told to. */
    private URI halfABody(CountDownLatch rest) {
        server.createContext("/half", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(new byte[10_000]);
            exchange.getResponseBody().flush();
            try {
                rest.await();
                exchange.getResponseBody().write(new byte[10_000]);
                exchange.close();
            } catch (InterruptedException | IOException e) {
                Thread.currentThread().interrupt();
            }
        });
        return uri().resolve("/half");
    }

    @Test
    void permitOfARestClientIsHeldUntilTheAnswerIsClosed() throws Exception {
        CountDownLatch rest = new CountDownLatch(1);
        RestClient client = RestClient.builder()
                .requestInterceptor(new OutgoingInterceptor(twoAtATime()))
                .build();
        ClientHttpResponse answer = client.get().uri(halfABody(rest)).exchange((request, response) -> response, false);
        clock.advance(Duration.ofHours(1));
        assertThat(free()).isEqualTo(1);
        assertThat(answer.getStatusText()).isEqualTo("OK");
        rest.countDown();
        assertThat(answer.getBody().readAllBytes()).hasSize(20_000);
        answer.close();
        assertThat(free()).isEqualTo(2);
    }

    @Test
    void permitOfAWebClientIsHeldUntilTheBodyEnds() {
        CountDownLatch rest = new CountDownLatch(1);
        WebClient client =
                WebClient.builder().filter(new OutgoingFilter(twoAtATime())).build();
        Flux<DataBuffer> body = client.get().uri(halfABody(rest)).retrieve().bodyToFlux(DataBuffer.class);
        AtomicLong size = new AtomicLong();
        CompletableFuture<?> read = body.doOnNext(buffer -> {
                    size.addAndGet(buffer.readableByteCount());
                    DataBufferUtils.release(buffer);
                })
                .then()
                .toFuture();
        while (size.get() == 0) {
            Thread.onSpinWait();
        }
        clock.advance(Duration.ofHours(1));
        assertThat(free()).isEqualTo(1);
        rest.countDown();
        read.join();
        assertThat(size).hasValue(20_000);
        awaitFree(2);
    }

    @Test
    void permitOfAWebClientComesBackIfTheBodyIsCancelledOrReleased() {
        CountDownLatch rest = new CountDownLatch(1);
        WebClient client =
                WebClient.builder().filter(new OutgoingFilter(twoAtATime())).build();
        WebClient.RequestHeadersSpec<?> request = client.get().uri(halfABody(rest));
        request.retrieve()
                .bodyToFlux(DataBuffer.class)
                .doOnNext(DataBufferUtils::release)
                .blockFirst(); // and cancels
        awaitFree(2);
        Disposable waiting = request.retrieve().toBodilessEntity().subscribe();
        awaitFree(1);
        waiting.dispose();
        awaitFree(2);
        rest.countDown();
        assertThat(request.exchangeToMono(ClientResponse::releaseBody).blockOptional())
                .isEmpty();
        awaitFree(2);
    }

    @ParameterizedTest
    @EnumSource
    void serverThatAsksForAWaitIsNotCalledUntilThen(Client client) throws Exception {
        Sender sender = client.sender(limit(100, Duration.ofSeconds(30)));
        status = 429;
        fields = Map.of("Retry-After", "30");
        assertThat(sender.send(uri())).as("the answer is the caller's").isEqualTo(429);

        status = 200;
        fields = Map.of();
        CompletableFuture<Integer> next = sendingLater(sender);
        assertThat(sender.send(uri("localhost"))).as("another server").isEqualTo(200);
        assertThat(served).hasValue(2);
        clock.advance(Duration.ofSeconds(30));
        assertThat(next.join()).isEqualTo(200);
        assertThat(served).hasValue(3);
    }
}
