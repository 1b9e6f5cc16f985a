package io.github.ratelimit.content.widget.api;

import io.github.ratelimit.content.server.http.Causes;
import io.github.ratelimit.content.server.http.ErrorBody;
import io.github.ratelimit.content.server.http.UnavailableException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.ServletRequestBindingException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;

/** Gives every failure of an {@link ApiController} the form of {@link ApiError}. */
@RestControllerAdvice(annotations = ApiController.class)
final class ApiExceptionHandler {
    private static final Logger log = LoggerFactory.getLogger(ApiExceptionHandler.class);
    private static final String BODY = "body";

    @ExceptionHandler
    ResponseEntity<ApiError> expected(ApiException problem) {
        var answer = ResponseEntity.status(problem.status()).contentType(MediaType.APPLICATION_JSON);
        if (problem.status() == HttpStatus.UNAUTHORIZED) {
            answer.header(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
        }
        if (problem.status() == HttpStatus.SERVICE_UNAVAILABLE || problem.status() == HttpStatus.REQUEST_TIMEOUT) {
            answer.header(HttpHeaders.RETRY_AFTER, UnavailableException.RETRY_AFTER);
        }
        return answer.body(problem.body());
    }

    /** All that controllers bind is optional, but the caller of a valid token. */
    @ExceptionHandler
    ResponseEntity<ApiError> withoutCaller(ServletRequestBindingException problem) {
        return expected(
                ApiException.unauthorized("A valid token is missing. Send the header Authorization: Bearer <token>."));
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
        Throwable cause = NestedExceptionUtils.getMostSpecificCause(problem);
        if (cause instanceof UnavailableException busy) {
            return unavailable(busy);
        }
        if (cause instanceof ApiException rejection) { // of a body that is too large
            return expected(rejection);
        }
        if (problem.getCause() instanceof JacksonException json) {
            return expected(ApiException.invalid(problem(json)));
        }
        return expected(ApiException.invalid(Map.of(BODY, "is required")));
    }

    @ExceptionHandler
    ResponseEntity<ApiError> other(Exception problem) throws Exception {
        if (Causes.leaving(problem).isPresent()) {
            throw problem;
        }
        Optional<UnavailableException> passing = Causes.passing(problem);
        if (passing.isPresent()) {
            return unavailable(passing.get());
        }
        // Spring's own exceptions name their status and headers: 405, 415, 406 and others.
        if (problem instanceof ErrorResponse known && known.getStatusCode().is4xxClientError()) {
            ApiException error = error(known.getStatusCode());
            return ResponseEntity.status(error.status())
                    .headers(known.getHeaders())
                    .contentType(MediaType.APPLICATION_JSON)
                    .body(error.body());
        }
        if (problem instanceof InvalidParameterException) { // Tomcat: the query is not percent-encoded UTF-8
            return expected(error(HttpStatus.BAD_REQUEST));
        }
        log.error("request failed", problem);
        return expected(error(HttpStatus.INTERNAL_SERVER_ERROR));
    }

    private ResponseEntity<ApiError> unavailable(UnavailableException busy) {
        String code = ErrorBody.of(busy.status()).code();
        return expected(ApiException.of(HttpStatus.valueOf(busy.status()), code, String.valueOf(busy.getMessage())));
    }

    private static ApiException error(HttpStatusCode status) {
        ErrorBody known = ErrorBody.of(status.value());
        return ApiException.of(HttpStatus.valueOf(status.value()), known.code(), known.message());
    }

    /** Names the member that Jackson could not read, like {@code documents[3].title}. */
    private static Map<String, String> problem(JacksonException json) {
        if (json instanceof StreamConstraintsException) {
            return Map.of(BODY, "is nested too deeply or too large");
        }
        String path = path(json);
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
