package io.github.ratelimit.content.widget.api;

import io.github.ratelimit.content.shared.container.Causes;
import io.github.ratelimit.content.shared.container.UnavailableException;
import io.github.ratelimit.http.RefusalBody;
import io.github.ratelimit.servlet.ServletCall;
import io.github.ratelimit.servlet.ServletOrigin;
import io.github.ratelimit.spring.RateLimitExceededException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;

/** Gives every failure of an {@link ApiController} the form of {@link ApiError}. */
@RestControllerAdvice(annotations = ApiController.class)
final class ApiExceptionHandler {

    private static final Logger log = LoggerFactory.getLogger(ApiExceptionHandler.class);
    private static final String BODY = "body";

    private final RefusalBody refusalBody;
    private final ServletOrigin origin;

    ApiExceptionHandler(RefusalBody refusalBody, ServletOrigin origin) {
        this.refusalBody = refusalBody;
        this.origin = origin;
    }

    @ExceptionHandler
    ResponseEntity<ApiError> expected(ApiException problem) {
        var answer = ResponseEntity.status(problem.status()).contentType(MediaType.APPLICATION_JSON);
        if (problem.status() == HttpStatus.UNAUTHORIZED) {
            answer.header(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
        }
        if (problem.status() == HttpStatus.SERVICE_UNAVAILABLE) {
            answer.header(HttpHeaders.RETRY_AFTER, UnavailableException.RETRY_AFTER);
        }
        return answer.body(ApiError.of(problem));
    }

    /** The fields are set by who refused; the words are the same that the filter uses. */
    @ExceptionHandler
    ResponseEntity<String> limited(RateLimitExceededException refusal, HttpServletRequest request) {
        RefusalBody.Content content = refusalBody.of(refusal.verdict(), ServletCall.of(request, origin));
        return ResponseEntity.status(content.status())
                .contentType(MediaType.parseMediaType(content.type()))
                .body(content.text());
    }

    @ExceptionHandler
    ResponseEntity<ApiError> invalid(MethodArgumentNotValidException problem) {
        Map<String, String> fields = problem.getBindingResult().getFieldErrors().stream()
                .collect(Collectors.toMap(
                        error -> snakeCase(error.getField()),
                        error -> String.valueOf(error.getDefaultMessage()),
                        (first, second) -> first,
                        TreeMap::new));
        return expected(ApiException.invalid(fields));
    }

    @ExceptionHandler
    ResponseEntity<ApiError> unreadable(HttpMessageNotReadableException problem) {
        if (NestedExceptionUtils.getMostSpecificCause(problem) instanceof UnavailableException busy) {
            return given(busy);
        }
        // Innermost first: a body that is cut off for its size looks to Jackson like a member that cannot be read.
        if (NestedExceptionUtils.getRootCause(problem) instanceof ApiException refusal) {
            return expected(refusal);
        }
        if (problem.getCause() instanceof JacksonException json) {
            return expected(ApiException.invalid(problem(json)));
        }
        // Spring says so when there is no body at all, or the connection broke.
        return expected(ApiException.invalid(Map.of(BODY, "is required")));
    }

    /** The server is busy, the client is slow, or asks for too much. */
    @ExceptionHandler
    ResponseEntity<ApiError> given(UnavailableException busy) {
        ApiException refusal = ApiException.of(busy);
        var answer = ResponseEntity.status(refusal.status()).contentType(MediaType.APPLICATION_JSON);
        if (busy.isPassing()) {
            answer.header(HttpHeaders.RETRY_AFTER, UnavailableException.RETRY_AFTER);
        }
        return answer.body(ApiError.of(refusal));
    }

    @ExceptionHandler
    ResponseEntity<ApiError> mistyped(MethodArgumentTypeMismatchException problem) {
        return expected(ApiException.invalid(Map.of(problem.getName(), "does not fit")));
    }

    /** What the request was about was made or deleted while it was served. What else does not fit would never do. */
    @ExceptionHandler
    ResponseEntity<ApiError> overtaken(DataIntegrityViolationException problem) throws Exception {
        if (!(problem instanceof DuplicateKeyException)
                && Causes.passing(problem).isEmpty()) {
            return other(problem);
        }
        log.debug("a request was overtaken", problem);
        return expected(ApiException.of(
                HttpStatus.CONFLICT, "conflict", "What this is about was changed meanwhile. Try again."));
    }

    @ExceptionHandler
    ResponseEntity<ApiError> other(Exception problem) throws Exception {
        Causes.requireMemory(problem);
        if (Causes.leaving(problem).isPresent()) {
            throw problem;
        }
        Optional<UnavailableException> passing = Causes.passing(problem);
        if (passing.isPresent()) {
            return given(passing.get());
        }
        // Spring's own exceptions name their status and headers: 405, 415, 406 and the like.
        if (problem instanceof ErrorResponse known && known.getStatusCode().is4xxClientError()) {
            var status = HttpStatus.valueOf(known.getStatusCode().value());
            var error = ApiException.of(status, code(status), sentence(status));
            return ResponseEntity.status(status)
                    .headers(known.getHeaders())
                    .contentType(MediaType.APPLICATION_JSON)
                    .body(ApiError.of(error));
        }
        if (problem instanceof InvalidParameterException) {
            // Tomcat, of a query that is not percent-encoded UTF-8.
            return expected(ApiException.of(
                    HttpStatus.BAD_REQUEST, code(HttpStatus.BAD_REQUEST), sentence(HttpStatus.BAD_REQUEST)));
        }
        log.error("request failed", problem);
        return expected(ApiException.of(
                HttpStatus.INTERNAL_SERVER_ERROR, "internal_error", "Something went wrong on the server."));
    }

    private static String code(HttpStatus status) {
        return switch (status) {
            case NOT_FOUND -> "not_found";
            case METHOD_NOT_ALLOWED -> "method_not_allowed";
            case NOT_ACCEPTABLE -> "not_acceptable";
            case UNSUPPORTED_MEDIA_TYPE -> "unsupported_media_type";
            case CONTENT_TOO_LARGE -> "too_large";
            default -> "bad_request";
        };
    }

    private static String sentence(HttpStatus status) {
        return switch (status) {
            case NOT_FOUND -> "There is nothing at this address.";
            case METHOD_NOT_ALLOWED -> "This method is not offered at this address.";
            case NOT_ACCEPTABLE -> "The answer is JSON, which the Accept header excludes.";
            case UNSUPPORTED_MEDIA_TYPE -> "The body must be sent as application/json.";
            case CONTENT_TOO_LARGE -> "The body is too large.";
            default -> "The request could not be understood.";
        };
    }

    /** Says what Jackson could not read, by the member that it was reading: {@code documents[3].title}. */
    private static Map<String, String> problem(JacksonException json) {
        String path = path(json);
        if (json instanceof StreamConstraintsException) {
            return Map.of(BODY, "is nested too deeply or too large");
        }
        boolean malformed = json instanceof StreamReadException && !(json instanceof InputCoercionException);
        return malformed || path.isEmpty()
                ? Map.of(BODY, "must be one well-formed JSON object in UTF-8, each member once")
                : Map.of(path, "has the wrong type");
    }

    private static String path(JacksonException json) {
        var path = new StringBuilder();
        for (JacksonException.Reference step : json.getPath()) {
            if (step.getPropertyName() != null) {
                path.append(path.isEmpty() ? "" : ".").append(step.getPropertyName());
            } else if (step.getIndex() >= 0) {
                path.append('[').append(step.getIndex()).append(']');
            }
        }
        return path.toString();
    }

    private static String snakeCase(String path) {
        return path.replaceAll("([a-z])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }
}
