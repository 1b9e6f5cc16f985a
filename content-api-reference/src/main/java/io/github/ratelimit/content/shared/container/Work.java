package io.github.ratelimit.content.shared.container;

import java.time.Duration;
import org.springframework.dao.QueryTimeoutException;

/** What one request has had the server do. Belongs to one thread. */
final class Work {
    /** Chosen: whoever is refused may do a tenth more of all that, once, to give back what it holds for others. */
    private static final int PARTS = 10;

    /** Chosen: more statements than that takes. */
    private static final int LEAST = 20;

    private final long began;
    private long longest;
    private long most;
    private long waited;
    private long statements;
    private long nanosBefore;
    private long statementsBefore;
    private boolean hasStored;
    private boolean isSpent;
    private boolean isGivingBack;

    /**
     * Begins.
     *
     * @param bounds of one request
     * @param now in nanoseconds
     */
    Work(RequestBounds bounds, long now) {
        this.began = now;
        this.longest = bounds.workDeadline().toNanos();
        this.most = bounds.maxStatements();
    }

    /** Says that the worker did nothing for so many nanoseconds, but wait for the client. */
    void waited(long nanos) {
        waited += nanos;
    }

    /** Tells for how many nanoseconds the request has kept its worker. */
    long nanos(long now) {
        return now - began - waited;
    }

    /** Tells how long the request may keep its worker from now on. */
    Duration left(long now) {
        long taken = isGivingBack ? 0 : nanos(now) - nanosBefore;
        return Duration.ofNanos(Math.max(0, longest - taken));
    }

    /** Counts one more, and refuses it as {@link #requireRoom} does. */
    void countStatement(boolean isWriting, long now) {
        statements++;
        // Else its client would take what is stored for what is not.
        if (isWriting || !hasStored) {
            requireRoom(now);
        }
    }

    long statements() {
        return statements;
    }

    void stored() {
        hasStored = true;
    }

    boolean isSpent(long now) {
        return isSpent || !hasRoom(now);
    }

    /** Lets a request that was never refused do as much and take as long again. */
    void renew(long now) {
        if (!isSpent) {
            beginAgain(now);
        }
    }

    /** Does what is never refused. */
    void giveBack(Runnable step) {
        isGivingBack = true;
        try {
            step.run();
        } finally {
            isGivingBack = false;
        }
    }

    boolean isGivingBack() {
        return isGivingBack;
    }

    private void beginAgain(long now) {
        nanosBefore = nanos(now);
        statementsBefore = statements;
    }

    private boolean hasRoom(long now) {
        return isGivingBack || (statements - statementsBefore <= most && nanos(now) - nanosBefore <= longest);
    }

    /**
     * Refuses to go on.
     *
     * @throws QueryTimeoutException if it did too much already, or for too long
     */
    void requireRoom(long now) {
        if (hasRoom(now)) {
            return;
        }
        if (!isSpent) {
            isSpent = true;
            longest /= PARTS;
            most = Math.max(LEAST, most / PARTS);
            beginAgain(now);
        }
        UnavailableException why = UnavailableException.busy("The request takes more than this server does at a time.");
        throw new QueryTimeoutException(String.valueOf(why.getMessage()), why);
    }
}
