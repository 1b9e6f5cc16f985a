package io.github.ratelimit.spring;

import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.RefusalBody;
import java.net.URI;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponse;

/**
 * A limiter refuses a request that is about to reach its controller, or, in an application with Spring Web, the call of another bean's method.
 *
 * <p>Handle it to give the refusal the shape of your API; the header fields are on the response already. If nothing handles it,
 * the {@code RefusalBody} makes the answer. A handler of {@code RuntimeException} or of what is wider does not get it: a refusal is no failure of
 * the application's.
 */
public class RateLimitExceededException extends RefusedException implements ErrorResponse {

    private static final long serialVersionUID = 1;

    private final transient HttpVerdict verdict;

    /**
     * Makes one.
     *
     * @param verdict one that is not allowed
     */
    public RateLimitExceededException(HttpVerdict verdict) {
        super(verdict.decision());
        this.verdict = verdict;
    }

    /**
     * What was decided, with the status and the header fields of the response.
     *
     * <p>{@code verdict().decision().statuses()} tells where every limit stands that took part, and which ones are exceeded.
     */
    public HttpVerdict verdict() {
        return verdict;
    }

    @Override
    public HttpStatusCode getStatusCode() {
        return HttpStatusCode.valueOf(verdict.status());
    }

    /**
     * A problem, made afresh with each call. Its headers are none: they are on the response already.
     *
     * <p>Rule: RFC 9457; the problem types of draft-ietf-httpapi-ratelimit-headers.
     */
    @Override
    public ProblemDetail getBody() {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(getStatusCode(), RefusalBody.message(verdict));
        problem.setType(URI.create(RefusalBody.problemType(verdict)));
        problem.setProperty(
                "violated-policies",
                verdict.decision().statuses().stream()
                        .filter(LimitStatus::exceeded)
                        .map(status -> status.limit().name())
                        .toList());
        return problem;
    }
}
