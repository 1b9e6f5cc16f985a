package io.github.ratelimit.spring.live;

import io.github.ratelimit.TimeSource;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The state of the store, from decisions. Safe for concurrent use; takes no lock while nothing changes. */
final class StoreWatch {

    private static final int MOST_CHANGES = 20;

    /** Chosen: a store that answers every other request is away, and does not come and go with each. */
    private static final long WITHOUT_FAILURE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** The states of the store. */
    enum State {
        /** There was no decision yet. */
        UNKNOWN,
        /** It makes every decision. */
        ANSWERING,
        /** Decisions were made without it within two seconds, or since the last one that it made. */
        AWAY
    }

    /** A state, and when it began. */
    record Change(Instant at, State state) {}

    private final TimeSource time;
    private final Deque<Change> changes = new ArrayDeque<>(); // the newest first
    private volatile State state = State.UNKNOWN;
    private volatile long lastFailure;

    StoreWatch(TimeSource time) {
        this.time = time;
    }

    void answered(long now) {
        State seen = state;
        if (seen == State.UNKNOWN || (seen == State.AWAY && now - lastFailure >= WITHOUT_FAILURE_NANOS)) {
            become(State.ANSWERING);
        }
    }

    void wasAway(long now) {
        lastFailure = now;
        if (state != State.AWAY) {
            become(State.AWAY);
        }
    }

    private synchronized void become(State next) {
        if (next != state) {
            state = next;
            changes.addFirst(new Change(time.instant(), next));
            if (changes.size() > MOST_CHANGES) {
                changes.removeLast();
            }
        }
    }

    State state() {
        return state;
    }

    /** The newest first. */
    synchronized List<Change> changes() {
        return List.copyOf(changes);
    }
}
