package io.github.ratelimit.content.widget.api;

import java.util.Map;
import java.util.TreeMap;
import org.springframework.http.HttpStatus;

/** An error that the caller is told, in the form of {@link ApiError}. */
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final HttpStatus status;
    private final String code;
    private final String text;
    private final TreeMap<String, String> fields;

    private ApiException(HttpStatus status, String code, String text, Map<String, String> fields) {
        // No stack trace: it is an answer, and a flood of bad requests must stay cheap.
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
     * Makes the error of a missing or invalid token.
     *
     * @param message the token that is needed
     * @return 401 {@code unauthorized}
     */
    public static ApiException unauthorized(String message) {
        return of(HttpStatus.UNAUTHORIZED, "unauthorized", message);
    }

    /**
     * Makes the error of a missing item.
     *
     * @param message names the item
     * @return 404 {@code not_found}
     */
    public static ApiException notFound(String message) {
        return of(HttpStatus.NOT_FOUND, "not_found", message);
    }

    /**
     * Makes the error of an invalid body or query.
     *
     * @param fields the problems by the member's path
     * @return 422 {@code invalid_request}
     */
    public static ApiException invalid(Map<String, String> fields) {
        return new ApiException(
                HttpStatus.UNPROCESSABLE_CONTENT, "invalid_request", "The request does not fit. See fields.", fields);
    }

    /**
     * Returns the answer's status.
     *
     * @return the status
     */
    public HttpStatus status() {
        return status;
    }

    ApiError body() {
        return new ApiError(new ApiError.Details(code, text, fields.isEmpty() ? null : new TreeMap<>(fields)));
    }
}
