package io.github.ratelimit.content.shared.limit;

/**
 * Bounds how many workers wait for each other: for their turn to write, or for room for something large. Those that may not wait are free for
 * requests that need not. Safe for concurrent use.
 */
@FunctionalInterface
public interface WaitingRoom {
    /**
     * Lets the request of this thread wait, however often, until it ends: whoever waited for one thing does not lose its place when it has to wait
     * for the next. To be asked before each wait. Tasks, which have no request, may always wait.
     *
     * @return false if too many requests wait already, or had to wait and are not answered yet: this one is to be refused (503)
     */
    boolean tryEnter();
}
