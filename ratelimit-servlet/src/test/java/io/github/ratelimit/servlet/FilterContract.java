package io.github.ratelimit.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.DecisionListener;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Phase;
import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.contract.HttpContract;
import io.github.ratelimit.contract.PathSpellings;
import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.FieldStyle;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpKeys;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.Outcomes;
import io.github.ratelimit.http.RejectionBody;
import io.github.ratelimit.http.adapter.ExcludedPaths;
import io.github.ratelimit.http.adapter.PathPattern;
import io.github.ratelimit.http.adapter.PathRule;
import io.github.ratelimit.test.TestClock;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.Closeable;
import java.net.URI;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the filter promises in every container, beyond what every adapter does. */
abstract class FilterContract extends HttpContract {

    /** One for each way in which a servlet passes a request on, or answers it late. */
    private static final List<String> DISPATCHING_PATHS = List.of(
            "/forwarded",
            "/included",
            "/sent",
            "/reset",
            "/async",
            "/async-sent",
            "/async-streamed",
            "/async-thrown",
            "/async-late",
            "/async-reset",
            "/async-again",
            "/forwarded-async",
            "/forwarded-sent",
            "/forwarded-thrown",
            "/redirected");

    private static final List<String> LIMITED_PATHS =
            concat(List.of("/limited/**", "/twice", "/both", "/phases"), DISPATCHING_PATHS);

    /** What {@code /secret/pot} answers; {@link TestServlet#SERVED} is in it. */
    static final String SECRET = SERVED;

    private static final String TIGHT = "tight";

    private static final Filter SIGN_IN =
            (request, response, chain) -> chain.doFilter(new SignedInRequest(request), response);

    private static final Filter PREFIXING =
            (request, response, chain) -> chain.doFilter(new ForwardedPrefixRequest(request), response);

    /** Dispatches on what a wrapper says, as a framework does. */
    private static final Filter DISPATCHING = (request, response, chain) -> {
        HttpServletRequest wrapped = (HttpServletRequest) request;
        String path = wrapped.getRequestURI().substring(wrapped.getContextPath().length());
        if (path.equals("/secret/pot")) {
            response.getWriter().write(SERVED);
        } else {
            chain.doFilter(request, response);
        }
    };

    private final TestClock clock = new TestClock();

    /** Starts the container. */
    abstract ServletServer start(List<Filter> filters) throws Exception;

    @Override
    protected Server serve(HttpRateLimiter limiter) throws Exception {
        return serve(limiter, name -> 1);
    }

    @Override
    protected Server serve(HttpRateLimiter limiter, ToLongFunction<String> cost) throws Exception {
        return served(start(filters(limiter, cost)));
    }

    @Override
    protected Server serveBehindAWrapper(HttpRateLimiter limiter) throws Exception {
        List<Filter> filters = new ArrayList<>(filters(limiter, name -> 1));
        filters.add(0, PREFIXING);
        filters.add(DISPATCHING);
        return served(start(filters));
    }

    private static List<Filter> filters(HttpRateLimiter limiter, ToLongFunction<String> cost) {
        List<Filter> filters = new ArrayList<>();
        for (Phase phase : Phase.values()) {
            RateLimitFilter.Builder filter = RateLimitFilter.builder(limiter)
                    .cost((name, request) -> cost.applyAsLong(name))
                    .phase(phase);
            LIMITED_PATHS.forEach(path -> filter.limit(path, "contract"));
            filter.limit("/twice", "contract");
            if (limiter.limiters().names().contains("strict")) {
                filter.limit("/both", "strict").limit("/secret/**", "strict").limit("/phases", "late");
            }
            RateLimitFilter built = filter.build();
            filters.add(built);
            filters.add(built); // registered twice by mistake: still decides once
        }
        return filters;
    }

    private static Server served(ServletServer server) {
        return new Server() {
            @Override
            public URI base() {
                return server.base();
            }

            @Override
            public void close() {
                server.close();
            }
        };
    }

    /** A limiter called {@code contract} of a thousand a minute, and one called {@code tight}. */
    private HttpRateLimiter limiter(long tight) {
        return limiter(FieldStyle.X_RATELIMIT, byAddress("contract", 1000), byAddress(TIGHT, tight));
    }

    @SafeVarargs
    private HttpRateLimiter limiter(FieldStyle style, LimiterSpec<HttpCall>... specs) {
        return limiter(InProcessStore.create(clock), style, specs);
    }

    @SafeVarargs
    private static HttpRateLimiter limiter(Store store, FieldStyle style, LimiterSpec<HttpCall>... specs) {
        Limiters.Builder<HttpCall> limiters = Limiters.builder(store);
        for (LimiterSpec<HttpCall> spec : specs) {
            limiters.add(spec);
        }
        return new HttpRateLimiter(limiters.build(), style);
    }

