package io.github.ratelimit.remote;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.remote.Request.Operation;
import io.github.ratelimit.remote.StoreHealth.State;
import io.github.ratelimit.remote.UnansweredException.Meaning;
import java.util.Map;
import java.util.UUID;
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
public final class OwedTickets {

    private static final TimeSource TIME = TimeSource.system();

    /** Chosen: what a lost connection's bytes may take longer than those of the next one. */
    private static final long AGAIN_NANOS = 1_000_000_000;

    /** Chosen: after so long, bytes that were sent arrive no more, and each lease that they began is over. */
    private static final long MARGIN_NANOS = 60_000_000_000L;

    /** A decision has one for all servers, and each of them is asked by itself. */
    private record Ticket(UUID id, Counter counter) {}

    /** Changed on the engine's thread alone. */
    private static final class Owed {

        private final Request ending;
        private final long forgottenAt;
        private int ends;
        private long due = TIME.nanoTime();

        Owed(Request ending, int ends) {
            this.ending = ending;
            this.ends = ends;
            this.forgottenAt = ending.charges().stream()
                    .mapToLong(charge -> due + charge.limit().window().toNanos() + MARGIN_NANOS)
                    .max()
                    .orElse(due);
        }
    }

    private final Map<Ticket, Owed> owed = new ConcurrentHashMap<>();
    private final Function<Counter, Shard> server;
    private final int most;
    private final long timeoutNanos;

    /**
     * Makes it.
     *
     * @param server of a counter now
     * @param most how many are remembered at most
     */
    OwedTickets(Function<Counter, Shard> server, int most, long timeoutNanos) {
        this.server = server;
        this.most = most;
        this.timeoutNanos = timeoutNanos;
    }

    /** Remembers the request's ticket if it fails. */
    void watch(Request request) {
        UUID id = request.ticket();
        if (id != null) {
            boolean isTake = request.operation() == Operation.TAKE;
            request.whenComplete((answer, failure) -> {
                if (failure != null && (!isTake || isUnknown(failure)) && owed.size() < most) {
                    Request ending = request.ending(0);
                    owed.putIfAbsent(new Ticket(id, ending.counters()[0]), new Owed(ending, isTake ? 2 : 1));
                }
            });
        }
    }

    /** Whether the request may have been carried out: no answer came, or its caller did not wait for it. */
    private static boolean isUnknown(Throwable failure) {
        return !(failure instanceof UnansweredException unanswered)
                || unanswered.meaning() == Meaning.LATE
                || unanswered.meaning() == Meaning.LOST;
    }

    /** Ends what is due on a server that has just answered. On the engine's thread. */
    void end(Shard answered) {
        if (owed.isEmpty() || answered.state() != State.UP) {
            return;
        }
        long now = TIME.nanoTime();
        owed.forEach((ticket, one) -> {
            if (now - one.forgottenAt >= 0) {
                owed.remove(ticket);
            } else if (now - one.due >= 0 && server.apply(ticket.counter).equals(answered)) {
                one.due = one.forgottenAt; // it is under way
                Request ending = one.ending.ending(now + timeoutNanos);
                ending.whenComplete((answer, failure) -> answered.run(() -> ended(ticket, one, failure)));
                answered.submit(ending);
            }
        });
    }

    private void ended(Ticket ticket, Owed one, @Nullable Throwable failure) {
        if (failure == null && --one.ends == 0) {
            owed.remove(ticket);
        } else {
            boolean isAskedAgain = failure != null && isUnknown(failure);
            one.due = TIME.nanoTime() + (isAskedAgain ? 0 : AGAIN_NANOS);
        }
    }
}
