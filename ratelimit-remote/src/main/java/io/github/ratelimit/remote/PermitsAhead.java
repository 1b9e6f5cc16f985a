package io.github.ratelimit.remote;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Permits of hot counters that a server granted ahead, so that the next identical requests need no call.
 *
 * <p>One request asks for many: the server takes each of them whole or not, as if they had come one after the other. So there is never one
 * permit too many. What a lease leaves is given back after {@link #LONGEST_NANOS}; a process that dies keeps that little until the windows end. Only the server
 * rejects. Safe for concurrent use.
 */
final class PermitsAhead {

    /** Chosen: as soon as a pause in the demand is over. For so long others may be rejected for permits that nobody uses. */
    private static final long LONGEST_NANOS = 50_000_000;

    /** The demand that a lease is for. */
    private static final long DEMAND_NANOS = 10_000_000;

    /** The largest part of what is left: so the end of a window is exact by itself. */
    private static final long PART = 16;

    /** Chosen: a call for fewer saves little. */
    private static final long FEWEST = 4;

    private static final long FORGOTTEN_NANOS = 1_000_000_000;

    private static final int MAXIMUM = 10_000; // chosen: hot counters are few

    private final Set<String> limiters;
    private final Consumer<Request> submit;
    private final long timeoutNanos;
    private final TimeSource time;
    private final Map<Counter, Kind> kinds = new ConcurrentHashMap<>();
    private final LongAdder granted = new LongAdder();
    private final LongAdder served = new LongAdder();
    private final LongAdder givenBack = new LongAdder();

    /**
     * Makes it.
     *
     * @param limiters whose permits may be taken ahead
     * @param submit takes a request of one part
     * @param time runs on while a test's clock of windows stands still
     */
    PermitsAhead(Set<String> limiters, Consumer<Request> submit, long timeoutNanos, TimeSource time) {
        this.limiters = limiters;
        this.submit = submit;
        this.timeoutNanos = timeoutNanos;
        this.time = time;
    }

    /**
     * Requests that were granted.
     *
     * @param states after the last of them
     * @param at when they were asked for, and what the states are reckoned from
     * @param until when they may be used last: never after a window's end
     */
    private record Lease(AtomicLong left, long size, List<LimitStatus> states, long at, long until) {

        boolean isOfTheWindowsOf(Lease before) {
            boolean same = true;
            for (int i = 0; i < states.size(); i++) {
                same &= states.get(i).window() == before.states.get(i).window();
            }
            return same;
        }
    }

    /** Identical requests. */
    private final class Kind {

        private final Request like;
        private final LongAdder asked = new LongAdder();
        private final AtomicBoolean asking = new AtomicBoolean();
        private volatile @Nullable Lease lease;
        private final AtomicLong ends = new AtomicLong(); // how often it was ended
        private volatile long room; // so many had room in all limits when the server answered last
        private volatile long since = time.nanoTime(); // the asked ones are counted

        Kind(Request like, long room) {
            this.like = like;
            this.room = room;
        }

        boolean isOf(List<Charge> charges, Counter[] counters) {
            return Arrays.equals(like.counters(), counters) && like.asksTheSameAs(charges);
        }

        @Nullable
        Decision take(Store store, List<Charge> charges) {
            asked.increment();
            long now = time.nanoTime();
            Lease current = lease;
            long left = current == null || current.until - now <= 0 ? -1 : current.left.getAndDecrement() - 1;
            if (current == null || left < current.size / 2) {
                ask(now);
            }
            if (current == null || left < 0) {
                return null;
            }
            served.increment();
            LimitStatus[] statuses = new LimitStatus[charges.size()];
            for (int i = 0; i < statuses.length; i++) {
                LimitStatus last = current.states.get(i).later(now - current.at);
                Charge charge = charges.get(i);
                long used = last.used() - left * charge.cost();
                statuses[i] =
                        new LimitStatus(charge, used, last.resetAfterNanos(), last.resetAtMillis(), 0, last.window());
            }
            return Decision.of(store, List.of(statuses), null);
        }

        /** Asks for as many as came lately. Beside the callers: nobody waits for it. */
        private void ask(long now) {
            if (asking.get() || !asking.compareAndSet(false, true)) {
                return;
            }
            long span = now - since;
            long many =
                    span < DEMAND_NANOS / 10 ? 0 : Math.min(asked.sumThenReset() * DEMAND_NANOS / span, room / PART);
            since = span < DEMAND_NANOS / 10 ? since : now;
            if (many < FEWEST) {
                asking.set(false);
                return;
            }
            long endsBefore = ends.get();
            Request request = like.times(many, now + timeoutNanos);
            request.last().whenComplete((answer, failure) -> {
                if (answer != null) {
                    granted.add(answer.granted());
                    room = room(answer.states());
                    replace(lease(answer, now));
                }
                asking.set(false);
                if (ends.get() != endsBefore || kinds.get(like.counters()[0]) != this) {
                    replace(null);
                }
            });
            submit.accept(request);
        }

        private Lease lease(Request.Answer answer, long at) {
            long until = at + LONGEST_NANOS;
            for (LimitStatus state : answer.states()) {
                until = Math.min(until, at + state.resetAfterNanos() - 1_000_000);
            }
            List<LimitStatus> states =
                    answer.states().stream().map(LimitStatus::leavingOpen).toList();
            return new Lease(new AtomicLong(answer.granted()), answer.granted(), states, at, until);
        }

        /** Begins a lease, or none. What is left of the one before joins it, or goes back. */
        void replace(@Nullable Lease next) {
            Lease before;
            long rest;
            synchronized (this) {
                before = lease;
                rest = before == null ? 0 : Math.max(0, before.left.getAndSet(0));
                if (before != null && next != null && next.isOfTheWindowsOf(before)) {
                    next.left.addAndGet(rest);
                    rest = 0;
                }
                lease = next;
            }
            if (before != null && rest > 0) {
                givenBack.add(rest);
                long back = -rest;
                submit.accept(
                        like.settling(charge -> back * charge.cost(), before.states, time.nanoTime() + timeoutNanos));
            }
        }

        /** Ends a lease that is over. */
        void sweep(long now) {
            Lease current = lease;
            if (current != null && current.until - now <= 0) {
                replace(null);
            }
            if (lease == null && now - since > FORGOTTEN_NANOS && kinds.remove(like.counters()[0], this)) {
                end();
            }
        }

        /** Gives back what it has, and what is on its way. */
        void end() {
            ends.incrementAndGet();
            replace(null);
        }
    }

    private static long room(List<LimitStatus> states) {
        long room = Long.MAX_VALUE;
        for (LimitStatus state : states) {
            room = Math.min(room, state.remaining() / Math.max(1, state.charge().cost()));
        }
        return room;
    }

    /** A decision that is granted already; null if there is none. */
    @Nullable
    Decision decision(Store store, List<Charge> charges, Counter[] counters) {
        Kind kind = kinds.isEmpty() ? null : kinds.get(counters[0]);
        return kind == null || !kind.isOf(charges, counters) ? null : kind.take(store, charges);
    }

    /** One call brought several identical requests. On the engine's thread. */
    void cameTogether(Request like, Request.Answer last) {
        if (!limiters.isEmpty() && takesPart(like) && kinds.size() < MAXIMUM) {
            Kind known = kinds.get(like.counters()[0]);
            if (known != null && known.isOf(like.charges(), like.counters())) {
                known.room = room(last.states()); // of a new window, perhaps
            } else {
                kinds.put(like.counters()[0], new Kind(like, room(last.states())));
                if (known != null) {
                    known.end();
                }
            }
        }
    }

    /** Permits of other shapes come back one by one, and those of a ticket have an end of their own. */
    private boolean takesPart(Request like) {
        for (Charge charge : like.charges()) {
            Limit limit = charge.limit();
            boolean hasWindows =
                    limit.shape().kind() == Shape.Kind.FIXED || limit.shape().kind() == Shape.Kind.CALENDAR;
            if (!hasWindows || charge.cost() == 0 || !limiters.contains(charge.limiter())) {
                return false;
            }
        }
        return like.operation() == Request.Operation.TAKE;
    }

    /** Ends the leases of these counters: a settlement or a reset changes them. */
    void end(Counter[] counters) {
        if (!kinds.isEmpty()) {
            kinds.values().stream()
                    .filter(kind ->
                            Arrays.asList(kind.like.counters()).stream().anyMatch(Arrays.asList(counters)::contains))
                    .forEach(Kind::end);
        }
    }

    /** Gives back what was not used in time. */
    void sweep() {
        long now = time.nanoTime();
        kinds.values().forEach(kind -> kind.sweep(now));
    }

    /** The work so far. */
    StoreStatistics.Ahead statistics() {
        return new StoreStatistics.Ahead(granted.sum(), served.sum(), givenBack.sum());
    }
}
