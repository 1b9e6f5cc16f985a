package io.github.ratelimit.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.contract.HttpContract;
import io.github.ratelimit.contract.PathSpellings;
import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.contract.RawHttp.Answer;
import io.github.ratelimit.contract.TestClock;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.FieldStyle;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpKeys;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.PathPattern;
import io.github.ratelimit.http.RefusalBody;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the filter promises in every container, beyond what every door does. */
abstract class FilterContract extends HttpContract {

    private static final List<String> LIMITED_PATHS = List.of(
            "/limited/**",
            "/forwarded",
            "/included",
            "/sent",
            "/reset",
            "/async",
            "/async-sent",
            "/async-streamed",
            "/twice",
            "/both");

    private static final String TIGHT = "tight";

    private final TestClock clock = new TestClock();

    /** Starts the container. */
    abstract ServletServer start(List<Filter> filters) throws Exception;

    @Override
    protected Server serve(HttpRateLimiter limiter) throws Exception {
        RateLimitFilter.Builder filter = RateLimitFilter.builder(limiter);
        LIMITED_PATHS.forEach(path -> filter.limit(path, "contract"));
        filter.limit("/twice", "contract");
        if (limiter.limiters().names().contains("strict")) {
            filter.limit("/both", "strict");
        }
        RateLimitFilter built = filter.build();
        ServletServer server = start(List.of(built, built)); // registered twice by mistake: still charges once
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
        return new HttpRateLimiter(
                Limiters.<HttpCall>builder(InProcessStore.create(clock))
                        .time(clock)
                        .add(LimiterSpec.of(
                                "contract", Limit.of("m", 1000, Duration.ofMinutes(1)), HttpKeys.clientAddress()))
                        .add(LimiterSpec.of(
                                TIGHT, Limit.of("m", tight, Duration.ofMinutes(1)), HttpKeys.clientAddress()))
                        .build(),
                FieldStyle.LEGACY);
    }

    @Test
    void everyKindOfDispatchIsChargedOnceAndHasEachFieldOnce() throws Exception {
        try (Server server = serve(limiter(1))) {
            int remaining = 1000;
            for (String path : List.of(
                    "/limited/200",
                    "/forwarded",
                    "/included",
                    "/sent",
                    "/reset",
                    "/async",
                    "/async-sent",
                    "/async-streamed",
                    "/limited/thrown",
                    "/limited/404")) {
                Answer answer = RawHttp.get(server.base(), path);
                assertThat(answer.values("X-RateLimit-Limit")).as(path).containsExactly("1000");
                assertThat(answer.values("X-RateLimit-Remaining"))
                        .as(path)
                        .containsExactly(Integer.toString(--remaining));
                assertThat(answer.values("X-RateLimit-Reset")).as(path).hasSize(1);
                assertThat(answer.values("X-Lost")).as(path).isEmpty();
            }
        }
    }

    @Test
    void whatIsServedIsServedWhole() throws Exception {
        try (Server server = serve(limiter(1))) {
            assertThat(RawHttp.get(server.base(), "/included").body()).contains("servedserved");
            assertThat(RawHttp.get(server.base(), "/async").body()).contains("served");
            assertThat(RawHttp.get(server.base(), "/async-streamed").body().split(TestServlet.SERVED, -1))
                    .hasSize(4);
            assertThat(RawHttp.get(server.base(), "/sent").status()).isEqualTo(404);
            assertThat(RawHttp.get(server.base(), "/sent").body()).contains("error page");
            assertThat(RawHttp.get(server.base(), "/reset").status()).isEqualTo(201);
        }
    }

    @Test
    void noSpellingOfAPathIsServedOnceItsPermitsAreSpent() throws Exception {
        RateLimitFilter filter =
                RateLimitFilter.builder(limiter(1)).limit("/secret/**", TIGHT).build();
        List<String> spellings = PathSpellings.of("/secret/pot");
        assertThat(spellings).hasSizeGreaterThan(100);
        try (ServletServer server = start(List.of(filter))) {
            assertThat(RawHttp.get(server.base(), "/secret/pot").body()).contains(TestServlet.SERVED);
            for (String spelling : spellings) {
                Answer answer = RawHttp.get(server.base(), spelling);
                assertThat(answer.body()).as(spelling).doesNotContain(TestServlet.SERVED);
                assertThat(answer.status()).as(spelling).isGreaterThanOrEqualTo(400);
            }
        }
    }

    @Test
    void noSpellingIsServedWithoutFieldsWhereAmbiguousPathsAre() throws Exception {
        RateLimitFilter filter = RateLimitFilter.builder(limiter(1000))
                .limit("/secret/**", TIGHT)
                .refuseAmbiguousPaths(false)
                .build();
        try (ServletServer server = start(List.of(filter))) {
            int served = 0;
            for (String spelling : PathSpellings.of("/secret/pot")) {
                Answer answer = RawHttp.get(server.base(), spelling);
                if (answer.body().contains(TestServlet.SERVED)) {
                    served++;
                    assertThat(answer.values("X-RateLimit-Remaining"))
                            .as(spelling)
                            .hasSize(1);
                }
            }
            assertThat(served).isGreaterThan(5);
        }
    }

    @Test
    void ambiguousPathIsRefusedWithAReason() throws Exception {
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
    void refusalHasTheBodyThatWasGiven() throws Exception {
        RateLimitFilter filter = RateLimitFilter.builder(limiter(1))
                .limit("/free", TIGHT)
                .refusalBody(RefusalBody.problem())
                .build();
        try (ServletServer server = start(List.of(filter))) {
            assertThat(send(server, "GET", "/free").status()).isEqualTo(200);
            Answer refused = send(server, "GET", "/free");
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.values("Content-Type"))
                    .singleElement()
                    .asString()
                    .startsWith("application/problem+json");
            assertThat(refused.body()).contains("quota-exceeded", "\"violated-policies\":[\"m\"]");
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
        HttpRateLimiter limiter = new HttpRateLimiter(
                Limiters.<HttpCall>builder(InProcessStore.create(clock))
                        .time(clock)
                        .add(LimiterSpec.of(
                                TIGHT,
                                Limit.of("m", 1, Duration.ofMinutes(1)),
                                ClientAddress.of(List.of("127.0.0.1"), ClientAddress.DEFAULT_IPV6_PREFIX)))
                        .build(),
                FieldStyle.LEGACY);
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
    void keysReadAttributesAndTheUser() throws Exception {
        Filter application = (request, response, chain) -> {
            if (request.getDispatcherType() == DispatcherType.REQUEST) {
                request.setAttribute("token", 42L);
                request.setAttribute("object", new Object());
            }
            chain.doFilter(request, response);
        };
        Filter probe = (request, response, chain) -> {
            ServletCall call = ServletCall.of((HttpServletRequest) request);
            String found = call.attribute("token") + " " + call.attribute("object") + " " + call.user();
            ((HttpServletResponse) response).setHeader("Found", found);
            chain.doFilter(request, response);
        };
        try (ServletServer server = start(List.of(application, probe))) {
            assertThat(send(server, "GET", "/free").values("Found"))
                    .containsExactly("Optional[42] Optional.empty Optional.empty");
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
