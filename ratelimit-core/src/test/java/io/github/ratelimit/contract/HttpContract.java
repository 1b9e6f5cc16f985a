package io.github.ratelimit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.LimiterSpec.Rule;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.Store;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.http.FieldStyle;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpKeys;
import io.github.ratelimit.http.HttpRateLimiter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The promises of every door, asked over real HTTP.
 *
 * <p>The door under test serves, on a free port of the loopback interface:
 *
 * <ul>
 *   <li>{@code /limited/{status}} answers with that status; {@code /limited/thrown} throws; both limited by {@code contract}
 *   <li>{@code /forwarded} is limited by {@code contract} and dispatches to {@code /limited/200} within the server
 *   <li>{@code /twice} is limited by {@code contract} in every way the door knows, and answers 200
 *   <li>{@code /both} is limited by {@code contract} and by {@code strict}, in this order, and answers 200
 *   <li>{@code /free} is not limited and answers 200
 * </ul>
 */
public abstract class HttpContract {

    /** Ten a minute by address and, as a second rule, a thousand an hour. */
    private static final String LIMITER = "contract";

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final TestClock clock = new TestClock();

    /** A started server. */
    protected interface Server extends AutoCloseable {

        /** Where it serves, without a slash at the end. */
        URI base();

        @Override
        void close();
    }

    /** Starts a server as described above that asks this limiter. */
    protected abstract Server serve(HttpRateLimiter limiter) throws Exception;

    private HttpRateLimiter limiter(Store store, OnStoreFailure onStoreFailure, boolean shadow) {
        LimiterSpec<HttpCall> contract = new LimiterSpec<>(
                LIMITER,
                List.of(
                        new Rule<>(Limit.of("burst", 10, Duration.ofMinutes(1)), HttpKeys.clientAddress()),
                        new Rule<>(Limit.of("hourly", 1000, Duration.ofHours(1)), HttpKeys.clientAddress())),
                onStoreFailure,
                shadow);
        LimiterSpec<HttpCall> strict =
                LimiterSpec.of("strict", Limit.of("only", 1, Duration.ofMinutes(1)), HttpKeys.clientAddress());
        Limiters<HttpCall> limiters = Limiters.<HttpCall>builder(store)
                .standIn(InProcessStore.create(clock))
                .time(clock)
                .add(contract)
                .add(strict)
                .build();
        return new HttpRateLimiter(limiters, FieldStyle.LEGACY);
    }

    private Server server() throws Exception {
        return serve(limiter(InProcessStore.create(clock), OnStoreFailure.LOCAL, false));
    }

    @Test
    void fieldsAreOnEveryResponseWhateverItsStatus() throws Exception {
        try (Server server = server()) {
            long remaining = 10;
            for (String status : List.of("200", "201", "404", "409", "500", "thrown")) {
                HttpResponse<String> response = get(server, "/limited/" + status);
                assertThat(response.statusCode()).isEqualTo(status.equals("thrown") ? 500 : Integer.parseInt(status));
                assertThat(values(response, "X-RateLimit-Limit")).containsExactly("10");
                assertThat(values(response, "X-RateLimit-Remaining")).containsExactly(Long.toString(--remaining));
                assertThat(values(response, "X-RateLimit-Reset")).containsExactly(reset(60));
                assertThat(values(response, "Retry-After")).isEmpty();
            }
            assertThat(get(server, "/free").headers().map().keySet())
                    .noneMatch(name -> name.toLowerCase(Locale.ROOT).startsWith("x-ratelimit"));
        }
    }

    @Test
    void refusalIsDocumentedAndWaitingAsToldIsServed() throws Exception {
        try (Server server = server()) {
            String reset = reset(60);
            for (int i = 0; i < 10; i++) {
                assertThat(get(server, "/limited/200").statusCode()).isEqualTo(200);
            }
            clock.advance(Duration.ofMillis(12_345));
            HttpResponse<String> refused = get(server, "/limited/200");

            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(values(refused, "X-RateLimit-Limit")).containsExactly("10");
            assertThat(values(refused, "X-RateLimit-Remaining")).containsExactly("0");
            assertThat(values(refused, "X-RateLimit-Reset")).containsExactly(reset);
            assertThat(values(refused, "Retry-After")).containsExactly("48");
            assertThat(values(refused, "Content-Type"))
                    .singleElement()
                    .asString()
                    .startsWith("application/json");
            assertThat(refused.body()).contains("\"error\"", "\"code\"", "\"rate_limited\"", "\"message\"");

            clock.advance(Duration.ofSeconds(47));
            assertThat(get(server, "/limited/200").statusCode()).isEqualTo(429);
            clock.advance(Duration.ofSeconds(1));
            HttpResponse<String> served = get(server, "/limited/200");
            assertThat(served.statusCode()).isEqualTo(200);
            assertThat(values(served, "X-RateLimit-Remaining")).containsExactly("9");
        }
    }

    @Test
    void requestIsChargedOnceWhateverItPasses() throws Exception {
        try (Server server = server()) {
            for (String path : List.of("/twice", "/forwarded", "/limited/thrown", "/limited/500", "/limited/200")) {
                get(server, path);
            }
            HttpResponse<String> sixth = get(server, "/limited/200");
            assertThat(values(sixth, "X-RateLimit-Remaining")).containsExactly("4");
        }
    }

