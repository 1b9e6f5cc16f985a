package io.github.ratelimit.http.client;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call to another server was not made: its permit, or the end of what that server asked to wait, would come later than the caller waits.
 *
 * <p>It is not a rejection of a request to this application. Carries no stack trace.
 */
public class OutgoingRejectedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final @Nullable Duration retryAfter;

    /**
     * Makes one.
     *
     * @param retryAfter how long until the call may be tried; null: not known, or never
     */
    public OutgoingRejectedException(String message, @Nullable Duration retryAfter) {
        super(message, null, false, false);
        this.retryAfter = retryAfter;
    }

    /** How long until the call may be tried; empty if that is not known, or it never fits. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
