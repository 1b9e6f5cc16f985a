package io.github.ratelimit.spring;

import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.RejectionBody;
import java.net.URI;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponse;

/** The exception where there is Spring Web. A separate class, so that it is loaded only where it is needed. Handle its superclass. */
public final class RejectedRequest extends RateLimitException implements ErrorResponse {

    private static final long serialVersionUID = 1;

    private RejectedRequest(HttpVerdict verdict) {
        super(verdict);
    }

    /** By a method whose type does not name this class: so the caller can be verified without it. */
    static RateLimitException by(HttpVerdict verdict) {
        return new RejectedRequest(verdict);
    }

    @Override
    public HttpStatusCode getStatusCode() {
        return HttpStatusCode.valueOf(verdict().status());
    }

    /**
     * A problem, made afresh with each call. Its headers are none: they are on the response already.
     *
     * <p>Rule: RFC 9457; the problem types of draft-ietf-httpapi-ratelimit-headers.
     */
    @Override
    public ProblemDetail getBody() {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(getStatusCode(), RejectionBody.message(verdict()));
        problem.setType(URI.create(RejectionBody.problemType(verdict())));
        problem.setProperty(
                "violated-policies",
                verdict().decision().statuses().stream()
                        .filter(LimitStatus::exceeded)
                        .map(status -> status.limit().name())
                        .toList());
        return problem;
    }
}
