package io.github.ratelimit.content.shared.limit;

import java.time.Duration;

/**
 * Bounds how many workers wait long for each other: for their turn to write, or for room for something large. Others wait a moment, so that a crowd
 * whose turns are short is served, and are free then for requests that need not wait. Safe for concurrent use.
 */
@FunctionalInterface
public interface WaitingRoom {
    /**
     * Tells how long the request of this thread may wait; to be asked before each wait. A request that has a place keeps it until it ends: whoever
     * waited for one thing does not lose it when it has to wait for the next. Tasks, which have no request, may always wait.
     *
     * @param longest how long a request with a place may wait
     * @return that, or a quarter of a second at most if too many requests have a place already; who waited in vain is to be refused (503)
     */
    Duration patience(Duration longest);
}
