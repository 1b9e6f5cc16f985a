package io.github.ratelimit.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.http.FieldStyle;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpKeys;
import io.github.ratelimit.http.HttpRateLimiter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the adapter allocates for an allowed request, on top of the decision itself. */
class AllocationTest {

    /** Chosen: the texts of three fields and the kept decision, a fortieth of what a container allocates for a short request. */
    private static final long MOST_BYTES = 600;

    /** Chosen: a list of two names, and what the compiler no longer takes off the heap in the longer way through. */
    private static final long MOST_BYTES_OF_A_FURTHER_LIMITER = 100;

    private static final int WARM = 50_000;
    private static final int MEASURED = 10_000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Limiters<HttpCall> limiters = Limiters.<HttpCall>builder(InProcessStore.create())
            .add(LimiterSpec.of(
                    "api", Limit.of("per-hour", 1_000_000_000, Duration.ofHours(1)), HttpKeys.clientAddress()))
            .add(LimiterSpec.of(
                    "strict", Limit.of("per-day", 1_000_000_000, Duration.ofDays(1)), HttpKeys.clientAddress()))
            .build();
    private final HttpRateLimiter limiter = new HttpRateLimiter(limiters, FieldStyle.X_RATELIMIT);
    private final FilterChain served = (request, response) -> {};
    private final OneRequest request = new OneRequest();
    private final OneResponse response = new OneResponse();

    @Test
    void allowedRequestAllocatesLittleBesideItsDecision() throws Exception {
        RateLimitFilter filter = RateLimitFilter.builder(limiter)
                .limit("/other/**", "strict")
                .limit("/api/*/messages", "api")
                .build();
        assertThat(bytesBeside(filter, List.of("api"))).isPositive().isLessThanOrEqualTo(MOST_BYTES);
        assertThat(response.fields).isEqualTo(3);
    }

    @Test
    void allowedRequestOfTwoLimitersAllocatesLittleBesideItsDecision() throws Exception {
        RateLimitFilter filter = RateLimitFilter.builder(limiter)
                .limit("/api/**", "strict")
                .limit("/api/*/messages", "api")
                .build();
        assertThat(bytesBeside(filter, List.of("strict", "api")))
                .isPositive()
                .isLessThanOrEqualTo(MOST_BYTES + MOST_BYTES_OF_A_FURTHER_LIMITER);
        assertThat(response.fields).isEqualTo(3);
    }

    @Test
    void requestThatNoRuleMatchesAllocatesLittle() throws Exception {
        RateLimitFilter filter =
                RateLimitFilter.builder(limiter).limit("/other/**", "api").build();
        assertThat(bytes(() -> filter.doFilter(request.fresh(), response.fresh(), served)))
                .isLessThanOrEqualTo(MOST_BYTES / 3);
        assertThat(response.fields).isZero();
    }

    private long bytesBeside(RateLimitFilter filter, List<String> names) throws Exception {
        ServletCall call = ServletCall.of(new OneRequest());
        assertThat(call.origin().peer()).isEqualTo("203.0.113.7");
        long all = bytes(() -> filter.doFilter(request.fresh(), response.fresh(), served));
        long decision = bytes(() -> limiters.of(names).tryAcquire(call));
        return all - decision;
    }

    private interface Action {
        void run() throws Exception;
    }

    /** The fewest of several rounds: another thread's compiler may still be at work in the first. */
    private static long bytes(Action action) throws Exception {
        for (int i = 0; i < WARM; i++) {
            action.run();
        }
        long fewest = Long.MAX_VALUE;
        for (int round = 0; round < 10; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < MEASURED; i++) {
                action.run();
            }
            fewest = Math.min(fewest, (THREADS.getCurrentThreadAllocatedBytes() - before) / MEASURED);
        }
        return fewest;
    }

    /** Allocates nothing itself. */
    private static final class OneRequest extends HttpServletRequestWrapper {

        private static final HttpServletRequest INNERMOST = (HttpServletRequest) Proxy.newProxyInstance(
                AllocationTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getRemoteAddr" -> "203.0.113.7";
                    case "getRequestURI" -> "/api/v1/messages";
                    default -> throw new UnsupportedOperationException(method.toString());
                });

        private @Nullable String name;
        private @Nullable Object value;

        OneRequest() {
            super(INNERMOST);
        }

        OneRequest fresh() {
            value = null;
            return this;
        }

        @Override
        public @Nullable Object getAttribute(String attribute) {
            return attribute.equals(name) ? value : null;
        }

        @Override
        public void setAttribute(String attribute, Object value) {
            if (this.value != null) {
                throw new IllegalStateException("a second attribute: " + attribute);
            }
            this.name = attribute;
            this.value = value;
        }

        @Override
        public DispatcherType getDispatcherType() {
            return DispatcherType.REQUEST;
        }

        @Override
        public String getMethod() {
            return "GET";
        }

        @Override
        public String getServletPath() {
            return "/api/v1/messages";
        }

        @Override
        public @Nullable String getPathInfo() {
            return null;
        }
    }

    /** Allocates nothing itself. */
    private static final class OneResponse extends HttpServletResponseWrapper {

        private static final HttpServletResponse INNERMOST = (HttpServletResponse) Proxy.newProxyInstance(
                AllocationTest.class.getClassLoader(),
                new Class<?>[] {HttpServletResponse.class},
                (proxy, method, arguments) -> {
                    throw new UnsupportedOperationException(method.toString());
                });

        private int fields;

        OneResponse() {
            super(INNERMOST);
        }

        OneResponse fresh() {
            fields = 0;
            return this;
        }

        @Override
        public void setHeader(String name, String value) {
            fields++;
        }
    }
}
