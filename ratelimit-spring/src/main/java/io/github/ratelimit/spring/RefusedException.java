package io.github.ratelimit.spring;

import io.github.ratelimit.Decision;

/**
 * A limiter refuses a call.
 *
 * <p>In an application with Spring Web it is a {@link RateLimitExceededException}, which becomes a response of its own where nobody catches it. Carries
 * no stack trace: a refusal is an answer, and there may be many.
 */
public class RefusedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient Decision decision;

    /**
     * Makes one.
     *
     * @param decision one that is not allowed
     */
    public RefusedException(Decision decision) {
        super(message(decision), null, false, false);
        this.decision = decision;
    }

    private static String message(Decision decision) {
        return decision.mostRestrictive()
                .map(status -> "limiter '%s' refuses the request".formatted(status.limiter()))
                .orElse("the store does not answer, and a limiter refuses the request then");
    }

    /** What was decided: where every limit stands that took part, which ones are exceeded, and until when. */
    public Decision decision() {
        return decision;
    }
}
