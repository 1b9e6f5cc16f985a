package io.github.ratelimit.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Hold;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpKeys;
import io.github.ratelimit.test.TestClock;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls to another server, with the JDK's client and a real server. */
@Timeout(60) // what waits is woken by the clock; where it is not, the test is to fail and not to hang
class OutgoingLimitTest {

    /** Each sends one GET and answers with its status. */
    @FunctionalInterface
    interface Sender {
        int send(URI uri) throws Exception;
    }

    enum Client {
        SYNC,
        ASYNC;

        Sender sender(OutgoingLimit limit) {
            LimitedHttpClient client = new LimitedHttpClient(HttpClient.newHttpClient(), limit);
            return uri -> {
                HttpRequest request = HttpRequest.newBuilder(uri).build();
                return this == ASYNC
                        ? client.sendAsync(request, BodyHandlers.discarding())
                                .join()
                                .statusCode()
                        : client.send(request, BodyHandlers.discarding()).statusCode();
            };
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

    @Test
    void longWaitIsToldAtOnceAndNoServerKeepsItsCallersSilentForLongerThanTheBound() throws Exception {
        Sender sender = Client.SYNC.sender(limit(100, Duration.ofSeconds(30)));
        status = 503;
        fields = Map.of("Retry-After", "86400");
        assertThat(sender.send(uri())).isEqualTo(503);

        assertThatThrownBy(() -> sender.send(uri()))
                .isInstanceOf(OutgoingRejectedException.class)
                .hasMessage("127.0.0.1:%d asked not to be called for another 2m, and a call waits for 30s at most"
                        .formatted(server.getAddress().getPort()));
        clock.advance(Duration.ofMinutes(2));
        assertThat(sender.send(uri())).isEqualTo(503);
        assertThat(served).hasValue(2);
    }

    @Test
    void serverThatHasNothingLeftIsNotCalledUntilItsReset() throws Exception {
        Sender sender = Client.SYNC.sender(limit(100, Duration.ZERO));
        fields = Map.of("RateLimit", "\"burst\";r=0;t=10");
        assertThat(sender.send(uri())).isEqualTo(200);

        assertThatThrownBy(() -> sender.send(uri())).isInstanceOf(OutgoingRejectedException.class);
        clock.advance(Duration.ofSeconds(10));
        assertThat(sender.send(uri())).isEqualTo(200);
    }

    /** Else calls that waited for permits would all go out to a server that has just asked not to be called. */
    @Test
    void permitThatComesWhileTheServerAsksForAWaitIsGivenBack() {
        OutgoingLimit limit = limit(1, Duration.ofMinutes(10));
        OutgoingCall call = new OutgoingCall("GET", uri(), name -> List.of());
        assertThat(limit.enterAsync(call).toCompletableFuture()).isCompleted();
        CompletableFuture<Decision> second = limit.enterAsync(call).toCompletableFuture();

        limit.answered(call, 429, Map.of("Retry-After", "90")::get);
        clock.advance(Duration.ofMinutes(1));
        while (clock.waiting() == 0
                && !second.isDone()
                && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait(); // until it waits for the server instead
        }
        assertThat(second).isNotDone();
        clock.advance(Duration.ofSeconds(30));
        second.join();
    }

    @Test
    void callIsSettledByItsRealCost() throws Exception {
        Limiter<HttpCall> tokens = Limiter.of("tokens", Limit.of(10, Duration.ofMinutes(1)), KeyResolver.everybody());
        OutgoingLimit limit = OutgoingLimit.builder(tokens).build();
        OutgoingCall call = new OutgoingCall("POST", uri(), name -> List.of());
        tokens.settle(limit.enter(call), 7).join();
        assertThat(tokens.look(call).statuses().get(0).remaining()).isEqualTo(3);
    }

    private static LimiterSpec<HttpCall> tokens(long permits) {
        return LimiterSpec.of("tokens", Limit.of(permits, Duration.ofMinutes(1)), KeyResolver.everybody());
    }

    private static long remaining(Limiter<HttpCall> limiter) {
        OutgoingCall any = new OutgoingCall("GET", URI.create("http://any"), name -> List.of());
        return limiter.look(any).statuses().get(0).remaining();
    }

    /** The estimate is the call's, the real cost its answer's. */
    @ParameterizedTest
    @EnumSource
    void callCostsAnEstimateUntilItsAnswerTellsTheRealCost(Client client) throws Exception {
        Limiter<HttpCall> limiter = Limiter.of(tokens(1_000), InProcessStore.create(clock));
        Sender sender = client.sender(OutgoingLimit.builder(limiter)
                .cost(call -> call.path().length() * 10L) // of /things
                .settle((code, answer) -> {
                    String used = answer.apply("X-Tokens");
                    return code >= 500 ? Long.valueOf(0) : used == null ? null : Long.valueOf(used);
                })
                .time(clock)
                .build());

        sender.send(uri());
        assertThat(remaining(limiter)).as("the answer does not say it").isEqualTo(930);
        fields = Map.of("X-Tokens", "100");
        sender.send(uri());
        assertThat(remaining(limiter)).isEqualTo(830);
        status = 503;
        sender.send(uri());
        assertThat(remaining(limiter)).isEqualTo(830);
        status = 200;
        fields = Map.of("X-Tokens", "many");
        assertThat(sender.send(uri())).as("what cannot be read fails no call").isEqualTo(200);
        assertThat(remaining(limiter)).isEqualTo(760);
        fields = Map.of("X-Tokens", "2000");
        sender.send(uri());
        assertThat(remaining(limiter)).isZero();
        assertThatThrownBy(() -> sender.send(uri()))
                .satisfiesAnyOf(
                        thrown -> assertThat(thrown).isInstanceOf(OutgoingRejectedException.class),
                        thrown -> assertThat(thrown).hasCauseInstanceOf(OutgoingRejectedException.class));
    }

    @Test
    void settlementBehindARedirectIsThatOfTheCall() throws Exception {
        server.createContext("/moved", exchange -> {
            exchange.getResponseHeaders().set("Location", uri("localhost").toString());
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
        Limiter<HttpCall> limiter = Limiter.of(tokens(100), InProcessStore.create(clock));
        OutgoingLimit limit = OutgoingLimit.builder(limiter)
                .settle((code, answer) -> 30L)
                .time(clock)
                .build();
        HttpClient following =
                HttpClient.newBuilder().followRedirects(Redirect.ALWAYS).build();
        new LimitedHttpClient(following, limit)
                .send(HttpRequest.newBuilder(uri().resolve("/moved")).build(), BodyHandlers.discarding());
        assertThat(remaining(limiter)).isEqualTo(70);
    }

    @Test
    void negativeCostFailsItsCallAlsoAfterAWait() {
        OutgoingLimit limit = OutgoingLimit.builder(Limiter.of(tokens(100), InProcessStore.create(clock)))
                .cost(call -> -1)
                .maxWait(Duration.ofMinutes(1))
                .time(clock)
                .build();
        OutgoingCall call = new OutgoingCall("GET", uri(), name -> List.of());
        assertThatThrownBy(() -> limit.enter(call)).isInstanceOf(IllegalArgumentException.class);

        limit.answered(call, 429, name -> name.equals("Retry-After") ? "30" : null);
        CompletableFuture<Decision> entry = limit.enterAsync(call).toCompletableFuture();
        clock.advance(Duration.ofSeconds(30));
        assertThat(entry).isCompletedExceptionally();
    }

    @Test
    void unionIsSettledByNoAnswer() {
        Limiters<HttpCall> limiters = Limiters.<HttpCall>builder(InProcessStore.create(clock))
                .add(tokens(10))
                .add(LimiterSpec.of("calls", Limit.of(10, Duration.ofMinutes(1)), KeyResolver.everybody()))
                .build();
        OutgoingLimit.Builder builder =
                OutgoingLimit.builder(limiters.of("tokens", "calls")).settle((code, answer) -> 1L);
        assertThatThrownBy(builder::build)
                .hasMessage("limiters 'tokens+calls' take costs of their own; settle the answers of one limiter");
    }

    @Test
    void cancelledCallTakesNothing() {
        OutgoingLimit limit = limit(1, Duration.ofMinutes(10));
        OutgoingCall call = new OutgoingCall("GET", uri(), name -> List.of());
        limit.enterAsync(call);
        CompletableFuture<Decision> cancelled = limit.enterAsync(call).toCompletableFuture();
        cancelled.cancel(false);

        clock.advance(Duration.ofMinutes(1));
        assertThat(limit.enterAsync(call).toCompletableFuture()).isCompleted();
    }

    @Test
    void cancelledAnswerIsNeverAskedFor() throws Exception {
        LimitedHttpClient client = new LimitedHttpClient(HttpClient.newHttpClient(), limit(1, Duration.ofMinutes(10)));
        HttpRequest request = HttpRequest.newBuilder(uri()).build();
        client.sendAsync(request, BodyHandlers.discarding()).join();
        CompletableFuture<?> gone = client.sendAsync(request, BodyHandlers.discarding());
        assertThat(gone.cancel(true)).isTrue();

        clock.advance(Duration.ofMinutes(1));
        client.send(request, BodyHandlers.discarding()); // its permit was not taken
        assertThat(served).hasValue(2);
    }

    /** The one that was called did nothing but send on. */
    @Test
    void waitThatAServerBehindARedirectAsksForIsThatServers() throws Exception {
        HttpServer sending = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        sending.createContext("/", exchange -> {
            exchange.getResponseHeaders().set("Location", uri().toString());
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
        sending.start();
        try {
            URI first = URI.create("http://127.0.0.1:" + sending.getAddress().getPort());
            LimitedHttpClient client = new LimitedHttpClient(
                    HttpClient.newBuilder().followRedirects(Redirect.ALWAYS).build(), limit(100, Duration.ZERO));
            status = 429;
            fields = Map.of("Retry-After", "30");
            assertThat(client.send(HttpRequest.newBuilder(first).build(), BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(429);

            status = 200;
            assertThatThrownBy(() -> client.send(HttpRequest.newBuilder(uri()).build(), BodyHandlers.discarding()))
                    .isInstanceOf(OutgoingRejectedException.class);
            assertThat(client.send(HttpRequest.newBuilder(first).build(), BodyHandlers.discarding())
                            .statusCode())
                    .as("nobody asked not to call the first one")
                    .isEqualTo(200);
        } finally {
            sending.stop(0);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "http://my_service:8080/a, my_service:8080, my_service",
        "http://My_Service/a, my_service:80, my_service",
        "https://ann:secret@api.example.com/, api.example.com:443, api.example.com",
        "https://api.example.com:/, api.example.com:443, api.example.com",
        "http://[::1]:8080/, [::1]:8080, [::1]",
        "http://[2001:db8::1]/, [2001:db8::1]:80, [2001:db8::1]"
    })
    void everyAddressThatAClientCallsNamesAServer(URI uri, String server, String host) {
        OutgoingCall call = new OutgoingCall("GET", uri, name -> List.of());
        assertThat(call.server()).isEqualTo(server);
        assertThat(call.attribute("host")).contains(host);
    }

    private Limiter<HttpCall> two() {
        return Limiter.of(
                LimiterSpec.of("jobs", Limit.concurrent("jobs", 2, Duration.ofMinutes(1)), HttpKeys.attribute("host")),
                InProcessStore.create(clock));
    }

    private long free(Limiter<HttpCall> limiter) {
        OutgoingCall call = new OutgoingCall("GET", uri(), name -> List.of());
        return limiter.look(call).statuses().get(0).remaining();
    }

    @Test
    void permitOfAConcurrencyLimitComesBackWithTheAnswer() throws Exception {
        OutgoingLimit limit = OutgoingLimit.builder(two()).time(clock).build();
        OutgoingCall call = new OutgoingCall("GET", uri(), name -> List.of());
        for (int i = 0; i < 5; i++) {
            limit.enter(call);
            limit.answered(call, 200, name -> null);
        }
    }

    /** The answer's status comes before its body. */
    @Test
    void permitThatAClientHoldsOutlivesItsLeaseAndStaysUntilTheClientClosesIt() throws Exception {
        Limiter<HttpCall> two = two();
        OutgoingLimit limit = OutgoingLimit.builder(two).time(clock).build();
        OutgoingCall call = new OutgoingCall("GET", uri(), name -> List.of());
        limit.enter(call);
        Hold hold = limit.hold(call);
        limit.answered(call, 200, name -> null);
        clock.advance(Duration.ofHours(1));
        assertThat(free(two)).isEqualTo(1);
        hold.close();
        assertThat(free(two)).isEqualTo(2);
        assertThat(limit.hold(call)).as("held once").isSameAs(Hold.NOTHING);
    }

    @ParameterizedTest
    @EnumSource
    void callsThatHaveEndedHoldNoPermit(Client client) throws Exception {
        Limiter<HttpCall> two = two();
        Sender sender = client.sender(OutgoingLimit.builder(two).time(clock).build());
        for (int i = 0; i < 5; i++) {
            assertThat(sender.send(uri())).isEqualTo(200);
        }
        assertThat(free(two)).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource
    void callsThatFailHoldNoPermit(Client client) {
        Limiter<HttpCall> two = two();
        Sender sender = client.sender(OutgoingLimit.builder(two).time(clock).build());
        server.stop(0);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> sender.send(uri())).isNotInstanceOf(OutgoingRejectedException.class);
        }
        assertThat(free(two)).isEqualTo(2);
    }

    /** A server that sends the first half of a body, and the other one when it is told to. */
    private CountDownLatch halfABody() {
        CountDownLatch rest = new CountDownLatch(1);
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
        return rest;
    }

    private void awaitFree(Limiter<HttpCall> limiter, long expected) {
        while (free(limiter) != expected && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
        assertThat(free(limiter)).isEqualTo(expected);
    }

    @Test
    void permitIsHeldWhileTheBodyComes() throws Exception {
        CountDownLatch rest = halfABody();
        Limiter<HttpCall> two = two();
        LimitedHttpClient client = new LimitedHttpClient(
                HttpClient.newHttpClient(),
                OutgoingLimit.builder(two).time(clock).build());
        HttpRequest request = HttpRequest.newBuilder(uri().resolve("/half")).build();
        try (InputStream body =
                client.send(request, BodyHandlers.ofInputStream()).body()) {
            clock.advance(Duration.ofHours(1));
            assertThat(free(two)).isEqualTo(1);
            rest.countDown();
            assertThat(body.readAllBytes()).hasSize(20_000);
            awaitFree(two, 2);
        }
        assertThat(free(two)).isEqualTo(2);
    }

    @Test
    void permitComesBackWhenTheBodyIsClosed() throws Exception {
        CountDownLatch rest = halfABody();
        Limiter<HttpCall> two = two();
        LimitedHttpClient client = new LimitedHttpClient(
                HttpClient.newHttpClient(),
                OutgoingLimit.builder(two).time(clock).build());
        HttpRequest request = HttpRequest.newBuilder(uri().resolve("/half")).build();
        InputStream body =
                client.sendAsync(request, BodyHandlers.ofInputStream()).join().body();
        assertThat(free(two)).isEqualTo(1);
        body.close();
        awaitFree(two, 2);
        Stream<String> lines = client.send(request, BodyHandlers.ofLines()).body();
        assertThat(free(two)).isEqualTo(1);
        lines.close();
        awaitFree(two, 2);
        rest.countDown();
    }

    @Test
    void permitOfACancelledCallComesBack() {
        CountDownLatch rest = halfABody();
        Limiter<HttpCall> two = two();
        LimitedHttpClient client = new LimitedHttpClient(
                HttpClient.newHttpClient(),
                OutgoingLimit.builder(two).time(clock).build());
        HttpRequest request = HttpRequest.newBuilder(uri().resolve("/half")).build();
        CompletableFuture<?> answer = client.sendAsync(request, BodyHandlers.ofByteArray());
        assertThat(free(two)).isEqualTo(1);
        answer.cancel(true);
        awaitFree(two, 2);
        rest.countDown();
    }

    /** The permit comes at the moment of the interrupt: either the caller has it, or nobody. */
    @Test
    @Tag("load")
    void interruptThatMeetsThePermitLosesNone() throws Exception {
        Limiter<HttpCall> limiter = two();
        for (int i = 0; i < 1_000; i++) {
            OutgoingLimit limit = OutgoingLimit.builder(limiter)
                    .maxWait(Duration.ofMinutes(1))
                    .time(clock)
                    .build();
            limit.answered(new OutgoingCall("GET", uri(), name -> List.of()), 429, Map.of("Retry-After", "1")::get);
            Thread caller = new Thread(() -> {
                OutgoingCall call = new OutgoingCall("GET", uri(), name -> List.of());
                try {
                    limiter.refund(limit.enter(call)).join();
                } catch (InterruptedException e) {
                    // nothing was taken
                }
            });
            caller.start();
            while (caller.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            Thread interrupter = new Thread(caller::interrupt);
            interrupter.start();
            for (int spin = ThreadLocalRandom.current().nextInt(2000); spin > 0; spin--) {
                Thread.onSpinWait();
            }
            clock.advance(Duration.ofSeconds(1));
            interrupter.join();
            caller.join();
            awaitFree(limiter, 2);
        }
    }

    @Test
    void interruptedCallIsNotMade() {
        OutgoingLimit limit = limit(1, Duration.ofMinutes(10));
        OutgoingCall call = new OutgoingCall("GET", uri(), name -> List.of());
        limit.enterAsync(call);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> limit.enter(call)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void whatHasNoMeaningIsToldWhenItIsSaid() {
        OutgoingLimit.Builder builder =
                OutgoingLimit.builder(Limiter.of("api", Limit.of(1, Duration.ofMinutes(1)), KeyResolver.everybody()));
        assertThatThrownBy(() -> builder.maxWait(Duration.ofSeconds(-1)))
                .hasMessage("maxWait must be 0 or more, and a year at most, was -1s");
        assertThatThrownBy(() -> builder.maxClosed(Duration.ZERO))
                .hasMessage("maxClosed must be more than 0, and a year at most, was 0s");
        assertThatThrownBy(() -> builder.maxWait(Duration.ofSeconds(Long.MAX_VALUE)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.maxClosed(Duration.ofSeconds(Long.MAX_VALUE)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new OutgoingCall("GET", URI.create("/things"), name -> List.of()))
                .hasMessage("uri must name a host, was '/things'");
    }
}
