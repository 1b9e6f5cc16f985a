package io.github.ratelimit.servlet;

import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.RawPath;
import io.github.ratelimit.http.RefusalBody;
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

/**
 * Limits requests by path, and keeps the header fields on every response of a limited request.
 *
 * <p>Map it to {@code /*} for all dispatcher types and let it support asynchronous requests. It counts when a request comes in, and never
 * again when that request is forwarded, dispatched anew or shown an error page: then it only sets the fields again that an error page
 * would lose. It decides on the path that the container has decoded and dispatches on; a path that can be read in more than one way is
 * answered with 400 as soon as there is any rule.
 *
 * <p>Safe for concurrent use; holds no resources of its own.
 */
public final class RateLimitFilter implements Filter {

    private static final RefusalBody.Content AMBIGUOUS = new RefusalBody.Content(
            "application/json",
            "{\"error\":{\"code\":\"bad_request\",\"message\":\"The path can be read in more than one way.\"}}");

    private final HttpRateLimiter limiter;
    private final List<PathRule> rules;
    private final boolean refusesAmbiguousPaths;
    private final RefusalBody refusalBody;
    private final RequestCost cost;
    private final PeerAddress peerAddress;

    private RateLimitFilter(Builder builder) {
        this.limiter = builder.limiter;
        this.rules = List.copyOf(builder.rules);
        this.refusesAmbiguousPaths = builder.refusesAmbiguousPaths && !rules.isEmpty();
        this.refusalBody = builder.refusalBody;
        this.cost = builder.cost;
        this.peerAddress = builder.peerAddress;
    }

    /** Starts to describe a filter. */
    public static Builder builder(HttpRateLimiter limiter) {
        return new Builder(limiter);
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest httpRequest)
                || !(response instanceof HttpServletResponse httpResponse)) {
            chain.doFilter(request, response);
            return;
        }
        HttpServletResponse kept = keepingFields(httpRequest, httpResponse);
        if (request.getDispatcherType() == DispatcherType.REQUEST) {
            if (isAnswered(httpRequest, kept)) {
                return;
            }
        } else {
            ServletVerdict.rewriteFields(request, kept);
        }
        chain.doFilter(request, kept);
    }

    private static HttpServletResponse keepingFields(HttpServletRequest request, HttpServletResponse response) {
        boolean keeps = response instanceof FieldKeepingResponse
                || (response instanceof ServletResponseWrapper wrapper
                        && wrapper.isWrapperFor(FieldKeepingResponse.class));
        return keeps ? response : new FieldKeepingResponse(request, response);
    }

    /** Whether the request goes no further. */
    private boolean isAnswered(HttpServletRequest request, HttpServletResponse response) throws IOException {
        // Now, and not with the first decision: an include would take back an attribute that was set within it.
        Remembered.of(request);
        if (refusesAmbiguousPaths && RawPath.isAmbiguous(request.getRequestURI())) {
            ServletVerdict.write(HttpServletResponse.SC_BAD_REQUEST, AMBIGUOUS, response);
            return true;
        }
        if (rules.isEmpty()) {
            return false;
        }
        ServletCall call = ServletCall.of(request, peerAddress);
        String path = call.path();
        for (PathRule rule : rules) {
            if (rule.matches(call, path)) {
                String name = rule.limiter();
                HttpVerdict verdict = limiter.check(name, call, cost.of(name, request));
                if (!verdict.allowed()) {
                    ServletVerdict.refuse(verdict, refusalBody, request, response);
                    return true;
                }
                ServletVerdict.writeFields(verdict, request, response);
            }
        }
        return false;
    }

    /** Gathers what the filter needs. Not safe for concurrent use. */
    public static final class Builder {

        private final HttpRateLimiter limiter;
        private final List<PathRule> rules = new ArrayList<>();
        private boolean refusesAmbiguousPaths = true;
        private RefusalBody refusalBody = RefusalBody.json();
        private RequestCost cost = RequestCost.ONE;
        private PeerAddress peerAddress = PeerAddress.ofContainer();

        private Builder(HttpRateLimiter limiter) {
            this.limiter = limiter;
        }

        /**
         * Limits paths for every method. A request that several rules match is charged by each of their limiters.
         *
         * @param pattern for example {@code /v1/cms/**}; see {@link io.github.ratelimit.http.PathPattern}
         * @param limiter the limiter's name
         * @throws IllegalArgumentException if the pattern is malformed or there is no limiter of that name
         */
        public Builder limit(String pattern, String limiter) {
            return limit(PathRule.of(pattern, limiter));
        }

        /**
         * Limits what the rule matches.
         *
         * @throws io.github.ratelimit.UnknownLimiterException if there is no limiter of the rule's name
         */
        public Builder limit(PathRule rule) {
            limiter.limiters().get(rule.limiter());
            rules.add(rule);
            return this;
        }

        /**
         * Whether a path that can be read in more than one way is answered with 400; if not said, it is.
         *
         * <p>If it is not, the rules hold for the path as this container reads it: no way around them as long as whatever dispatches
         * behind the filter reads it the same way.
         */
        public Builder refuseAmbiguousPaths(boolean refuse) {
            this.refusesAmbiguousPaths = refuse;
            return this;
        }

        /** Words refusals; {@link RefusalBody#json()} if not given. */
        public Builder refusalBody(RefusalBody refusalBody) {
            this.refusalBody = refusalBody;
            return this;
        }

        /** Says what requests cost; one permit each if not given. */
        public Builder cost(RequestCost cost) {
            this.cost = cost;
            return this;
        }

        /** Finds the socket's peer; {@link PeerAddress#ofContainer()} if not given. */
        public Builder peerAddress(PeerAddress peerAddress) {
            this.peerAddress = peerAddress;
            return this;
        }

        /** Makes the filter. */
        public RateLimitFilter build() {
            return new RateLimitFilter(this);
        }
    }
}
