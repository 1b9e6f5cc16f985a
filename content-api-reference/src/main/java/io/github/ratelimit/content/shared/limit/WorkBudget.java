package io.github.ratelimit.content.shared.limit;

import org.springframework.dao.QueryTimeoutException;

/**
 * Bounds what the request of this thread has the server do, however it came to that. Tasks, which have no request, may do anything. Whoever is refused
 * may do a little more once, so that it can give back what it holds. Safe for concurrent use.
 */
public interface WorkBudget {
    /**
     * Counts a statement before it is run. A request that has stored something may read on, so that it can tell.
     *
     * @param isWriting whether it is part of a transaction
     * @throws QueryTimeoutException as with {@link #requireRoom()}
     */
    void countStatement(boolean isWriting);

    /**
     * To be called before each transaction.
     *
     * @throws QueryTimeoutException if the request has run as many statements as it may, or has kept its worker for as long: what it wrote in a
     *     transaction that has not ended is not kept, and its client is told to come again (503)
     */
    void requireRoom();

    /** Says that the request has stored something. */
    void stored();

    /**
     * Gives a request that was never refused its whole bound once more. For an answer that is as long as what is stored, and is sent while that is read:
     * it has an end, and who was refused in between would be so again.
     */
    void renew();

    /**
     * Gives back what the request of this thread holds for others: they would wait for it long after it. So that is refused neither for what the request
     * did before nor where too many wait for each other; it waits for its turn as long as anybody may, needs no place for that, and fails only where its
     * turn does not come by then, or the database fails.
     *
     * @param step a statement or two, of which each has its own time limit
     */
    void giveBack(Runnable step);

    /**
     * Tells whether the request was refused once, or would be now if it wrote: then nothing more of it should begin.
     *
     * @return false for tasks
     */
    boolean isSpent();
}
