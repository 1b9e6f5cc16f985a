package io.github.ratelimit;

import org.jspecify.annotations.Nullable;

/** A store's backend did not answer, or answered with something that is no decision. What was asked may have been counted or not. */
public class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /**
     * Makes one.
     *
     * @param message what was asked of which store and what came back; no key
     * @param cause what the backend's client threw, if it threw
     */
    public StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
