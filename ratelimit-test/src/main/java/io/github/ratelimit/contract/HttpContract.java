package io.github.ratelimit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.Phase;
import io.github.ratelimit.Rule;
import io.github.ratelimit.Store;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.http.FieldStyle;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpKeys;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.Outcomes;
import io.github.ratelimit.test.TestClock;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The promises of every adapter, as tests over real HTTP: extend it to test an adapter of your own.
 *
 * <p>The server under test serves, on a free port of the loopback interface:
 *
 * <ul>
 *   <li>{@code /limited/{status}} answers with that status; {@code /limited/thrown} throws; both limited by {@code contract}
 *   <li>{@code /forwarded} is limited by {@code contract} and dispatches to {@code /limited/200} within the server
 *   <li>{@code /twice} is limited by {@code contract} in every way the adapter knows, and answers 200
 *   <li>{@code /both} is limited by {@code contract} and by {@code strict}, in this order, and answers 200
 *   <li>{@code /phases} is limited by {@code contract} in one decision and by {@code late} in a later one of the same request, and
 *       answers 200; unless {@link #decidesInPhases} says that the adapter has one decision only
 *   <li>{@code /secret/pot} is limited by {@code strict} and answers 200 and {@value #SERVED}
 *   <li>{@code /free} is not limited and answers 200
 * </ul>
 */
public abstract class HttpContract {

    /** What {@code /secret/pot} answers. */
    protected static final String SERVED = "the-secret-is-served";

    /** Ten a minute by address and, as a second rule, a thousand an hour. */
    private static final String LIMITER = "contract";

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    /** The fields that proxies send and by which frameworks rewrite requests. */
    private static final List<List<String>> FORWARDING_FIELDS = List.of(
            List.of(),
            List.of("X-Forwarded-Prefix: /y"),
            List.of("X-Forwarded-Prefix: /y", "X-Forwarded-For: 198.51.100.1"),
            List.of("X-Forwarded-Proto: https", "X-Forwarded-Host: other.example", "X-Forwarded-Port: 444"),
            List.of("Forwarded: for=198.51.100.1;host=other.example;proto=https"),
            List.of("X-Original-URL: /free", "X-Rewrite-URL: /free"));

    private final TestClock clock = new TestClock();
    private final CountingStore store = new CountingStore(InProcessStore.create(clock));
    private final AtomicInteger keysAsked = new AtomicInteger();

    /** A started server. */
    protected interface Server extends AutoCloseable {

        /** Where it serves, without a slash at the end. */
        URI base();

        @Override
        void close();
    }

    /** Starts a server as described above, with an adapter that asks this limiter. */
    protected abstract Server serve(HttpRateLimiter limiter) throws Exception;

    /** The same, with a cost for each request: the function answers it for a limiter's name. Only for adapters that have costs. */
    protected Server serve(HttpRateLimiter limiter, ToLongFunction<String> cost) throws Exception {
        return abort("this adapter asks nobody what a request costs");
    }

    /** The same, with a filter before the adapter that believes forwarding fields and rewrites requests by them. */
    protected Server serveBehindAWrapper(HttpRateLimiter limiter) throws Exception {
        return abort("there are no wrappers around this adapter's requests");
    }

    /** Whether the adapter can decide twice about a request, in two phases. */
    protected boolean decidesInPhases() {
        return true;
    }

    /** How long a request may take to end after its response. */
    protected Duration patience() {
        return DEADLINE;
    }

    private HttpRateLimiter limiter() {
        return limiter(store, spec -> spec, FieldStyle.X_RATELIMIT);
    }

    /** The request: {@code contract} as it is, or changed; {@code strict}, one an hour; {@code late}, one an hour. */
    private HttpRateLimiter limiter(Store store, UnaryOperator<LimiterSpec<HttpCall>> changed, FieldStyle style) {
        KeyResolver<HttpCall> key = call -> {
            keysAsked.incrementAndGet();
            return HttpKeys.clientAddress().resolve(call);
        };
        LimiterSpec<HttpCall> contract = new LimiterSpec<>(
                LIMITER,
                List.of(
                        Rule.of(Limit.of("burst", 10, Duration.ofMinutes(1)), key),
                        Rule.of(Limit.of("hourly", 1000, Duration.ofHours(1)), key)));
        Limit oneAnHour = Limit.of("burst", 1, Duration.ofHours(1));
        Limiters.Builder<HttpCall> limiters = Limiters.<HttpCall>builder(store).fallback(InProcessStore.create(clock));
        for (LimiterSpec<HttpCall> spec : List.of(
                contract,
                LimiterSpec.<HttpCall>of("strict", oneAnHour, key),
                LimiterSpec.<HttpCall>of("late", oneAnHour, key).withPhase(Phase.AFTER_AUTHENTICATION))) {
            limiters.add(changed.apply(spec));
        }
        return new HttpRateLimiter(limiters.build(), style);
    }

    private static UnaryOperator<LimiterSpec<HttpCall>> inShadow(String name) {
        return spec -> spec.name().equals(name) ? spec.withShadow(true) : spec;
    }

    private Server server() throws Exception {
        return serve(limiter());
    }

    // ---- one limiter

    @Test
    void fieldsAreOnEveryResponseWhateverItsStatus() throws Exception {
        try (Server server = server()) {
            int remaining = 10;
            for (String status : List.of("200", "201", "404", "409", "500", "thrown")) {
                HttpResponse<String> response = get(server, "/limited/" + status);
                remaining--;
                assertFields(response, status.equals("thrown") ? 500 : Integer.parseInt(status), "10", remaining, 60);
            }
            assertNoFields(get(server, "/free"), 200);
        }
    }

    @Test
    void rejectionIsDocumentedAndWaitingAsToldIsServed() throws Exception {
        try (Server server = server()) {
            for (int i = 0; i < 10; i++) {
                assertFields(get(server, "/limited/200"), 200, "10", 9 - i, 60);
            }
            String reset = reset(60);
            clock.advance(Duration.ofMillis(12_345));
            HttpResponse<String> rejected = get(server, "/limited/200");

            assertThat(rejected.statusCode()).isEqualTo(429);
            assertThat(values(rejected, "X-RateLimit-Limit")).containsExactly("10");
            assertThat(values(rejected, "X-RateLimit-Remaining")).containsExactly("0");
            assertThat(values(rejected, "X-RateLimit-Reset")).containsExactly(reset);
            assertThat(values(rejected, "Retry-After")).containsExactly("48");
            assertThat(values(rejected, "Cache-Control")).containsExactly("no-store");
            assertThat(values(rejected, "Content-Type"))
                    .singleElement()
                    .asString()
                    .startsWith("application/json");
            assertThat(rejected.body()).contains("\"error\"", "\"code\"", "\"rate_limited\"", "\"message\"");

            clock.advance(Duration.ofSeconds(47));
            assertThat(get(server, "/limited/200").statusCode()).isEqualTo(429);
            clock.advance(Duration.ofSeconds(1));
            assertFields(get(server, "/limited/200"), 200, "10", 9, 60);
        }
    }

    @Test
    void requestIsChargedOnceWhateverItPasses() throws Exception {
        try (Server server = server()) {
            for (String path : List.of("/twice", "/forwarded", "/limited/thrown", "/limited/500", "/limited/200")) {
                get(server, path);
            }
            assertFields(get(server, "/limited/200"), 200, "10", 4, 60);
        }
    }

    @Test
    void storeAndKeysAreAskedOnceForEachRequest() throws Exception {
        try (Server server = server()) {
            for (String path : List.of("/twice", "/forwarded", "/limited/thrown", "/limited/200", "/both", "/both")) {
                keysAsked.set(0);
                store.asked.set(0);
                get(server, path);
                assertThat(store.asked)
                        .as("how often the store is asked: %s", path)
                        .hasValue(1);
                assertThat(keysAsked)
                        .as("how often keys are asked for, one for each rule: %s", path)
                        .hasValue(path.equals("/both") ? 3 : 2);
            }
            get(server, "/free");
            assertThat(store.asked).hasValue(1);
        }
    }

    @Test
    void costIsAskedOnceForEachLimiterAndTaken() throws Exception {
        List<String> asked = Collections.synchronizedList(new ArrayList<>());
        ToLongFunction<String> cost = name -> {
            asked.add(name);
            return name.equals(LIMITER) ? 3 : 1;
        };
        try (Server server = serve(limiter(), cost)) {
            assertFields(get(server, "/limited/200"), 200, "10", 7, 60);
            assertThat(asked).containsExactly(LIMITER);
            for (String path : List.of("/twice", "/forwarded")) {
                asked.clear();
                get(server, path);
                assertThat(asked).as(path).containsExactly(LIMITER);
            }
            asked.clear();
            HttpResponse<String> rejected = get(server, "/limited/200");
            assertThat(rejected.statusCode()).isEqualTo(429);
            assertThat(values(rejected, "X-RateLimit-Remaining")).containsExactly("1");
            assertThat(asked).containsExactly(LIMITER);
        }
    }

    // ---- how many at a time

    @Test
    void permitIsHeldUntilTheEndOfTheRequest() throws Exception {
        Limit one = Limit.concurrent("jobs", 1, Duration.ofMinutes(1));
        UnaryOperator<LimiterSpec<HttpCall>> concurrent =
                spec -> spec.name().equals(LIMITER) ? LimiterSpec.of(LIMITER, one, HttpKeys.clientAddress()) : spec;
        try (Server server = serve(limiter(store, concurrent, FieldStyle.BOTH))) {
            for (String path : List.of("/limited/200", "/limited/500", "/limited/thrown", "/forwarded", "/twice")) {
                HttpResponse<String> response = get(server, path);
                assertThat(values(response, "X-RateLimit-Limit")).as(path).containsExactly("1");
                assertThat(values(response, "X-RateLimit-Remaining")).as(path).containsExactly("0");
                assertThat(values(response, "X-RateLimit-Reset")).as(path).isEmpty();
                assertThat(values(response, "RateLimit-Policy"))
                        .as(path)
                        .containsExactly("\"jobs\";q=1;qu=\"concurrent-requests\"");
                assertThat(values(response, "RateLimit")).as(path).containsExactly("\"jobs\";r=0");
                awaitFree(one);
            }
            store.tryAcquire(List.of(jobs(one))); // another request holds it
            HttpResponse<String> rejected = get(server, "/both");
            assertFields(rejected, 429, "1", 0, 1);
            assertThat(values(rejected, "Retry-After")).containsExactly("1");
            assertThat(values(rejected, "RateLimit")).containsExactly("\"jobs\";r=0;t=1, \"burst\";r=1;t=0");

            store.resetAsync(List.of(jobs(one))).join();
            assertFields(get(server, "/both"), 200, "1", 0, 3600);
            awaitFree(one);
            assertThat(get(server, "/both").statusCode()).isEqualTo(429);
            if (decidesInPhases()) {
                assertThat(get(server, "/phases").statusCode()).isEqualTo(200);
                awaitFree(one);
                assertThat(get(server, "/phases").statusCode()).isEqualTo(429);
            }
            awaitFree(one);
        }
    }

    private static Charge jobs(Limit limit) {
        return new Charge(LIMITER, limit, Key.of("127.0.0.1"));
    }

    /** The response may be here before the request has ended there. */
    private void awaitFree(Limit limit) {
        assertTimeoutPreemptively(patience(), () -> {
            while (store.tryAcquire(List.of(jobs(limit).withCost(0)))
                            .statuses()
                            .get(0)
                            .remaining()
                    == 0) {
                Thread.onSpinWait();
            }
        });
    }

    // ---- several limiters

    @Test
    void rejectedRequestCostsOtherLimitersNothing() throws Exception {
        try (Server server = server()) {
            assertFields(get(server, "/both"), 200, "1", 0, 3600);
            for (int i = 0; i < 5; i++) {
                HttpResponse<String> rejected = get(server, "/both");
                assertFields(rejected, 429, "1", 0, 3600);
                assertThat(values(rejected, "Retry-After")).containsExactly("3600");
            }
            assertFields(get(server, "/limited/200"), 200, "10", 8, 60);
        }
    }

    @Test
    void rejectionByTheFirstLimiterCostsTheSecondNothing() throws Exception {
        try (Server server = server()) {
            for (int i = 0; i < 10; i++) {
                get(server, "/limited/200");
            }
            HttpResponse<String> rejected = get(server, "/both");
            assertFields(rejected, 429, "10", 0, 60);
            assertThat(values(rejected, "Retry-After")).containsExactly("60");

            clock.advance(Duration.ofMinutes(1));
            assertFields(get(server, "/both"), 200, "1", 0, 3600);
        }
    }

    @Test
    void rejectionInALaterDecisionGivesTheEarlierOneBackOnce() throws Exception {
        assumeTrue(decidesInPhases(), "this adapter decides once");
        try (Server server = server()) {
            for (int i = 0; i < 3; i++) {
                get(server, "/limited/200");
            }
            assertFields(get(server, "/phases"), 200, "1", 0, 3600);
            for (int i = 0; i < 3; i++) {
                HttpResponse<String> rejected = get(server, "/phases");
                assertFields(rejected, 429, "1", 0, 3600);
                assertThat(values(rejected, "Retry-After")).containsExactly("3600");
            }
            assertThat(store.refunded).as("decisions given back").hasValue(3);
            assertFields(get(server, "/limited/200"), 200, "10", 5, 60);
        }
    }

    @Test
    void policiesOfOneNameAreToldApart() throws Exception {
        try (Server server = serve(limiter(store, spec -> spec, FieldStyle.BOTH))) {
            HttpResponse<String> both = get(server, "/both");
            assertFields(both, 200, "1", 0, 3600);
            assertThat(values(both, "RateLimit-Policy"))
                    .containsExactly(
                            "\"contract:burst\";q=10;w=60, \"hourly\";q=1000;w=3600, \"strict:burst\";q=1;w=3600");
            assertThat(values(both, "RateLimit"))
                    .containsExactly(
                            "\"contract:burst\";r=9;t=60, \"hourly\";r=999;t=3600, \"strict:burst\";r=0;t=3600");

            HttpResponse<String> one = get(server, "/limited/200");
            assertThat(values(one, "RateLimit-Policy"))
                    .containsExactly("\"burst\";q=10;w=60, \"hourly\";q=1000;w=3600");
            assertThat(values(one, "RateLimit")).containsExactly("\"burst\";r=8;t=60, \"hourly\";r=998;t=3600");
        }
    }

    // ---- in shadow

    @Test
    void limiterInShadowSaysNothing() throws Exception {
        try (Server server = serve(limiter(store, inShadow(LIMITER), FieldStyle.BOTH))) {
            for (int i = 0; i < 12; i++) {
                assertNoFields(get(server, "/limited/200"), 200);
            }
        }
    }

    /** It told its own Retry-After for the other one's rejection: 3600 seconds, and who asked after 60 was served. */
    @Test
    void limiterInShadowSaysNothingBesideOneThatRejects() throws Exception {
        try (Server server = serve(limiter(store, inShadow("strict"), FieldStyle.X_RATELIMIT))) {
            for (int i = 0; i < 10; i++) {
                HttpResponse<String> response = get(server, "/both");
                assertFields(response, 200, "10", 9 - i, 60);
            }
            HttpResponse<String> rejected = get(server, "/both");
            assertFields(rejected, 429, "10", 0, 60);
            assertThat(values(rejected, "Retry-After")).containsExactly("60");

            clock.advance(Duration.ofMinutes(1));
            assertFields(get(server, "/both"), 200, "10", 9, 60);
        }
    }

    // ---- some outcomes only

    @Test
    void parallelGuessesShareThePermitsAndRightOnesCostNothing() throws Exception {
        try (Server server = serve(counting("failures"))) {
            List<HttpResponse<String>> guesses = inParallel(Collections.nCopies(60, () -> get(server, "/limited/401")));
            assertThat(guesses)
                    .filteredOn(guess -> guess.statusCode() == 401)
                    .as("guesses looked at")
                    .hasSize(10);
            assertThat(guesses)
                    .filteredOn(guess -> guess.statusCode() == 429)
                    .as("guesses rejected")
                    .hasSize(50);
            assertThat(get(server, "/limited/200").statusCode()).isEqualTo(429);

            clock.advance(Duration.ofMinutes(1));
            for (int i = 1; i <= 12; i++) {
                assertFields(get(server, i % 2 == 0 ? "/limited/200" : "/forwarded"), 200, "10", 9, 60);
                awaitRefunds(i);
            }
        }
    }

    @Test
    void onlyTheOutcomesOfALimiterCost() throws Exception {
        assertCosts("failures", List.of("401", "500", "thrown"), List.of("200", "201"));
        assertCosts("successes", List.of("200", "201"), List.of("401", "500", "thrown"));
        assertCosts("401, 5xx", List.of("401", "503", "thrown"), List.of("200", "403"));
    }

    private void assertCosts(String outcomes, List<String> counted, List<String> free) throws Exception {
        store.refunded.set(0);
        try (Server server = serve(counting(outcomes.split(",")))) {
            for (String status : counted) {
                get(server, "/limited/" + status);
            }
            for (int i = 0; i < free.size(); i++) {
                int remaining = 9 - counted.size();
                assertThat(values(get(server, "/limited/" + free.get(i)), "X-RateLimit-Remaining"))
                        .as("of %s after %s, a %s", outcomes, counted, free.get(i))
                        .containsExactly(Integer.toString(remaining));
                awaitRefunds(i + 1);
            }
        }
        clock.advance(Duration.ofMinutes(1));
    }

    private HttpRateLimiter counting(String... outcomes) {
        return limiter(store, spec -> spec.withCount(Outcomes.of(outcomes)), FieldStyle.X_RATELIMIT);
    }

    /** A client may have its answer before the adapter hears of the end. */
    private void awaitRefunds(int expected) throws InterruptedException {
        for (long end = System.nanoTime() + DEADLINE.toNanos(); store.refunded.get() < expected; ) {
            assertThat(System.nanoTime()).as("no end of the request is told").isLessThan(end);
            Thread.sleep(1);
        }
        assertThat(store.refunded).as("requests given back").hasValue(expected);
    }

    // ---- spellings

    @Test
    void noSpellingOfAPathIsServedOnceItsPermitsAreSpent() throws Exception {
        try (Server server = server()) {
            assertNoSpellingIsServed(server, List.of(List.of()));
        }
    }

    @Test
    void noSpellingIsServedBehindAWrapperWhateverItBelieves() throws Exception {
        try (Server server = serveBehindAWrapper(limiter())) {
            assertNoSpellingIsServed(server, FORWARDING_FIELDS);
        }
    }

    private static void assertNoSpellingIsServed(Server server, List<List<String>> fields) throws Exception {
        assertThat(RawHttp.get(server.base(), "/secret/pot").body()).contains(SERVED);
        List<String> spellings = new ArrayList<>(PathSpellings.of("/secret/pot"));
        spellings.add("/secret/pot");
        for (String spelling : spellings) {
            for (List<String> with : fields) {
                RawHttp.Answer answer = RawHttp.get(server.base(), spelling, with.toArray(String[]::new));
                assertThat(answer.body()).as("%s with %s", spelling, with).doesNotContain(SERVED);
            }
        }
    }

    // ---- many, strangers, other methods

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
                        .timeout(DEADLINE)
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
                    .timeout(DEADLINE)
                    .method("HEAD", HttpRequest.BodyPublishers.noBody())
                    .build();
            assertFields(CLIENT.send(head, BodyHandlers.ofString()), 200, "10", 9, 60);
            assertFields(get(server, "/limited/200"), 200, "10", 8, 60);
        }
    }

    // ---- without the store

    @Test
    void withoutTheStoreRequestsAreRejectedWhereItWasSaid() throws Exception {
        try (Server server = serve(withoutStore(OnStoreFailure.REJECT))) {
            HttpResponse<String> response = get(server, "/limited/200");
            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(values(response, "Retry-After")).containsExactly("1");
            assertThat(values(response, "Cache-Control")).containsExactly("no-store");
            assertThat(values(response, "X-RateLimit-Limit")).isEmpty();
            assertThat(response.body()).contains("\"error\"", "\"code\"", "\"unavailable\"", "\"message\"");
        }
    }

    @Test
    void withoutTheStoreRequestsAreServedWhereItWasSaid() throws Exception {
        try (Server server = serve(withoutStore(OnStoreFailure.ALLOW))) {
            for (int i = 0; i < 12; i++) {
                assertNoFields(get(server, "/limited/200"), 200);
            }
        }
    }

    @Test
    void withoutTheStoreAnotherOneStandsIn() throws Exception {
        try (Server server = serve(withoutStore(OnStoreFailure.LOCAL))) {
            for (int i = 0; i < 12; i++) {
                assertFields(get(server, "/limited/200"), i < 10 ? 200 : 429, "10", Math.max(0, 9 - i), 60);
            }
        }
    }

    private HttpRateLimiter withoutStore(OnStoreFailure onStoreFailure) {
        return limiter(new AbsentStore(clock), spec -> spec.withOnStoreFailure(onStoreFailure), FieldStyle.X_RATELIMIT);
    }

    // ---- what the tests share

    /** Each field once and whole. */
    private void assertFields(HttpResponse<?> response, int status, String limit, long remaining, long resetSeconds) {
        String what = response.request().method() + " " + response.uri().getPath();
        assertThat(response.statusCode()).as(what).isEqualTo(status);
        assertThat(values(response, "X-RateLimit-Limit")).as(what).containsExactly(limit);
        assertThat(values(response, "X-RateLimit-Remaining")).as(what).containsExactly(Long.toString(remaining));
        assertThat(values(response, "X-RateLimit-Reset")).as(what).containsExactly(reset(resetSeconds));
        if (status != 429) {
            assertThat(values(response, "Retry-After")).as(what).isEmpty();
        }
    }

    private static void assertNoFields(HttpResponse<?> response, int status) {
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().map().keySet().stream()
                        .map(name -> name.toLowerCase(Locale.ROOT))
                        .filter(name -> name.contains("ratelimit") || name.equals("retry-after")))
                .isEmpty();
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
                HttpRequest.newBuilder(URI.create(server.base() + path))
                        .timeout(DEADLINE)
                        .build(),
                BodyHandlers.ofString());
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

    /** Counts what it is asked. */
    private static final class CountingStore implements Store {

        final AtomicInteger asked = new AtomicInteger();
        final AtomicInteger refunded = new AtomicInteger();
        private final Store store;

        CountingStore(Store store) {
            this.store = store;
        }

        @Override
        public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
            asked.incrementAndGet();
            return store.tryAcquireAsync(charges);
        }

        @Override
        public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
            return store.settleAsync(decision, actual).thenRun(refunded::incrementAndGet);
        }

        @Override
        public CompletableFuture<Void> resetAsync(List<Charge> charges) {
            return store.resetAsync(charges);
        }

        @Override
        public boolean supports(Shape.Kind kind) {
            return store.supports(kind);
        }

        @Override
        public TimeSource time() {
            return store.time();
        }
    }

    /** A store whose backend never answers. */
    private record AbsentStore(TestClock time) implements Store {

        @Override
        public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
            return failed();
        }

        @Override
        public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
            return failed();
        }

        @Override
        public CompletableFuture<Void> resetAsync(List<Charge> charges) {
            return failed();
        }

        private static <T> CompletableFuture<T> failed() {
            return CompletableFuture.failedFuture(new StoreException("the backend is away", null));
        }
    }
}