    @Test
    void refusedRequestCostsOtherLimitersNothing() throws Exception {
        try (Server server = server()) {
            assertThat(get(server, "/both").statusCode()).isEqualTo(200);
            for (int i = 0; i < 5; i++) {
                HttpResponse<String> refused = get(server, "/both");
                assertThat(refused.statusCode()).isEqualTo(429);
                assertThat(values(refused, "X-RateLimit-Limit")).containsExactly("1");
            }
            assertThat(values(get(server, "/limited/200"), "X-RateLimit-Remaining"))
                    .containsExactly("8");
        }
    }

    @Test
    void parallelClientsShareExactlyThePermits() throws Exception {
        try (Server server = server()) {
            List<Callable<HttpResponse<String>>> calls = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                calls.add(() -> get(server, "/limited/200"));
            }
            List<HttpResponse<String>> responses = inParallel(calls);

            assertThat(responses)
                    .filteredOn(response -> response.statusCode() == 200)
                    .hasSize(10);
            assertThat(responses)
                    .filteredOn(response -> response.statusCode() == 429)
                    .hasSize(54);
            assertThat(responses)
                    .filteredOn(response -> response.statusCode() == 200)
                    .flatMap(response -> values(response, "X-RateLimit-Remaining"))
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.range(0, 10).mapToObj(Long::toString).toList());
            assertThat(responses)
                    .flatMap(response -> values(response, "X-RateLimit-Reset"))
                    .containsOnly(reset(60));
        }
    }

    @Test
    void forwardingFieldsOfStrangersAreNotBelieved() throws Exception {
        try (Server server = server()) {
            for (int i = 0; i < 12; i++) {
                HttpRequest request = HttpRequest.newBuilder(URI.create(server.base() + "/limited/200"))
                        .header("X-Forwarded-For", "198.51.100." + i)
                        .header("Forwarded", "for=198.51.100." + i)
                        .header("X-Real-IP", "198.51.100." + i)
                        .build();
                int status = CLIENT.send(request, BodyHandlers.ofString()).statusCode();
                assertThat(status).isEqualTo(i < 10 ? 200 : 429);
            }
        }
    }

    @Test
    void headIsCountedAsGet() throws Exception {
        try (Server server = server()) {
            HttpRequest head = HttpRequest.newBuilder(URI.create(server.base() + "/limited/200"))
                    .method("HEAD", HttpRequest.BodyPublishers.noBody())
                    .build();
            HttpResponse<String> response = CLIENT.send(head, BodyHandlers.ofString());
            assertThat(values(response, "X-RateLimit-Remaining")).containsExactly("9");
        }
    }

    @Test
    void storeThatDoesNotAnswerIsTheClientsLossOnlyWhereItWasSaid() throws Exception {
        try (Server server = serve(limiter(new BrokenStore(), OnStoreFailure.REFUSE, false))) {
            HttpResponse<String> response = get(server, "/limited/200");
            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(values(response, "Retry-After"))
                    .singleElement()
                    .asString()
                    .isNotEqualTo("0");
        }
        try (Server server = serve(limiter(new BrokenStore(), OnStoreFailure.ALLOW, false))) {
            for (int i = 0; i < 12; i++) {
                assertThat(get(server, "/limited/200").statusCode()).isEqualTo(200);
            }
        }
        try (Server server = serve(limiter(new BrokenStore(), OnStoreFailure.LOCAL, false))) {
            for (int i = 0; i < 12; i++) {
                assertThat(get(server, "/limited/200").statusCode()).isEqualTo(i < 10 ? 200 : 429);
            }
        }
    }

    @Test
    void shadowCountsAndReportsAndNeverRefuses() throws Exception {
        try (Server server = serve(limiter(InProcessStore.create(clock), OnStoreFailure.LOCAL, true))) {
            for (int i = 0; i < 12; i++) {
                HttpResponse<String> response = get(server, "/limited/200");
                assertThat(response.statusCode()).isEqualTo(200);
                assertThat(values(response, "X-RateLimit-Remaining"))
                        .containsExactly(Integer.toString(Math.max(0, 9 - i)));
                assertThat(values(response, "Retry-After")).isEmpty();
            }
        }
    }

    /** The moment some seconds from now as the field names it. */
    private String reset(long seconds) {
        return Long.toString(Math.floorDiv(clock.instant().plusSeconds(seconds).toEpochMilli() + 999, 1000L));
    }

    private static List<String> values(HttpResponse<?> response, String field) {
        return response.headers().allValues(field);
    }

    private static HttpResponse<String> get(Server server, String path) throws Exception {
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create(server.base() + path)).build(), BodyHandlers.ofString());
    }

    private static <T> List<T> inParallel(List<Callable<T>> calls) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(16);
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> future : executor.invokeAll(calls)) {
                results.add(future.get());
            }
            return results;
        } finally {
            executor.shutdownNow();
        }
    }

    /** A store whose backend never answers. */
    private static final class BrokenStore implements Store {

        @Override
        public CompletionStage<Decision> tryAcquireAsync(String limiter, List<Charge> charges, long cost) {
            return failed();
        }

        @Override
        public CompletionStage<Void> refundAsync(String limiter, List<Charge> charges, long cost) {
            return failed();
        }

        @Override
        public CompletionStage<Void> resetAsync(String limiter, List<Charge> charges) {
            return failed();
        }

        private static <T> CompletionStage<T> failed() {
            return CompletableFuture.failedFuture(new StoreException("the backend is away", null));
        }
    }
}
