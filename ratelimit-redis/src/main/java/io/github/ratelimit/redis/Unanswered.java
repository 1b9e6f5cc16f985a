package io.github.ratelimit.redis;

import io.github.ratelimit.StoreException;
import org.jspecify.annotations.Nullable;

/** No decision. Without a stack trace: in an outage there is one for each request, and each would say the same. */
final class Unanswered extends StoreException {

    private static final long serialVersionUID = 1;

    private final String error;
    private final boolean late;

    private Unanswered(String message, @Nullable Throwable cause, String error, boolean late) {
        super(message, cause);
        this.error = error;
        this.late = late;
    }

    Unanswered(String message, @Nullable Throwable cause) {
        this(message, cause, "", false);
    }

    Unanswered(String message) {
        this(message, null);
    }

    /** No answer in time. There may be one yet. */
    static Unanswered late() {
        return new Unanswered("no answer from Redis in time", null, "", true);
    }

    /** The server answered with an error. */
    static Unanswered rejected(String error) {
        return new Unanswered("Redis rejected: " + ServerErrors.explained(error), null, error, false);
    }

    boolean isLate() {
        return late;
    }

    /** The server's error; empty if the server said nothing. */
    String error() {
        return error;
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // it does nothing
    public Throwable fillInStackTrace() {
        return this;
    }
}
