package io.github.ratelimit.content.widget.api;

import io.github.ratelimit.content.shared.container.Causes;
import io.github.ratelimit.content.shared.container.UnavailableException;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.springframework.http.HttpStatus;

/** An error that the caller is told about, in the form of {@link ApiError}. */
public final class ApiException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final HttpStatus status;
    private final String code;
    private final String text;
    private final TreeMap<String, String> fields;

    private ApiException(HttpStatus status, String code, String text, Map<String, String> fields) {
        // No stack trace: it is an answer, not a fault, and a flood of bad requests must not pay for one each.
        super(text, null, false, false);
        this.status = status;
        this.code = code;
        this.text = text;
        this.fields = new TreeMap<>(fields);
    }

    /**
     * Makes an error of any kind.
     *
     * @param status the answer's status
     * @param code for programs
     * @param message for people; a whole sentence
     * @return the error, to be thrown
     */
    public static ApiException of(HttpStatus status, String code, String message) {
        return new ApiException(status, code, message, Map.of());
    }

    /**
     * Says that a valid token is needed.
     *
     * @param message which token, and where it comes from
     * @return 401 {@code unauthorized}
     */
    public static ApiException unauthorized(String message) {
        return of(HttpStatus.UNAUTHORIZED, "unauthorized", message);
    }

    /**
     * Says that something does not exist, or not for this caller.
     *
     * @param message what does not exist
     * @return 404 {@code not_found}
     */
    public static ApiException notFound(String message) {
        return of(HttpStatus.NOT_FOUND, "not_found", message);
    }

    /**
     * Says that the body does not fit.
     *
     * @param fields what does not fit, by the member's path
     * @return 422 {@code invalid_request}
     */
    public static ApiException invalid(Map<String, String> fields) {
        return new ApiException(
                HttpStatus.UNPROCESSABLE_CONTENT, "invalid_request", "The request does not fit. See fields.", fields);
    }

    /**
     * Says that the server lacks something at the moment, that the client is slow, or that too much is asked for.
     *
     * @param busy what is lacking
     * @return 503 {@code unavailable}, 408 {@code too_slow}, or 413 {@code too_large}
     */
    static ApiException of(UnavailableException busy) {
        HttpStatus status = HttpStatus.valueOf(busy.status());
        return of(status, code(status), String.valueOf(busy.getMessage()));
    }

    private static String code(HttpStatus status) {
        return switch (status) {
            case REQUEST_TIMEOUT -> "too_slow";
            case CONTENT_TOO_LARGE -> "too_large";
            default -> "unavailable";
        };
    }

    /**
     * Tells what a client is told of a failure that is none of the server's.
     *
     * @param problem what was caught
     * @return empty for failures that would come again
     */
    public static Optional<ApiException> passing(Throwable problem) {
        return Causes.passing(problem).map(ApiException::of);
    }

    /**
     * Returns the answer's status.
     *
     * @return the status
     */
    public HttpStatus status() {
        return status;
    }

    /**
     * Returns the code for programs.
     *
     * @return the code
     */
    public String code() {
        return code;
    }

    /**
     * Returns the sentence for people.
     *
     * @return the message, never null
     */
    public String text() {
        return text;
    }

    /**
     * Returns what does not fit, by the member's path.
     *
     * @return sorted; empty where no member is to blame
     */
    public SortedMap<String, String> fields() {
        return new TreeMap<>(fields);
    }
}