    private static LimiterSpec<HttpCall> byAddress(String name, long permits) {
        return LimiterSpec.of(name, Limit.of("m", permits, Duration.ofMinutes(1)), HttpKeys.clientAddress());
    }

    /** The moment some seconds from now as the field names it. */
    private String reset(long seconds) {
        return Long.toString(Math.floorDiv(clock.instant().plusSeconds(seconds).toEpochMilli() + 999, 1000L));
    }

    /** All of an answer's fields that tell of limits, in the order of their names. */
    private static List<String> limitFields(Answer answer) {
        return answer.lines().stream()
                .filter(line -> line.toLowerCase(Locale.ROOT).matches("(x-)?ratelimit.*|retry-after.*"))
                .map(line -> line.replaceFirst(": *", ": "))
                .sorted()
                .toList();
    }

    private static List<String> concat(List<String> some, List<String> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    private List<String> legacyFields(long limit, long remaining) {
        return List.of(
                "X-RateLimit-Limit: " + limit,
                "X-RateLimit-Remaining: " + remaining,
                "X-RateLimit-Reset: " + reset(60));
    }

    private List<String> rejectionFields(long limit) {
        return List.of(
                "Retry-After: 60",
                "X-RateLimit-Limit: " + limit,
                "X-RateLimit-Remaining: 0",
                "X-RateLimit-Reset: " + reset(60));
    }

    @Test
    void everyKindOfDispatchIsChargedOnceAndHasEachFieldOnce() throws Exception {
        try (Server server = serve(limiter(1))) {
            int remaining = 1000;
            for (String path : concat(DISPATCHING_PATHS, List.of("/limited/200", "/limited/thrown", "/limited/404"))) {
                Answer answer = RawHttp.get(server.base(), path);
                assertThat(limitFields(answer)).as(path).isEqualTo(legacyFields(1000, --remaining));
                assertThat(answer.values("X-Lost")).as(path).isEmpty();
            }
        }
    }

    /** A container tells the end of an asynchronous request after its client has the answer. */
    @Test
    void endIsToldOnceWithTheFinalStatusOnEveryDispatch() throws Exception {
        List<String> failures = List.of(
                "/sent",
                "/async-sent",
                "/async-thrown",
                "/async-late",
                "/forwarded-sent",
                "/forwarded-thrown",
                "/limited/thrown");
        BlockingQueue<Long> settled = new LinkedBlockingQueue<>();
        DecisionListener listener = new DecisionListener() {
            @Override
            public void onSettlement(String limiter, Decision part, long actual) {
                settled.add(actual - part.charges().get(0).cost());
            }
        };
        for (String counted : List.of("failures", "successes")) {
            LimiterSpec<HttpCall> spec = byAddress("contract", 1000).withCount(Outcomes.of(counted));
            HttpRateLimiter limiter = new HttpRateLimiter(
                    Limiters.<HttpCall>builder(InProcessStore.create(clock))
                            .listener(listener)
                            .add(spec)
                            .build(),
                    FieldStyle.X_RATELIMIT);
            try (Server server = serve(limiter)) {
                int remaining = 999;
                for (String path : concat(DISPATCHING_PATHS, List.of("/limited/200", "/limited/thrown"))) {
                    assertThat(limitFields(RawHttp.get(server.base(), path)))
                            .as("%s counted: %s", counted, path)
                            .isEqualTo(legacyFields(1000, remaining));
                    if (failures.contains(path) == counted.equals("failures")) {
                        remaining--;
                    } else {
                        assertThat(settled.poll(30, TimeUnit.SECONDS)).as(path).isEqualTo(-1);
                    }
                }
            }
            assertThat(settled).isEmpty();
        }
    }

    @Test
    void permitIsGivenBackAfterEveryKindOfDispatch() throws Exception {
        HttpRateLimiter limiter = limiter(FieldStyle.X_RATELIMIT, oneAtATime());
        try (Server server = serve(limiter)) {
            for (String path : concat(DISPATCHING_PATHS, List.of("/limited/thrown", "/limited/404"))) {
                assertThat(RawHttp.get(server.base(), path).status()).as(path).isNotEqualTo(429);
                awaitFree(limiter);
            }
        }
    }

    @Test
    void permitIsHeldUntilTheAsynchronousPartIsComplete() throws Exception {
        HttpRateLimiter limiter = limiter(FieldStyle.X_RATELIMIT, oneAtATime());
        BlockingQueue<AsyncContext> begun = new LinkedBlockingQueue<>();
        Semaphore returned = new Semaphore(0);
        List<Filter> filters = new ArrayList<>(filters(limiter, name -> 1));
        filters.add(0, (request, response, chain) -> {
            chain.doFilter(request, response);
            returned.release();
        });
        filters.add((request, response, chain) -> begun.add(request.startAsync()));
        ExecutorService clients = Executors.newSingleThreadExecutor();
        try (Server server = served(start(filters))) {
            Future<Answer> answer = clients.submit(() -> RawHttp.get(server.base(), "/limited/200"));
            AsyncContext async = begun.take();
            returned.acquire();
            assertThat(free(limiter)).as("while the request goes on").isZero();
            assertThat(RawHttp.get(server.base(), "/limited/200").status()).isEqualTo(429);
            async.complete();
            assertThat(answer.get().status()).isEqualTo(200);
            awaitFree(limiter);
        } finally {
            clients.shutdownNow();
        }
    }

    @Test
    void permitIsHeldWhenTheHandlerItselfDispatchesAgain() throws Exception {
        HttpRateLimiter limiter = limiter(FieldStyle.X_RATELIMIT, oneAtATime());
        List<Long> free = new CopyOnWriteArrayList<>();
        List<Filter> filters = new ArrayList<>(filters(limiter, name -> 1));
        filters.add((request, response, chain) -> {
            if (request.getDispatcherType() == DispatcherType.REQUEST) {
                request.startAsync().dispatch();
            } else {
                free.add(free(limiter));
            }
        });
        try (Server server = served(start(filters))) {
            assertThat(RawHttp.get(server.base(), "/limited/200").status()).isEqualTo(200);
            awaitFree(limiter);
            assertThat(free).containsExactly(0L);
        }
    }

    private static LimiterSpec<HttpCall> oneAtATime() {
        return LimiterSpec.of("contract", Limit.concurrent("jobs", 1, Duration.ofMinutes(1)), HttpKeys.clientAddress());
    }

    private static long free(HttpRateLimiter limiter) {
        Limit jobs = limiter.limiters().spec("contract").rules().get(0).limits().get(0);
        return limiter.limiters()
                .look(List.of(new Charge("contract", jobs, Key.of("127.0.0.1"))))
                .statuses()
                .get(0)
                .remaining();
    }

    /** The response may be here before the request has ended there. */
    private static void awaitFree(HttpRateLimiter limiter) {
        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> {
            while (free(limiter) == 0) {
                Thread.onSpinWait();
            }
        });
    }

