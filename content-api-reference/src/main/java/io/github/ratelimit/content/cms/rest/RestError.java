package io.github.ratelimit.content.cms.rest;

import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.server.http.UnavailableException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** An answer that is an error: {@code {"code": …, "message": …, "data": {"status": …}}}. */
public final class RestError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;
    private final transient @Nullable ObjectNode data;
    private final transient @Nullable JsonNode additional;
    private final @Nullable String retryAfter;

    private RestError(
            int status,
            String code,
            String message,
            @Nullable ObjectNode data,
            @Nullable JsonNode additional,
            @Nullable String retryAfter) {
        // Part of ordinary traffic: a stack trace would cost more than the request.
        super(message, null, false, false);
        this.status = status;
        this.code = code;
        this.data = data;
        this.additional = additional;
        this.retryAfter = retryAfter;
    }

    /**
     * Rejects a request.
     *
     * @param status of HTTP
     * @param code for clients, such as {@code rest_post_invalid_id}
     * @param message for people
     * @return what to throw
     */
    public static RestError of(int status, String code, String message) {
        return new RestError(status, code, message, null, null, null);
    }

    /**
     * Rejects texts that nobody keeps.
     *
     * @param most the characters that are kept
     * @return what to throw: 400
     */
    public static RestError tooLong(int most) {
        return of(
                400,
                "rest_content_too_long",
                "There is more text than the " + most + " characters that this server keeps.");
    }

    /**
     * Rejects a request for lack of rights: 401 to callers without an account, 403 to others.
     *
     * @param caller who asked
     * @param code for clients
     * @param message for people
     * @return what to throw
     */
    public static RestError forbidden(Caller caller, String code, String message) {
        return of(caller.isAnonymous() ? 401 : 403, code, message);
    }

    /**
     * Answers for what is given up.
     *
     * @param reason why
     * @return 503, 408 or 413, and when to come again
     */
    public static RestAnswer unavailable(UnavailableException reason) {
        String code = switch (reason.status()) {
            case 408 -> "rest_too_slow";
            case 413 -> "rest_request_too_large";
            default -> "rest_unavailable";
        };
        RestAnswer answer =
                of(reason.status(), code, String.valueOf(reason.getMessage())).toAnswer();
        return reason.isPassing() ? answer.withHeader("Retry-After", UnavailableException.RETRY_AFTER) : answer;
    }

    /**
     * Answers what no route serves.
     *
     * @return what to throw
     */
    public static RestError noRoute() {
        return of(404, "rest_no_route", "No route was found matching the URL and request method.");
    }

    /**
     * Adds a member to {@code data}.
     *
     * @param name of the member
     * @param value of the member
     * @return the changed copy
     */
    public RestError with(String name, JsonNode value) {
        ObjectNode members = data == null ? JsonNodeFactory.instance.objectNode() : data.deepCopy();
        return new RestError(status, code, text(), members.set(name, value), additional, retryAfter);
    }

    /**
     * Adds what is known besides the first error.
     *
     * @param list of further {@code data}
     * @return the changed copy
     */
    public RestError withAdditional(JsonNode list) {
        return new RestError(status, code, text(), data, list, retryAfter);
    }

    /**
     * Rejects a request because there were too many.
     *
     * @param retryAfter whole seconds, for the header {@code Retry-After}
     * @return what to throw
     */
    public static RestError tooMany(String retryAfter) {
        return of(429, "rest_rate_limited", "Too many requests. Please slow down.")
                .withRetryAfter(retryAfter);
    }

    /**
     * Adds when the same may be asked again.
     *
     * @param seconds whole ones
     * @return the changed copy
     */
    public RestError withRetryAfter(String seconds) {
        return new RestError(status, code, text(), data, additional, seconds);
    }

    /**
     * Tells the status of HTTP.
     *
     * @return 400 or more
     */
    public int status() {
        return status;
    }

    /**
     * Tells the code.
     *
     * @return for clients
     */
    public String code() {
        return code;
    }

    /**
     * Makes the answer that carries this error.
     *
     * @return with the headers that belong to it
     */
    public RestAnswer toAnswer() {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("code", code);
        body.put("message", text());
        ObjectNode members = body.putObject("data").put("status", status);
        if (data != null) {
            members.setAll(data);
        }
        if (additional != null) {
            body.set("additional_data", additional);
        }
        RestAnswer answer = RestAnswer.of(status, body);
        return retryAfter == null ? answer : answer.withHeader("Retry-After", retryAfter);
    }

    private String text() {
        return String.valueOf(getMessage());
    }
}
