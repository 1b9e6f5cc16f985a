package io.github.ratelimit.remote;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.remote.Request.Operation;
import io.github.ratelimit.remote.StoreHealth.State;
import io.github.ratelimit.remote.UnansweredException.Meaning;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Tickets that nobody holds and that a server may still have: of a take that failed for its caller, and of an end that failed. They are ended as soon
 * as the server answers again. So an outage takes no permit of a concurrency limit away for a lease.
 *
 * <p>The ticket of a take is ended once more a second later: what was sent on the former connection may be carried out after the first end. A
 * ticket is forgotten after its lease. Bounded; safe for concurrent use.
 */
final class OwedTickets {

    private static final TimeSource TIME = TimeSource.system();

    /** Chosen: what a lost connection's bytes may take longer than those of the next one. */
    private static final long AGAIN_NANOS = 1_000_000_000;

    /** When the ticket of a request is to be ended, by the system's {@link TimeSource}. */
    private final Map<Request, Long> due = new ConcurrentHashMap<>();

    private final Function<Counter, Server> server;
    private final int most;
    private final long timeoutNanos;

    /**
     * Makes it.
     *
     * @param server of a counter now
     * @param most how many are remembered at most
     */
    OwedTickets(Function<Counter, Server> server, int most, long timeoutNanos) {
        this.server = server;
        this.most = most;
        this.timeoutNanos = timeoutNanos;
    }

    /** Remembers the request's ticket if it fails: also that of an end that was sent from here. */
    void watch(Request request) {
        boolean isTake = request.operation() == Operation.TAKE;
        if (request.ticket() != null && (isTake || request.operation() == Operation.SETTLE)) {
            request.whenComplete((answer, failure) -> {
                boolean isUnknown = request.sent && isUnknown(failure);
                if (failure != null && (isUnknown || !isTake) && due.size() < most) {
                    boolean isRejected = request.sent && !isUnknown;
                    due.put(request, TIME.nanoTime() + (isRejected ? AGAIN_NANOS : 0));
                }
            });
        }
    }

    /** Whether the request may have been carried out: no answer came, or its caller did not wait for it. */
    private static boolean isUnknown(@Nullable Throwable failure) {
        return !(failure instanceof UnansweredException unanswered)
                || unanswered.meaning() == Meaning.LATE
                || unanswered.meaning() == Meaning.LOST;
    }

    /** Ends what is due on a server that has just answered. On the engine's thread. */
    void end(Server answered) {
        if (due.isEmpty() || answered.state() != State.UP) {
            return;
        }
        long now = TIME.nanoTime();
        due.forEach((request, at) -> {
            if (now - request.leaseEnd >= 0) {
                due.remove(request);
            } else if (now - at >= 0 && server.apply(request.counters()[0]).equals(answered)) {
                due.remove(request);
                Request ending = request.ending(now + timeoutNanos);
                if (request.operation() == Operation.TAKE) {
                    due.put(ending, now + AGAIN_NANOS);
                }
                answered.submit(ending);
            }
        });
    }
}