    @Test
    void whatIsServedIsServedWhole() throws Exception {
        try (Server server = serve(limiter(1))) {
            assertThat(served(server, "/forwarded", 200)).isEqualTo(1);
            assertThat(served(server, "/included", 200)).isEqualTo(2);
            assertThat(served(server, "/async", 200)).isEqualTo(1);
            assertThat(served(server, "/async-streamed", 200)).isEqualTo(3);
            assertThat(RawHttp.get(server.base(), "/sent").status()).isEqualTo(404);
            assertThat(RawHttp.get(server.base(), "/sent").body()).contains("error page");
            assertThat(RawHttp.get(server.base(), "/reset").status()).isEqualTo(201);
        }
    }

    /** How often it was served. */
    private static int served(Server server, String path, int status) throws Exception {
        Answer answer = RawHttp.get(server.base(), path);
        assertThat(answer.status()).as(path).isEqualTo(status);
        return answer.body().split(TestServlet.SERVED, -1).length - 1;
    }

    @Test
    void everySpellingIsRejectedOrNotUnderstoodOncePermitsAreSpent() throws Exception {
        RateLimitFilter filter =
                RateLimitFilter.builder(limiter(1)).limit("/secret/**", TIGHT).build();
        List<String> spellings = PathSpellings.of("/secret/pot");
        assertThat(spellings).hasSizeGreaterThan(100);
        try (ServletServer server = start(List.of(filter))) {
            assertThat(RawHttp.get(server.base(), "/secret/pot").body()).contains(TestServlet.SERVED);
            for (String spelling : spellings) {
                requireNotServed(RawHttp.get(server.base(), spelling), spelling);
            }
        }
    }

    /** Rejected by the limit, or never understood: by the container (404 for another path), or as ambiguous. */
    private void requireNotServed(Answer answer, String spelling) {
        assertThat(answer.body()).as(spelling).doesNotContain(TestServlet.SERVED);
        if (answer.status() == 429) {
            assertThat(limitFields(answer)).as(spelling).isEqualTo(rejectionFields(1));
        } else {
            // Undertow fails with 500 on a target without a slash at its start.
            assertThat(answer.status()).as(spelling).isIn(400, 404, spelling.startsWith("/") ? 400 : 500);
            assertThat(limitFields(answer)).as(spelling).isEmpty();
        }
    }

