package io.github.ratelimit.http;

import io.github.ratelimit.Decision;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A decision in the words of HTTP.
 *
 * <p>Immutable and safe for concurrent use.
 *
 * @param limiter the name of the limiter that decided
 * @param decision the decision
 * @param status 200 if the request may go on, 429 if it is refused, 503 if the store did not answer and the limiter refuses then
 * @param fields header fields for the response, whatever its status turns out to be; those of all limits that the request has met so far
 */
public record HttpVerdict(String limiter, Decision decision, int status, Map<String, String> fields) {

    /** The request may go on. */
    public static final int OK = 200;

    /** Too Many Requests. Rule: RFC 6585 §4. */
    public static final int TOO_MANY_REQUESTS = 429;

    /** Service Unavailable: no fault of the client's. Rule: RFC 9110 §15.6.4. */
    public static final int SERVICE_UNAVAILABLE = 503;

    /** Copies the fields, in their order. */
    public HttpVerdict {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /** Whether the request may go on. */
    public boolean allowed() {
        return decision.allowed();
    }
}
