package io.github.ratelimit;

import org.jspecify.annotations.Nullable;

/** A store's backend did not answer, or not with a decision. The store may or may not have counted the request. */
public class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /**
     * Creates an exception.
     *
     * @param message the call, the store and the answer, without any key
     * @param cause the exception of the backend's client, if any
     */
    public StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
