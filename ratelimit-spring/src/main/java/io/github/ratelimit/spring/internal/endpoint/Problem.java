package io.github.ratelimit.spring.internal.endpoint;

import io.github.ratelimit.StoreException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** A mistake in a request to the endpoint, or a failure of the store. */
record Problem(String message) implements OperationResponseBody {

    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int SERVICE_UNAVAILABLE = 503;

    /** Something that may fail by what was asked, or by the store. */
    @FunctionalInterface
    interface Answer {
        @Nullable
        Object get();
    }

    /** With the reason in the body: Spring Boot shows that of an exception to nobody unless it is told to. */
    static @Nullable Object answered(Answer answer) {
        try {
            return answer.get();
        } catch (IllegalArgumentException e) {
            return badRequest(String.valueOf(e.getMessage()));
        } catch (StoreException e) {
            return of(SERVICE_UNAVAILABLE, String.valueOf(e.getMessage()));
        } catch (CompletionException e) {
            if (e.getCause() instanceof StoreException cause) {
                return of(SERVICE_UNAVAILABLE, String.valueOf(cause.getMessage()));
            }
            throw e;
        }
    }

    static WebEndpointResponse<Problem> badRequest(String message) {
        return of(BAD_REQUEST, message);
    }

    static WebEndpointResponse<Problem> notFound(String message) {
        return of(NOT_FOUND, message);
    }

    private static WebEndpointResponse<Problem> of(int status, String message) {
        return new WebEndpointResponse<>(new Problem(message), status);
    }
}