    @Test
    void everySpellingIsRejectedOrNotUnderstoodWhateverAWrapperSays() throws Exception {
        RateLimitFilter filter =
                RateLimitFilter.builder(limiter(1)).limit("/secret/**", TIGHT).build();
        try (ServletServer server = start(List.of(PREFIXING, filter, DISPATCHING))) {
            assertThat(RawHttp.get(server.base(), "/secret/pot", "X-Forwarded-Prefix: /y")
                            .body())
                    .contains(TestServlet.SERVED);
            for (String spelling : PathSpellings.of("/secret/pot")) {
                requireNotServed(RawHttp.get(server.base(), spelling), spelling);
                requireNotServed(RawHttp.get(server.base(), spelling, "X-Forwarded-Prefix: /y"), spelling);
            }
        }
    }

    @Test
    void noSpellingIsServedWithoutFieldsWhereAmbiguousPathsAre() throws Exception {
        RateLimitFilter filter = RateLimitFilter.builder(limiter(1000))
                .limit("/secret/**", TIGHT)
                .rejectAmbiguousPaths(false)
                .build();
        try (ServletServer server = start(List.of(filter))) {
            int served = 0;
            int counted = 0;
            for (String spelling : PathSpellings.of("/secret/pot")) {
                Answer answer = RawHttp.get(server.base(), spelling);
                boolean isServed = answer.body().contains(TestServlet.SERVED);
                served += isServed ? 1 : 0;
                if (isServed || !limitFields(answer).isEmpty()) {
                    assertThat(limitFields(answer)).as(spelling).isEqualTo(legacyFields(1000, 1000 - ++counted));
                }
            }
            assertThat(served).isGreaterThan(5);
        }
    }

    @Test
    void excludedPathIsLimitedByNoRuleAndOneThatARuleLeavesOutByTheOthers() throws Exception {
        RateLimitFilter filter = RateLimitFilter.builder(limiter(1000))
                .limit(new PathRule(
                        PathPattern.parse("/**"), Set.of(), TIGHT, ExcludedPaths.of(List.of("/twice", "/both"))))
                .limit("/both", "contract")
                .exclude(ExcludedPaths.of(List.of("/free")))
                .build();
        try (ServletServer server = start(List.of(filter))) {
            assertThat(limitFields(RawHttp.get(server.base(), "/free"))).isEmpty();
            assertThat(limitFields(RawHttp.get(server.base(), "/%66ree;a=b"))).isEmpty();
            assertThat(limitFields(RawHttp.get(server.base(), "/twice"))).isEmpty();
            assertThat(RawHttp.get(server.base(), "/both").values("X-RateLimit-Remaining"))
                    .containsExactly("999");
            assertThat(RawHttp.get(server.base(), "/phases").values("X-RateLimit-Remaining"))
                    .containsExactly("999");
        }
    }

    /** Of what a container, a framework or a proxy takes for the excluded path, and another one for something else. */
    @Test
    void noOtherSpellingPassesForAnExcludedPath() throws Exception {
        List<String> disguises = List.of(
                "/secret/pot/../../free",
                "/secret/..;/free",
                "/secret/..;a=b/free",
                "/secret/%2e%2e/free",
                "/./free",
                "//free",
                "/free/../secret/pot",
                "/free/..;/secret/pot",
                "/free/%2e%2e/secret/pot",
                "/free/.",
                "/free/;");
        RateLimitFilter filter = RateLimitFilter.builder(limiter(1000))
                .limit("/**", TIGHT)
                .exclude(ExcludedPaths.of(List.of("/free")))
                .rejectAmbiguousPaths(false)
                .build();
        try (ServletServer server = start(List.of(filter))) {
            int served = 0;
            for (String disguise : disguises) {
                Answer answer = RawHttp.get(server.base(), disguise);
                if (answer.body().contains(TestServlet.SERVED)) {
                    served++;
                    assertThat(limitFields(answer)).as(disguise).isNotEmpty();
                }
            }
            assertThat(served).isPositive();
        }
    }

