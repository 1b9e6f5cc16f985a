package io.github.ratelimit.http;

import io.github.ratelimit.Decision;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * A decision as HTTP: a status, and header fields that belong to the response even if the application chooses another status.
 *
 * <p>Used by one thread at a time, as the request is.
 */
public final class HttpVerdict {

    /** The request may go on. */
    public static final int OK = 200;

    /** Too Many Requests. Rule: RFC 6585 §4. */
    public static final int TOO_MANY_REQUESTS = 429;

    /** Service Unavailable, because the client made no mistake. Rule: RFC 9110 §15.6.4. */
    public static final int SERVICE_UNAVAILABLE = 503;

    private final Decision decision;
    private final HttpDecisions all;
    private final RateLimitFields fields;

    HttpVerdict(Decision decision, HttpDecisions all, RateLimitFields fields) {
        this.decision = decision;
        this.all = all;
        this.fields = fields;
    }

    /** The decision; if there are several, the rejection. */
    public Decision decision() {
        return decision;
    }

    /** Whether the request may go on. */
    public boolean allowed() {
        return decision.allowed();
    }

    /** 200 if the request may go on, 429 if it is rejected, 503 if the store did not answer and the policy rejects. */
    public int status() {
        if (decision.allowed()) {
            return OK;
        }
        return decision.source() == Decision.Source.NONE ? SERVICE_UNAVAILABLE : TOO_MANY_REQUESTS;
    }

    /**
     * Writes the header fields of all limits that the request has met so far, and {@code Cache-Control: no-store} with a rejection. Without a
     * store's decision there are none but the latter and {@code Retry-After} with 503. Rule: RFC 6585 §4.
     *
     * @param response takes a name and its only value
     */
    public void writeFields(BiConsumer<String, String> response) {
        fields.write(all, status(), response);
        if (!allowed()) {
            response.accept("Cache-Control", "no-store");
        }
    }

    /** The header fields, in their order. */
    public Map<String, String> fields() {
        Map<String, String> fields = new LinkedHashMap<>();
        writeFields(fields::put);
        return Collections.unmodifiableMap(fields);
    }
}
