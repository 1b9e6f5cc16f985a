package io.github.ratelimit.spring.internal.endpoint;

import io.github.ratelimit.StoreException;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** A mistake in a request to the endpoint, or a failure of the store. */
record Problem(String message) implements OperationResponseBody {

    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int SERVICE_UNAVAILABLE = 503;

    /** With the reason in the body: Spring Boot shows that of an exception to nobody unless it is told to. */
    static @Nullable Object answered(Supplier<? extends @Nullable Object> answer) {
        try {
            return answer.get();
        } catch (IllegalArgumentException e) {
            return of(BAD_REQUEST, String.valueOf(e.getMessage()));
        } catch (StoreException | CompletionException e) {
            if ((e instanceof StoreException ? e : e.getCause()) instanceof StoreException cause) {
                return of(SERVICE_UNAVAILABLE, String.valueOf(cause.getMessage()));
            }
            throw e;
        }
    }

    static WebEndpointResponse<Problem> notFound(String message) {
        return of(NOT_FOUND, message);
    }

    private static WebEndpointResponse<Problem> of(int status, String message) {
        return new WebEndpointResponse<>(new Problem(message), status);
    }
}