    @Test
    void ambiguousPathIsRejectedWithAReason() throws Exception {
        RateLimitFilter filter =
                RateLimitFilter.builder(limiter(1)).limit("/secret/**", TIGHT).build();
        try (ServletServer server = start(List.of(filter))) {
            Answer answer = RawHttp.get(server.base(), "/secret/x/../pot");
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.values("Content-Type")).singleElement().asString().startsWith("application/json");
            assertThat(answer.body())
                    .contains(
                            "{\"error\":{\"code\":\"bad_request\",\"message\":\"The path can be read in more than one way.\"}}");
        }
        try (ServletServer server =
                start(List.of(RateLimitFilter.builder(limiter(1)).build()))) {
            assertThat(RawHttp.get(server.base(), "/secret/x/../pot").status())
                    .as("no rule, no business")
                    .isEqualTo(200);
        }
    }

    @Test
    void methodsAreTheRulesOwn() throws Exception {
        RateLimitFilter filter = RateLimitFilter.builder(limiter(2))
                .limit(new PathRule(PathPattern.parse("/secret/pot"), Set.of("GET", "POST"), TIGHT))
                .limit("/free", "contract")
                .build();
        try (ServletServer server = start(List.of(filter))) {
            assertThat(send(server, "PUT", "/secret/pot").values("X-RateLimit-Limit"))
                    .isEmpty();
            assertThat(send(server, "HEAD", "/secret/pot").values("X-RateLimit-Remaining"))
                    .containsExactly("1");
            assertThat(send(server, "POST", "/secret/pot").values("X-RateLimit-Remaining"))
                    .containsExactly("0");
            assertThat(send(server, "GET", "/secret/pot").status()).isEqualTo(429);
            assertThat(send(server, "PUT", "/secret/pot", "X-HTTP-Method-Override: GET")
                            .status())
                    .isEqualTo(200);

            Answer preflight = send(
                    server, "OPTIONS", "/free", "Origin: https://a.example", "Access-Control-Request-Method: POST");
            assertThat(preflight.values("X-RateLimit-Remaining")).isEmpty();
            assertThat(send(server, "OPTIONS", "/free").values("X-RateLimit-Remaining"))
                    .containsExactly("999");
            assertThat(send(server, "OPTIONS", "/free", "Origin: https://a.example")
                            .values("X-RateLimit-Remaining"))
                    .containsExactly("998");
        }
    }

    @Test
    void requestCostsWhatItIsSaidToCost() throws Exception {
        RateLimitFilter filter = RateLimitFilter.builder(limiter(10))
                .limit("/free", TIGHT)
                .cost((limiter, request) -> Long.parseLong(request.getHeader("Parts")))
                .build();
        try (ServletServer server = start(List.of(filter))) {
            assertThat(remaining(server, "Parts: 7")).containsExactly("3");
            assertThat(remaining(server, "Parts: 0")).containsExactly("3");
            assertThat(send(server, "GET", "/free", "Parts: 4").status()).isEqualTo(429);
            assertThat(remaining(server, "Parts: 3")).containsExactly("0");
            Answer never = send(server, "GET", "/free", "Parts: 11");
            assertThat(never.status()).isEqualTo(429);
            assertThat(never.values("Retry-After")).as("it never fits").isEmpty();
        }
    }

    @Test
    void rejectionHasTheBodyThatWasGiven() throws Exception {
        RateLimitFilter filter = RateLimitFilter.builder(limiter(1))
                .limit("/free", TIGHT)
                .rejectionBody(RejectionBody.problem())
                .build();
        try (ServletServer server = start(List.of(filter))) {
            assertThat(send(server, "GET", "/free").status()).isEqualTo(200);
            Answer rejected = send(server, "GET", "/free");
            assertThat(rejected.status()).isEqualTo(429);
            assertThat(rejected.values("Content-Type"))
                    .singleElement()
                    .asString()
                    .startsWith("application/problem+json");
            assertThat(rejected.body()).contains("quota-exceeded", "\"violated-policies\":[\"m\"]");
            assertThat(send(server, "HEAD", "/free").body()).isEmpty();
        }
    }

    @Test
    void peerIsTheSocketsWhateverAFilterSays() throws Exception {
        Filter liar = (request, response, chain) -> chain.doFilter(new OtherAddressRequest(request), response);
        RateLimitFilter filter =
                RateLimitFilter.builder(limiter(2)).limit("/free", TIGHT).build();
        try (ServletServer server = start(List.of(liar, filter))) {
            assertThat(send(server, "GET", "/free", "Claim: 198.51.100.1").status())
                    .isEqualTo(200);
            assertThat(send(server, "GET", "/free", "Claim: 198.51.100.2").status())
                    .isEqualTo(200);
            assertThat(send(server, "GET", "/free", "Claim: 198.51.100.3").status())
                    .isEqualTo(429);
        }
    }

    @Test
    void trustedProxyIsBelievedAlsoBehindAFilterThatHidesWhatItSays() throws Exception {
        Filter hiding = (request, response, chain) -> chain.doFilter(new OtherAddressRequest(request), response);
        HttpRateLimiter limiter = limiter(
                FieldStyle.X_RATELIMIT,
                LimiterSpec.of(
                        TIGHT,
                        Limit.of("m", 1, Duration.ofMinutes(1)),
                        ClientAddress.of(List.of("127.0.0.1"), ClientAddress.DEFAULT_IPV6_PREFIX)));
        RateLimitFilter filter =
                RateLimitFilter.builder(limiter).limit("/free", TIGHT).build();
        try (ServletServer server = start(List.of(hiding, filter))) {
            assertThat(send(server, "GET", "/free", "X-Forwarded-For: 198.51.100.1")
                            .status())
                    .isEqualTo(200);
            assertThat(send(server, "GET", "/free", "Forwarded: for=198.51.100.2")
                            .status())
                    .isEqualTo(200);
            assertThat(send(server, "GET", "/free", "X-Forwarded-For: 198.51.100.1")
                            .status())
                    .isEqualTo(429);
        }
    }

    @Test
    void keysReadAttributesTheUserAndTheRequest() throws Exception {
        Filter application = (request, response, chain) -> {
            if (request.getDispatcherType() == DispatcherType.REQUEST) {
                request.setAttribute("token", 42L);
                request.setAttribute("object", new Object());
            }
            chain.doFilter(new SignedInRequest(request), response);
        };
        Filter probe = (request, response, chain) -> {
            ServletCall call = ServletCall.of((HttpServletRequest) request);
            String found = call.attribute("token") + " " + call.attribute("object") + " "
                    + call.principal().map(Principal::getName) + " "
                    + call.request(HttpServletRequest.class)
                            .filter(request::equals)
                            .isPresent()
                    + call.request(SignedInRequest.class)
                            .filter(request::equals)
                            .isPresent()
                    + call.request(ForwardedPrefixRequest.class).isPresent()
                    + call.request(Closeable.class).isPresent();
            ((HttpServletResponse) response).setHeader("Found", found);
            chain.doFilter(request, response);
        };
        try (ServletServer server = start(List.of(PREFIXING, application, probe))) {
            assertThat(send(server, "GET", "/free", "User: ada").values("Found"))
                    .containsExactly("Optional[42] Optional.empty Optional[ada] truetruetruefalse");
            assertThat(send(server, "GET", "/free").values("Found"))
                    .containsExactly("Optional[42] Optional.empty Optional.empty truetruetruefalse");
        }
    }

    @Test
    void limitersOfARequestAreOneDecisionAndAllOfThemAreInItsFields() throws Exception {
        List<List<String>> asked = new ArrayList<>();
        HttpRateLimiter limiter = limiter(
                new RecordingStore(InProcessStore.create(clock), asked),
                FieldStyle.BOTH,
                byAddress("wide", 10),
                byAddress("narrow", 1));
        RateLimitFilter filter = RateLimitFilter.builder(limiter)
                .limit("/fr*", "wide")
                .limit("/free", "narrow")
                .limit("/**", "wide")
                .build();
        try (ServletServer server = start(List.of(filter))) {
            assertThat(limitFields(send(server, "GET", "/free")))
                    .containsExactly(
                            "RateLimit-Policy: \"wide:m\";q=10;w=60, \"narrow:m\";q=1;w=60",
                            "RateLimit: \"wide:m\";r=9;t=60, \"narrow:m\";r=0;t=60",
                            "X-RateLimit-Limit: 1",
                            "X-RateLimit-Remaining: 0",
                            "X-RateLimit-Reset: " + reset(60));
            Answer rejected = send(server, "GET", "/free");
            assertThat(rejected.status()).isEqualTo(429);
            assertThat(rejected.values("RateLimit")).containsExactly("\"wide:m\";r=9;t=60, \"narrow:m\";r=0;t=60");
            assertThat(send(server, "GET", "/twice").values("RateLimit")).containsExactly("\"m\";r=8;t=60");
            assertThat(asked).containsExactly(List.of("wide", "narrow"), List.of("wide", "narrow"), List.of("wide"));
        }
    }

    @Test
    void costIsAskedOnceForEachLimiterOfARequestWhateverItPasses() throws Exception {
        List<String> asked = Collections.synchronizedList(new ArrayList<>());
        RateLimitFilter filter = RateLimitFilter.builder(limiter(1000))
                .limit("/async*", "contract")
                .limit("/**", "contract")
                .limit("/**", TIGHT)
                .cost((limiter, request) -> {
                    asked.add(limiter);
                    return limiter.equals(TIGHT) ? 3 : 2;
                })
                .build();
        try (ServletServer server = start(List.of(filter, filter))) {
            for (String path :
                    List.of("/async", "/async-sent", "/async-streamed", "/forwarded", "/included", "/sent")) {
                asked.clear();
                send(server, "GET", path);
                assertThat(asked).as(path).containsExactly("contract", TIGHT);
            }
            assertThat(send(server, "GET", "/free").values("X-RateLimit-Remaining"))
                    .containsExactly(Integer.toString(1000 - 7 * 3));
        }
    }

    @Test
    void shadowBesideASecondLimiterIsSilent() throws Exception {
        LimiterSpec<HttpCall> shadow =
                LimiterSpec.of("shadow", Limit.of("h", 1, Duration.ofHours(1)), HttpKeys.clientAddress());
        HttpRateLimiter limiter = limiter(FieldStyle.X_RATELIMIT, shadow.withShadow(true), byAddress(TIGHT, 2));
        RateLimitFilter filter = RateLimitFilter.builder(limiter)
                .limit("/free", "shadow")
                .limit("/free", TIGHT)
                .limit("/twice", "shadow")
                .build();
        try (ServletServer server = start(List.of(filter))) {
            assertThat(limitFields(send(server, "GET", "/free"))).isEqualTo(legacyFields(2, 1));
            assertThat(limitFields(send(server, "GET", "/free"))).isEqualTo(legacyFields(2, 0));
            Answer rejected = send(server, "GET", "/free");
            assertThat(rejected.status()).isEqualTo(429);
            assertThat(limitFields(rejected)).isEqualTo(rejectionFields(2));
            Answer alone = send(server, "GET", "/twice");
            assertThat(alone.status()).isEqualTo(200);
            assertThat(limitFields(alone)).isEmpty();
        }
    }

    /** Who is signed in is known to the second decision only; a refund belongs where the first one took. */
    @Test
    void refundGoesWhereItWasTakenThoughTheCallerIsKnownByThen() throws Exception {
        LimiterSpec<HttpCall> either = LimiterSpec.of(
                "either",
                Limit.of("e", 2, Duration.ofMinutes(1)),
                HttpKeys.principal().orElse(HttpKeys.clientAddress()));
        HttpRateLimiter limiter = limiter(FieldStyle.X_RATELIMIT, either, byAddress(TIGHT, 1));
        RateLimitFilter first =
                RateLimitFilter.builder(limiter).limit("/secret/**", "either").build();
        RateLimitFilter second = RateLimitFilter.builder(limiter)
                .limit("/free", "either")
                .limit("/secret/**", TIGHT)
                .build();
        try (ServletServer server = start(List.of(first, SIGN_IN, second))) {
            assertThat(send(server, "GET", "/secret/pot").status()).isEqualTo(200);
            assertThat(send(server, "GET", "/free", "User: ada").status()).isEqualTo(200);
            assertThat(send(server, "GET", "/free", "User: ada").status()).isEqualTo(200);
            assertThat(send(server, "GET", "/free", "User: ada").status()).isEqualTo(429);

            assertThat(send(server, "GET", "/secret/pot", "User: ada").status()).isEqualTo(429);
            assertThat(send(server, "GET", "/free", "User: ada").status()).isEqualTo(429);
        }
    }

    @Test
    void twoPhasesAreTwoDecisionsAndTheSecondGivesTheFirstItsPermitsBackOnce() throws Exception {
        LimiterSpec<HttpCall> address =
                LimiterSpec.of("address", Limit.of("a", 5, Duration.ofMinutes(1)), HttpKeys.clientAddress());
        LimiterSpec<HttpCall> either = LimiterSpec.of(
                "either",
                Limit.of("e", 2, Duration.ofMinutes(1)),
                HttpKeys.principal().orElse(HttpKeys.clientAddress()));
        List<List<String>> asked = new ArrayList<>();
        HttpRateLimiter limiter =
                limiter(new RecordingStore(InProcessStore.create(clock), asked), FieldStyle.IETF, address, either);
        List<RateLimitFilter> phases = new ArrayList<>();
        for (Phase phase : Phase.values()) {
            phases.add(RateLimitFilter.builder(limiter)
                    .limit("/free", "either")
                    .limit("/secret/**", "either")
                    .limit("/secret/**", "address")
                    .phase(phase)
                    .build());
        }
        try (ServletServer server = start(List.of(phases.get(0), SIGN_IN, phases.get(1)))) {
            assertThat(send(server, "GET", "/secret/pot", "User: bob").values("RateLimit"))
                    .containsExactly("\"a\";r=4;t=60, \"e\";r=1;t=60");
            assertThat(asked).containsExactly(List.of("address"), List.of("either"));
            assertThat(send(server, "GET", "/free", "User: ada").values("RateLimit"))
                    .containsExactly("\"e\";r=1;t=60");
            assertThat(send(server, "GET", "/free", "User: ada").status()).isEqualTo(200);
            assertThat(send(server, "GET", "/free", "User: ada").status()).isEqualTo(429);

            for (int i = 0; i < 3; i++) {
                Answer rejected = send(server, "GET", "/secret/pot", "User: ada");
                assertThat(rejected.status()).isEqualTo(429);
                assertThat(rejected.values("Retry-After")).containsExactly("60");
            }
            assertThat(send(server, "GET", "/free", "User: ada").status()).isEqualTo(429);
            assertThat(send(server, "GET", "/secret/pot", "User: bob").values("RateLimit"))
                    .as("one of bob's before, and none of the rejected")
                    .containsExactly("\"a\";r=3;t=60, \"e\";r=0;t=60");
        }
    }

    /** As filters do that keep old addresses alive. */
    @Test
    void firstMeetingDecidesAlsoIfAFilterBeforeHasForwardedTheRequest() throws Exception {
        Filter forwarding = (request, response, chain) -> {
            String path = ((HttpServletRequest) request).getRequestURI();
            if (path.equals("/old")) {
                request.getRequestDispatcher("/limited/200").forward(request, response);
            } else if (path.equals("/older")) {
                request.startAsync().dispatch("/limited/200");
            } else {
                chain.doFilter(request, response);
            }
        };
        RateLimitFilter filter = RateLimitFilter.builder(limiter(
                        FieldStyle.X_RATELIMIT,
                        LimiterSpec.of(TIGHT, Limit.of("m", 2, Duration.ofMinutes(1)), call -> Key.of("all"))))
                .limit("/limited/**", TIGHT)
                .build();
        try (ServletServer server = start(List.of(forwarding, filter))) {
            assertThat(RawHttp.get(server.base(), "/old").values("X-RateLimit-Remaining"))
                    .containsExactly("1");
            assertThat(RawHttp.get(server.base(), "/older").values("X-RateLimit-Remaining"))
                    .containsExactly("0");
            assertThat(RawHttp.get(server.base(), "/old").status()).isEqualTo(429);
        }
    }

    /** An adapter of the application's own has rejected and leaves the answer to whatever handles the request. */
    @Test
    void rejectedRequestIsNotDecidedAgainWhereverItGoes() throws Exception {
        HttpRateLimiter limiter = limiter(1);
        Filter own = (request, response, chain) -> {
            HttpServletRequest call = (HttpServletRequest) request;
            HttpServletResponse answer = (HttpServletResponse) response;
            String path = call.getRequestURI();
            if (request.getDispatcherType() == DispatcherType.REQUEST && path.startsWith("/both")) {
                HttpVerdict verdict = limiter.check(List.of(TIGHT), ServletCall.of(call));
                ServletVerdict.writeFields(verdict, call, answer);
                if (!verdict.allowed() && "yes".equals(call.getHeader("Forward"))) {
                    call.getRequestDispatcher("/limited/404").forward(request, response);
                    return;
                }
            }
            chain.doFilter(request, response);
        };
        RateLimitFilter filter = RateLimitFilter.builder(limiter)
                .limit("/both", "contract")
                .limit("/limited/**", "contract")
                .build();
        try (ServletServer server = start(List.of(own, filter))) {
            assertThat(limitFields(send(server, "GET", "/both"))).isEqualTo(legacyFields(1, 0));
            for (String forward : List.of("no", "yes")) {
                assertThat(limitFields(send(server, "GET", "/both", "Forward: " + forward)))
                        .as(forward)
                        .isEqualTo(rejectionFields(1));
            }
            assertThat(limitFields(send(server, "GET", "/limited/200"))).isEqualTo(legacyFields(1000, 998));
        }
    }

    @Test
    void rejectionIsWordedForTheCallAndHasTheStatusOfItsBody() throws Exception {
        RateLimitFilter filter = RateLimitFilter.builder(limiter(1))
                .limit("/free", TIGHT)
                .rejectionBody((verdict, call) -> new RejectionBody.Content(
                        503, "text/plain", "later, " + call.headers("Accept-Language") + ' ' + verdict.status()))
                .build();
        try (ServletServer server = start(List.of(filter))) {
            assertThat(send(server, "GET", "/free").status()).isEqualTo(200);
            Answer rejected = send(server, "GET", "/free", "Accept-Language: tlh");
            assertThat(rejected.status()).isEqualTo(503);
            assertThat(rejected.values("Content-Type"))
                    .singleElement()
                    .asString()
                    .startsWith("text/plain");
            assertThat(rejected.body()).isEqualTo("later, [tlh] 429");
            assertThat(limitFields(rejected)).isEqualTo(rejectionFields(1));
        }
    }

    /** Writes down which limiters it is asked about, call by call. */
    private record RecordingStore(Store store, List<List<String>> asked) implements Store {

        @Override
        public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
            asked.add(charges.stream().map(Charge::limiter).toList());
            return store.tryAcquireAsync(charges);
        }

        @Override
        public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
            return store.settleAsync(decision, actual);
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

    private static List<String> remaining(ServletServer server, String field) throws Exception {
        Answer answer = send(server, "GET", "/free", field);
        assertThat(answer.status()).isEqualTo(200);
        return answer.values("X-RateLimit-Remaining");
    }

    static Answer send(ServletServer server, String method, String path, String... fields) throws Exception {
        return RawHttp.send(server.base(), method + " " + path + " HTTP/1.1", fields);
    }
}
