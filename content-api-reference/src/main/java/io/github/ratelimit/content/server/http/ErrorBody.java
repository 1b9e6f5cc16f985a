package io.github.ratelimit.content.server.http;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer that no controller wrote.
 *
 * <p>All text is constant: nothing of the request and nothing of an exception is repeated, so nothing leaks and nothing
 * needs escaping.
 */
final class ErrorBody {

    private static final Pattern ESCAPED_SLASH = Pattern.compile("(?:/|\\\\|%2f|%5c)+", Pattern.CASE_INSENSITIVE);

    private ErrorBody() {}

    /**
     * Writes the error as JSON.
     *
     * @param status the status of the answer
     * @param path the path that was asked for; null where the container did not get as far as parsing it
     * @return {@code {"error":{"code","message"}}} for the widget and bulk-sync surfaces, else
     *     {@code {"code","message","data":{"status"}}}
     */
    static String json(int status, @Nullable String path) {
        String code = code(status);
        String message = message(status);
        if (path != null && isLimitedSurface(path)) {
            return "{\"error\":{\"code\":\"" + code + "\",\"message\":\"" + message + "\"}}";
        }
        return "{\"code\":\"" + code + "\",\"message\":\"" + message + "\",\"data\":{\"status\":" + status + "}}";
    }

    /** Whether programs ask there: the content interface and the limited surfaces. */
    static boolean isOfAnInterface(@Nullable String path) {
        return path == null || path.startsWith("/index.php") || isLimitedSurface(path);
    }

    /** The heading of a page about an error. */
    static String title(int status) {
        return switch (status) {
            case 401 -> "Sign-in failed";
            case 403 -> "Not allowed";
            case 404 -> "Not found";
            case 429 -> "Too many requests";
            default -> status < 500 ? "Bad request" : "Error " + status;
        };
    }

    /** The sentence of a page about an error. */
    static String sentence(int status) {
        return switch (status) {
            case 401 -> "The name or the password is missing or wrong. Reload the page to try again.";
            case 429 -> "Too many attempts from this address. Try again in a minute.";
            default -> message(status);
        };
    }

    /** What the container rejects was never decoded: an escaped slash is one here, whoever sent it meant one. */
    private static boolean isLimitedSurface(String path) {
        String plain = ESCAPED_SLASH.matcher(path).replaceAll("/");
        return plain.startsWith("/api/v1/widget") || plain.startsWith("/v1/cms");
    }

    private static String code(int status) {
        return switch (status) {
            case 400 -> "bad_request";
            case 401 -> "unauthorized";
            case 403 -> "forbidden";
            case 404 -> "not_found";
            case 405 -> "method_not_allowed";
            case 406 -> "not_acceptable";
            case 408 -> "too_slow";
            case 413 -> "too_large";
            case 414 -> "uri_too_long";
            case 415 -> "unsupported_media_type";
            case 429 -> "rate_limited";
            case 431 -> "header_too_large";
            case 503 -> "unavailable";
            case 505 -> "http_version_not_supported";
            default -> status < 500 ? "bad_request" : "internal_error";
        };
    }

    private static String message(int status) {
        return switch (status) {
            case 401 -> "A valid token is needed.";
            case 403 -> "This is not allowed.";
            case 404 -> "There is nothing at this address.";
            case 405 -> "This method is not offered at this address.";
            case 406 -> "The answer cannot be given in an accepted format.";
            case 408 -> "The body took too long to come.";
            case 413 -> "The body is too large.";
            case 414 -> "The address is too long.";
            case 415 -> "The body must be sent as application/json.";
            case 429 -> "Too many requests. Please slow down.";
            case 431 -> "The header is too large.";
            case 503 -> "The service is not available at the moment.";
            case 505 -> "This version of HTTP is not spoken here.";
            default -> status < 500 ? "The request could not be understood." : "Something went wrong on the server.";
        };
    }
}
