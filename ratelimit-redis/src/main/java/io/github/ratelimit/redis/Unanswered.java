package io.github.ratelimit.redis;

import io.github.ratelimit.StoreException;
import org.jspecify.annotations.Nullable;

/** No decision. Without a stack trace: in an outage there is one for each request, and each would say the same. */
final class Unanswered extends StoreException {

    private static final long serialVersionUID = 1;

    private final boolean late;

    private Unanswered(String message, @Nullable Throwable cause, boolean late) {
        super(message, cause);
        this.late = late;
    }

    Unanswered(String message, @Nullable Throwable cause) {
        this(message, cause, false);
    }

    /** No answer in time. There may be one yet. */
    static Unanswered late() {
        return new Unanswered("no answer from Redis in time", null, true);
    }

    boolean isLate() {
        return late;
    }

    Unanswered(String message) {
        this(message, null);
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // it does nothing
    public Throwable fillInStackTrace() {
        return this;
    }
}
