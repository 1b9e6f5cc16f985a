package io.github.ratelimit.content.server.http;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An error that no controller describes itself.
 *
 * <p>All text is constant: nothing of the request and nothing of an exception is repeated, so nothing leaks and nothing
 * needs escaping.
 *
 * @param status the status of the response
 * @param code for programs
 * @param message for people; one sentence
 */
public record ErrorBody(int status, String code, String message) {

    private static final Pattern ESCAPED_SLASH = Pattern.compile("(?:/|\\\\|%2f|%5c)+", Pattern.CASE_INSENSITIVE);

    /**
     * Describes an error.
     *
     * @param status the status of the response
     * @return its code and its message
     */
    public static ErrorBody of(int status) {
        return switch (status) {
            case 401 -> new ErrorBody(status, "unauthorized", "The name or the password is missing or wrong.");
            case 403 -> new ErrorBody(status, "forbidden", "This is not allowed.");
            case 404 -> new ErrorBody(status, "not_found", "There is nothing at this address.");
            case 405 -> new ErrorBody(status, "method_not_allowed", "This method is not offered at this address.");
            case 406 -> new ErrorBody(status, "not_acceptable", "The answer cannot be given in an accepted format.");
            case 408 -> new ErrorBody(status, "too_slow", "The body took too long to come.");
            case 413 -> new ErrorBody(status, "too_large", "The body is too large.");
            case 414 -> new ErrorBody(status, "uri_too_long", "The address is too long.");
            case 415 -> new ErrorBody(status, "unsupported_media_type", "The body must be sent as application/json.");
            case 429 -> new ErrorBody(status, "rate_limited", "Too many requests. Please slow down.");
            case 431 -> new ErrorBody(status, "header_too_large", "The header is too large.");
            case 503 -> new ErrorBody(status, "unavailable", "The service is not available at the moment.");
            case 505 -> new ErrorBody(status, "http_version_not_supported", "This version of HTTP is not spoken here.");
            default ->
                status < 500
                        ? new ErrorBody(status, "bad_request", "The request could not be understood.")
                        : new ErrorBody(status, "internal_error", "Something went wrong on the server.");
        };
    }

    /**
     * Writes the error as JSON.
     *
     * @param path the path of the request; null if the container could not parse it
     * @return {@code {"error":{"code","message"}}} for the widget and bulk-sync surfaces, else
     *     {@code {"code","message","data":{"status"}}}
     */
    public String json(@Nullable String path) {
        String members = "\"code\":\"" + code + "\",\"message\":\"" + message + "\"";
        return path != null && isLimitedSurface(path)
                ? "{\"error\":{" + members + "}}"
                : "{" + members + ",\"data\":{\"status\":" + status + "}}";
    }

    /** Tells whether programs send requests to a path: the content interface and the limited surfaces. */
    static boolean isOfAnInterface(@Nullable String path) {
        return path == null || path.startsWith("/index.php") || isLimitedSurface(path);
    }

    /** Returns the heading of a page about the error. */
    String title() {
        return switch (status) {
            case 401 -> "Sign-in failed";
            case 403 -> "Not allowed";
            case 404 -> "Not found";
            case 429 -> "Too many requests";
            default -> status < 500 ? "Bad request" : "Error " + status;
        };
    }

    /** Returns the sentence of a page about the error. */
    String sentence() {
        return switch (status) {
            case 401 -> message + " Reload the page to try again.";
            case 429 -> "Too many attempts from this address. Try again in a minute.";
            default -> message;
        };
    }

    /** A path that the container rejects is not decoded, so an escaped slash counts as a slash here. */
    private static boolean isLimitedSurface(String path) {
        String plain = ESCAPED_SLASH.matcher(path).replaceAll("/");
        return plain.startsWith("/api/v1/widget") || plain.startsWith("/v1/cms");
    }
}
