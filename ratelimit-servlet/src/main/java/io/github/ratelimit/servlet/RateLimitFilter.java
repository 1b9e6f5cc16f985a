package io.github.ratelimit.servlet;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.Phase;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.RejectionBody;
import io.github.ratelimit.http.UnreadableCostException;
import io.github.ratelimit.http.adapter.AdapterMistake;
import io.github.ratelimit.http.adapter.ExcludedPaths;
import io.github.ratelimit.http.adapter.PathPattern;
import io.github.ratelimit.http.adapter.PathRule;
import io.github.ratelimit.http.adapter.PathRules;
import io.github.ratelimit.http.adapter.RawPath;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Limits requests by path, and keeps the header fields on every response of a limited request.
 *
 * <p>Map it to {@code /*} for all dispatcher types and let it support asynchronous requests. All limiters that a request meets here are one
 * decision: all of them take its cost, or none does. It decides once, when it first meets a request. On a later forward, an asynchronous
 * dispatch or an error page it only restores header fields. It decides on the path that the container has decoded and dispatches on; a path that can be
 * read in more than one way is answered with 400 where a rule could match it.
 *
 * <p>Where some limiters decide before authentication and some after it, register two filters, each with its {@link Builder#phase}. Safe
 * for concurrent use; holds no resources.
 */
public final class RateLimitFilter implements Filter {

    private final HttpRateLimiter limiter;
    private final PathRules rules;
    private final Rejections rejections;
    private final RequestCost cost;
    private final ServletOrigin origin;
    private final @Nullable Phase phase;
    private final Consumer<AdapterMistake> onMistake;

    private RateLimitFilter(Builder builder) {
        this.limiter = builder.limiter;
        this.phase = builder.phase;
        this.rules = new PathRules(builder.rules, this::decides, builder.excluded, builder.rejectsAmbiguousPaths);
        this.rejections = builder.rejections;
        this.cost = builder.cost;
        this.origin = builder.origin;
        this.onMistake = builder.onMistake;
    }

    /** Starts to describe a filter. */
    public static Builder builder(HttpRateLimiter limiter) {
        return new Builder(limiter);
    }

    /**
     * Settles the permits of a request by its real cost, such as the tokens of a model's answer. A smaller cost gives permits back. A
     * larger one takes more, even above the limit. Once for each request. The header fields tell it if the response has not begun yet.
     *
     * <p>A completed request is gone: to settle after it, keep its {@link ServletCall#decisions()}.
     *
     * @param limiter the limiter's name
     * @param actual permits, 0 or more
     * @return completes when it is done, or exceptionally with {@link io.github.ratelimit.StoreException}; at once if the limiter took nothing
     * @throws IllegalArgumentException if {@code actual} is negative
     */
    public static CompletableFuture<Void> settle(ServletRequest request, String limiter, long actual) {
        return RequestState.of(request).settle(limiter, actual);
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest httpRequest)
                || !(response instanceof HttpServletResponse httpResponse)) {
            chain.doFilter(request, response);
            return;
        }
        // Now, and not with the first decision: an include would take back an attribute that was set within it.
        RequestState remembered = RequestState.of(request);
        HttpServletResponse kept = keepingFields(remembered, httpResponse);
        DispatcherType dispatch = request.getDispatcherType();
        boolean isNew =
                dispatch != DispatcherType.ERROR && dispatch != DispatcherType.INCLUDE && !remembered.meetsAgain(this);
        if (!isNew && dispatch == DispatcherType.REQUEST) {
            onMistake.accept(AdapterMistake.REGISTERED_TWICE);
        }
        if (!isNew || remembered.decisions.isRejected()) {
            remembered.rewrite(kept);
        } else if (isAnswered(httpRequest, remembered, kept)) {
            return;
        }
        serve(httpRequest, kept, remembered, chain);
    }

    /** If code behind this filter rejects the request, checks that the client gets the rejection. The outermost filter ends the request. */
    private void serve(
            HttpServletRequest request, HttpServletResponse response, RequestState remembered, FilterChain chain)
            throws IOException, ServletException {
        boolean returned = false;
        remembered.enter();
        try {
            chain.doFilter(request, response);
            returned = true;
        } finally {
            if (remembered.decisions.isRejected()
                    && (!returned || AdapterMistake.swallows(response.getStatus()))
                    && remembered.swallowsRejection()) {
                onMistake.accept(AdapterMistake.REJECTION_SWALLOWED);
            }
            remembered.leave(request, response, returned);
        }
    }

    private static HttpServletResponse keepingFields(RequestState remembered, HttpServletResponse response) {
        boolean keeps = response instanceof FieldKeepingResponse
                || (response instanceof ServletResponseWrapper wrapper
                        && wrapper.isWrapperFor(FieldKeepingResponse.class));
        return keeps ? response : new FieldKeepingResponse(remembered, response);
    }

    /** Whether the request goes no further. */
    private boolean isAnswered(HttpServletRequest request, RequestState remembered, HttpServletResponse response)
            throws IOException {
        ServletCall call = new ServletCall(request, origin, remembered);
        if (rules.areUncertainOf(call) && rules.mayBeAvoidedBy(call, request.getContextPath())) {
            ServletVerdict.write(RawPath.REJECTION, response);
            return true;
        }
        List<String> names = rules.limitersOf(call);
        if (names.isEmpty()) {
            return false;
        }
        HttpVerdict verdict;
        try {
            verdict = cost == RequestCost.ONE
                    ? limiter.check(names, call)
                    : limiter.check(names, call, name -> cost.of(name, request));
        } catch (UnreadableCostException e) {
            ServletVerdict.write(e.content(), response);
            return true;
        }
        if (phase == Phase.BEFORE_AUTHENTICATION && call.lacksUser()) {
            onMistake.accept(AdapterMistake.USER_TOO_EARLY);
        }
        if (verdict.allowed()) {
            remembered.write(verdict, response);
            return false;
        }
        rejections.answer(verdict, call, response);
        if (AdapterMistake.swallows(response.getStatus())) {
            onMistake.accept(AdapterMistake.REJECTION_SWALLOWED);
        }
        return true;
    }

    /** Whether a limiter decides in this filter's phase. */
    private boolean decides(String name) {
        return phase == null || limiter.limiters().spec(name).phase() == phase;
    }

    /** Gathers what the filter needs. Not safe for concurrent use. */
    public static final class Builder {

        private final HttpRateLimiter limiter;
        private final List<PathRule> rules = new ArrayList<>();
        private ExcludedPaths excluded = ExcludedPaths.NONE;
        private boolean rejectsAmbiguousPaths = true;
        private Rejections rejections = Rejections.by(RejectionBody.json());
        private RequestCost cost = RequestCost.ONE;
        private ServletOrigin origin = ServletOrigin.ofContainer();
        private @Nullable Phase phase;
        private Consumer<AdapterMistake> onMistake = new LoggedMistakes();

        private Builder(HttpRateLimiter limiter) {
            this.limiter = requireNonNull(limiter, "limiter");
        }

        /**
         * Limits paths for every method. A request that several rules match is charged by all of their limiters or by none.
         *
         * @param pattern for example {@code /v1/cms/**}; see {@link PathPattern}
         * @param limiter the limiter's name
         * @throws IllegalArgumentException if the pattern is malformed
         * @throws IllegalArgumentException if there is no limiter of that name
         */
        public Builder limit(String pattern, String limiter) {
            return limit(PathRule.of(pattern, limiter));
        }

        /**
         * Limits what the rule matches.
         *
         * @throws IllegalArgumentException if there is no limiter of the rule's name
         */
        public Builder limit(PathRule rule) {
            limiter.limiters().get(rule.limiter());
            rules.add(rule);
            return this;
        }

        /** Excluded paths, which no rule limits; none by default. */
        public Builder exclude(ExcludedPaths excluded) {
            this.excluded = requireNonNull(excluded, "excluded");
            return this;
        }

        /**
         * Whether a path that can be read in more than one way, and that a rule could match, is answered with 400; if not said, it is.
         *
         * <p>If it is not, the rules are matched against the path as this container reads it. Where a framework or a server behind the filter
         * reads it otherwise, a limit can be avoided.
         */
        public Builder rejectAmbiguousPaths(boolean reject) {
            this.rejectsAmbiguousPaths = reject;
            return this;
        }

        /** Makes the answer to a rejected request; {@link RejectionBody#json()} if not given. */
        public Builder rejectionBody(RejectionBody rejectionBody) {
            return rejections(Rejections.by(rejectionBody));
        }

        /** Answers rejected requests, for example as a framework would; in place of {@link #rejectionBody}. */
        public Builder rejections(Rejections rejections) {
            this.rejections = requireNonNull(rejections, "rejections");
            return this;
        }

        /** Says what requests cost; one permit each if not given. */
        public Builder cost(RequestCost cost) {
            this.cost = requireNonNull(cost, "cost");
            return this;
        }

        /** Finds where requests come from; {@link ServletOrigin#ofContainer()} if not given. */
        public Builder origin(ServletOrigin origin) {
            this.origin = requireNonNull(origin, "origin");
            return this;
        }

        /**
         * Holds only those of the rules whose limiter decides in that phase; all of them if not given.
         *
         * <p>Give the same rules to two filters, one before the application's authentication and one behind it. Each request gets one decision
         * in each. A rejection in the second one gives back the permits of the first.
         */
        public Builder phase(Phase phase) {
            this.phase = requireNonNull(phase, "phase");
            return this;
        }

        /**
         * Hears, with each request that shows it, that something is wrong with how the filter is set up; on the request's thread. If not given,
         * each mistake is a warning once, in the log of this class.
         */
        public Builder onMistake(Consumer<AdapterMistake> onMistake) {
            this.onMistake = requireNonNull(onMistake, "onMistake");
            return this;
        }

        /** Makes the filter. */
        public RateLimitFilter build() {
            return new RateLimitFilter(this);
        }
    }
}
