package io.github.ratelimit.spring;

import io.github.ratelimit.http.HttpVerdict;

/**
 * A limiter refuses a request that is about to reach its controller.
 *
 * <p>Handle it to give the refusal the shape of your API; the header fields are on the response already. If nothing handles it,
 * the {@code RefusalBody} makes the answer. Carries no stack trace: a refusal is an answer, and there may be many.
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
        super(message(verdict), null, false, false);
        this.verdict = verdict;
    }

    private static String message(HttpVerdict verdict) {
        return verdict.decision()
                .mostRestrictive()
                .map(status -> "limiter '%s' refuses the request".formatted(status.limiter()))
                .orElse("the store does not answer, and a limiter refuses the request then");
    }

    /**
     * What was decided, with the status and the header fields of the response.
     *
     * <p>{@code verdict().decision().statuses()} tells where every limit stands that took part, and which ones are exceeded.
     */
    public HttpVerdict verdict() {
        return verdict;
    }
}
