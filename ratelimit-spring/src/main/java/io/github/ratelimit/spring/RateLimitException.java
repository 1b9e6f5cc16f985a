package io.github.ratelimit.spring;

import io.github.ratelimit.Decision;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.RejectionBody;
import org.springframework.util.ClassUtils;

/**
 * A limiter rejects a request before it reaches its controller, or a call of another bean's method.
 *
 * <p>Handle it to give the response the shape of your API: the header fields are set, and the message is fit for clients. Without a handler,
 * the {@code RejectionBody} writes the response. A handler of {@code RuntimeException} or {@code Exception} does not get it, because a rejection
 * is not an error. In an application with Spring Web it is an {@code ErrorResponse} as well.
 *
 * <p>It has no stack trace, because rejections may be many.
 */
public class RateLimitException extends RuntimeException {

    private static final long serialVersionUID = 1;
    private static final boolean WEB =
            ClassUtils.isPresent("org.springframework.web.ErrorResponse", RateLimitException.class.getClassLoader());

    private final transient HttpVerdict verdict;

    /**
     * Makes one.
     *
     * @param verdict one that is not allowed
     */
    protected RateLimitException(HttpVerdict verdict) {
        super(RejectionBody.message(verdict), null, false, false);
        this.verdict = verdict;
    }

    /**
     * Makes one; an {@code ErrorResponse} where there is Spring Web.
     *
     * @param verdict one that is not allowed
     */
    public static RateLimitException of(HttpVerdict verdict) {
        return WEB ? RejectedRequest.by(verdict) : new RateLimitException(verdict);
    }

    /** The decision, with the status and the header fields of the response. */
    public HttpVerdict verdict() {
        return verdict;
    }

    /** Where every limit stands that took part, which ones are exceeded, and until when. */
    public Decision decision() {
        return verdict.decision();
    }
}
