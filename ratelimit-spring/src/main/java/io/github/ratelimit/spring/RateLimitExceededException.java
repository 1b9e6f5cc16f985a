package io.github.ratelimit.spring;

import io.github.ratelimit.http.HttpVerdict;

/**
 * A limiter refuses a request that is about to reach its controller.
 *
 * <p>Handle it to give the refusal the shape of your API; the header fields are on the response already. Who does not gets the documented
 * JSON. Carries no stack trace: refusals are answers, and come in floods.
 */
public class RateLimitExceededException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient HttpVerdict verdict;

    /**
     * Makes one.
     *
     * @param verdict one that is not allowed
     */
    public RateLimitExceededException(HttpVerdict verdict) {
        super("limiter '%s' refuses the request".formatted(verdict.limiter()), null, false, false);
        this.verdict = verdict;
    }

    /** What was decided, with the status and the header fields of the response. */
    public HttpVerdict verdict() {
        return verdict;
    }
}
