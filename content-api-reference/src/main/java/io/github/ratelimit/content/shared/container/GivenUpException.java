package io.github.ratelimit.content.shared.container;

import org.apache.coyote.CloseNowException;

/**
 * An answer that ends in the middle, as its client takes too long to read it. The container closes the connection, and logs
 * nothing above {@code debug}: clients are slow all the time.
 */
final class GivenUpException extends CloseNowException {
    private static final long serialVersionUID = 1L;

    GivenUpException(String message) {
        super(message);
    }

    /** Without a trace: it would cost more than the rest of the answer. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
