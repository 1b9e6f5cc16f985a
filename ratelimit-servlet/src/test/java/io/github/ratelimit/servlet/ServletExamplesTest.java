package io.github.ratelimit.servlet;

import static jakarta.servlet.DispatcherType.ASYNC;
import static jakarta.servlet.DispatcherType.ERROR;
import static jakarta.servlet.DispatcherType.FORWARD;
import static jakarta.servlet.DispatcherType.INCLUDE;
import static jakarta.servlet.DispatcherType.REQUEST;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Phase;
import io.github.ratelimit.Store;
import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.FieldStyle;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpKeys;
import io.github.ratelimit.http.HttpRateLimiter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.annotation.WebFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The examples of docs/servlet.md. */
class ServletExamplesTest {

    // region filter
    static void addRateLimit(@Nullable Set<Class<?>> classes, ServletContext context) {
        Limiters<HttpCall> limiters = Limiters.<HttpCall>builder(InProcessStore.create())
                .add(LimiterSpec.of(
                        "api",
                        Limit.of("per-minute", 30, Duration.ofMinutes(1)),
                        ClientAddress.of(List.of("10.0.0.0/8"), 64)))
                .build();
        RateLimitFilter filter = RateLimitFilter.builder(new HttpRateLimiter(limiters, FieldStyle.X_RATELIMIT))
                .limit("/limited/**", "api")
                .cost((limiter, request) -> request.getRequestURI().endsWith("/202") ? 25 : 1) // a batch
                .build();

        FilterRegistration.Dynamic registration = context.addFilter("ratelimit", filter);
        registration.setAsyncSupported(true);
        registration.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), false, "/*");
    }
    // endregion

    // region deployed
    @WebFilter(
            urlPatterns = "/*",
            asyncSupported = true,
            dispatcherTypes = {REQUEST, FORWARD, INCLUDE, ASYNC, ERROR})
    public static class Limits extends DeployedRateLimitFilter {

        @Override
        protected RateLimitFilter create(FilterConfig config) {
            Store store = closing(InProcessStore.create()); // when the application is undeployed
            Limiters<HttpCall> limiters = Limiters.<HttpCall>builder(store)
                    .add(LimiterSpec.of("api", Limit.of(30, Duration.ofMinutes(1)), HttpKeys.clientAddress()))
                    .build();
            return RateLimitFilter.builder(new HttpRateLimiter(limiters, FieldStyle.X_RATELIMIT))
                    .limit("/limited/**", "api")
                    .build();
        }
    }
    // endregion

    // region phases
    static List<Filter> bothPhases(HttpRateLimiter limiter, Filter authentication) {
        List<Filter> filters = new ArrayList<>();
        for (Phase phase : Phase.values()) {
            filters.add(RateLimitFilter.builder(limiter)
                    .limit("/limited/**", "by-address")
                    .limit("/limited/**", "by-user")
                    .phase(phase)
                    .build());
        }
        filters.add(1, authentication);
        return filters;
    }
    // endregion

    @Test
    void eachPhaseDecidesByWhatIsKnown() throws Exception {
        HttpRateLimiter limiter = new HttpRateLimiter(
                Limiters.<HttpCall>builder(InProcessStore.create())
                        .add(LimiterSpec.of(
                                "by-address", Limit.of("a", 9, Duration.ofHours(1)), HttpKeys.clientAddress()))
                        .add(LimiterSpec.of("by-user", Limit.of("u", 1, Duration.ofHours(1)), HttpKeys.principal()))
                        .build(),
                FieldStyle.X_RATELIMIT);
        Filter authentication = (request, response, chain) -> chain.doFilter(new SignedInRequest(request), response);
        try (ServletServer server = TomcatServer.start(new TestServlet(), bothPhases(limiter, authentication))) {
            for (String user : List.of("ada", "bob")) {
                assertThat(RawHttp.get(server.base(), "/limited/200", "User: " + user)
                                .status())
                        .isEqualTo(200);
                assertThat(RawHttp.get(server.base(), "/limited/200", "User: " + user)
                                .status())
                        .isEqualTo(429);
            }
        }
    }

    @Test
    void filterIsRegisteredWithTheContext() throws Exception {
        try (ServletServer server =
                TomcatServer.start(new TestServlet(), List.of(), ServletExamplesTest::addRateLimit)) {
            assertThat(RawHttp.get(server.base(), "/limited/202").values("X-RateLimit-Remaining"))
                    .containsExactly("5");
            assertThat(RawHttp.get(server.base(), "/limited/200").values("X-RateLimit-Remaining"))
                    .containsExactly("4");
            assertThat(RawHttp.get(server.base(), "/limited/202").status()).isEqualTo(429);
            assertThat(RawHttp.get(server.base(), "/free").values("X-RateLimit-Remaining"))
                    .isEmpty();
        }
    }
}
