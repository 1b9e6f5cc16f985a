package io.github.ratelimit.redis;

import io.github.ratelimit.StoreException;
import org.jspecify.annotations.Nullable;

/** No decision. Without a stack trace: in an outage there is one for each request, and each would say the same. */
final class Unanswered extends StoreException {

    private static final long serialVersionUID = 1;

    Unanswered(String message, @Nullable Throwable cause) {
        super(message, cause);
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
