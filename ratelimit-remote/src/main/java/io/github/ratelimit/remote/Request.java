package io.github.ratelimit.remote;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.CalendarWindow;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.TimeSource;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One caller's operation on counters of one server. It ends once: by the answer, by a failure or by its deadline. One that has ended before it
 * was sent is never sent. Safe for concurrent use.
 */
public final class Request extends CompletableFuture<Request.Answer> {

    /** The operation; a server knows it by its number. */
    public enum Operation {
        /** Takes or gives back each charge alone. */
        SETTLE(0),
        /** Takes each cost, or none. */
        TAKE(1),
        /** Takes nothing, as the whole request was rejected elsewhere; a blocking window without room is closed. */
        REJECT(2),
        /** Sets the counters to zero. */
        RESET(3),
        /** Begins the lease of a ticket anew, if it is still there. */
        RENEW(4);

        final int number;

        Operation(int number) {
            this.number = number;
        }
    }

    /**
     * The answer. Immutable.
     *
     * @param allowed whether the costs were taken
     * @param states how each counter stands after the request
     * @param granted how often the costs were taken: at most once, but for a request that stands for many
     */
    public record Answer(boolean allowed, List<LimitStatus> states, long granted) {

        Answer(boolean allowed, List<LimitStatus> states) {
            this(allowed, states, allowed ? 1 : 0);
        }

        /**
         * Makes the answer to one request of a group.
         *
         * @param figures three of each charge: the permits used before the group, negative during a block; the window's end after the group,
         *     0 if none is open, negative if the group opened it; and after how many milliseconds the cost fits after the group
         * @param taken how many requests of the group took their cost, up to this one
         * @param all how many of them took it
         */
        static Answer of(Request request, boolean allowed, long nowMillis, long[] figures, long taken, long all) {
            LimitStatus[] states = new LimitStatus[request.charges.size()];
            for (int i = 0; i < states.length; i++) {
                Charge charge = request.charges.get(i);
                states[i] = figures[3 * i + 1] == 0
                        ? status(charge, allowed, 0, 0, nowMillis, 0, false)
                        : status(charge, allowed, figures, 3 * i, nowMillis, taken, all);
            }
            return new Answer(allowed, List.of(states));
        }

        private static LimitStatus status(
                Charge charge, boolean allowed, long[] figures, int at, long now, long taken, long all) {
            Limit limit = charge.limit();
            Shape.Kind kind = limit.shape().kind();
            long before = figures[at];
            long more = charge.cost() == 0 ? 0 : taken * charge.cost(); // cannot overflow: the costs fitted
            long used = before < 0 ? before - more : before + more;
            long windowMillis = limit.window().toMillis();
            long end = Math.abs(figures[at + 1]);
            if (kind == Shape.Kind.BUCKET && all > taken) { // full again so much earlier
                end -= (all - taken) * charge.cost() * windowMillis / limit.permits();
            }
            // At least a millisecond, and a window at most: the server reads its clock a little after a window was
            // found open.
            long left = Math.max(end - now, 1);
            if (kind == Shape.Kind.FIXED) {
                left = Math.min(left, windowMillis);
            }
            long retry = figures[at + 2];
            boolean closes = !allowed
                    && kind == Shape.Kind.BLOCKING
                    && charge.cost() <= limit.permits()
                    && used >= 0
                    && exceeds(charge, used);
            if (closes) {
                used = -Math.max(used, limit.permits());
                left = limit.shape().block().toMillis();
                end = now + left;
                retry = left;
            }
            return status(charge, allowed, used, millis(left), end, millis(retry), figures[at + 1] < 0);
        }

        /**
         * How a counter stands for a charge.
         *
         * @param retry after how long the cost fits if it does not
         * @param opened whether the answer's request opened the window: then an undoing request closes it if nothing else is used
         */
        static LimitStatus status(
                Charge charge, boolean allowed, long used, long left, long endMillis, long retry, boolean opened) {
            long wait = 0;
            if (!allowed && exceeds(charge, used)) {
                Limit limit = charge.limit();
                wait = limit.shape().isConcurrent() ? Shape.CONCURRENT_RETRY.toNanos() : retry;
                wait = charge.cost() > limit.capacity() ? LimitStatus.NEVER : wait;
            }
            return new LimitStatus(charge, used, left, endMillis, wait, opened ? -endMillis : endMillis);
        }

        private static boolean exceeds(Charge charge, long used) {
            return charge.cost() > 0 && Math.abs(used) > charge.limit().capacity() - charge.cost();
        }

        private static long millis(long millis) {
            return TimeUnit.MILLISECONDS.toNanos(millis);
        }
    }

    /** Chosen: after its deadline, a request waits no longer in a network to be carried out. */
    private static final long MARGIN_NANOS = 60_000_000_000L;

    private final Operation operation;
    private final List<Charge> charges;
    private final Counter[] counters;
    private final long[] costs;
    private final @Nullable List<LimitStatus> from;
    private final @Nullable UUID ticket;
    private final long deadline;
    private long times = 1;
    long leaseEnd; // when the ticket has ended for certain
    private CompletableFuture<Answer> last = this;
    volatile boolean sent; // so that it may be carried out
    boolean repeated; // for the engine's thread
    private @Nullable LongConsumer call; // which brings the answer

    @Nullable
    Thread waiting; // for the answer, and could make the call

    private Request(
            Operation operation,
            List<Charge> charges,
            Counter[] counters,
            long[] costs,
            @Nullable List<LimitStatus> from,
            @Nullable UUID ticket,
            long deadline) {
        this.operation = operation;
        this.charges = charges;
        this.counters = counters;
        this.costs = costs;
        this.from = from;
        this.deadline = deadline;
        long lease = 0;
        for (int i = 0; ticket != null && i < counters.length; i++) {
            if (takesTicket(charges.get(i))) {
                lease = Math.max(lease, charges.get(i).limit().window().toNanos());
            }
        }
        this.ticket = lease == 0 ? null : ticket;
        this.leaseEnd = deadline + lease + MARGIN_NANOS;
    }

    /**
     * Asks for the costs of the charges.
     *
     * @param counters one for each charge
     * @param ticket names what it takes of concurrency limits; null without them
     * @param deadline by the system's {@link TimeSource}, in nanoseconds
     */
    static Request of(
            Operation operation, List<Charge> charges, Counter[] counters, @Nullable UUID ticket, long deadline) {
        long[] costs = charges.stream().mapToLong(Charge::cost).toArray();
        return new Request(operation, charges, counters, costs, null, ticket, deadline);
    }

    /**
     * The same operation, or another one, on some of its counters.
     *
     * @param places of the counters
     */
    Request part(int[] places, Operation operation) {
        return new Request(
                operation,
                pick(charges, places),
                pick(List.of(counters), places).toArray(Counter[]::new),
                Arrays.stream(places).mapToLong(i -> costs[i]).toArray(),
                from == null ? null : pick(from, places),
                ticket,
                deadline);
    }

    private static <T> List<T> pick(List<T> all, int[] places) {
        return Arrays.stream(places).mapToObj(all::get).toList();
    }

    /**
     * Takes more of the same counters afterwards, or gives back.
     *
     * @param more permits of each charge, negative to give back
     * @param from how the counters stood after the charges; null if only its ticket ends
     */
    Request settling(ToLongFunction<Charge> more, @Nullable List<LimitStatus> from, long deadline) {
        long[] costs = charges.stream().mapToLong(more).toArray();
        return new Request(Operation.SETTLE, charges, counters, costs, from, ticket, deadline);
    }

    /** A request that stands for many of these, which are taken one after the other. It has no ticket. */
    Request times(long many, long deadline) {
        Request request = new Request(Operation.TAKE, charges, counters, costs, null, null, deadline);
        request.times = many;
        return request;
    }

    /** For how many requests it stands. */
    long times() {
        return times;
    }

    /** The request that ends its ticket, and settles nothing else. */
    Request ending(long until) {
        Request ending = settling(charge -> takesTicket(charge) ? -charge.cost() : 0, null, until);
        ending.leaseEnd = leaseEnd;
        return ending;
    }

    /** Whether it takes permits that a ticket names. */
    static boolean takesTicket(Charge charge) {
        return charge.limit().shape().isConcurrent() && charge.cost() > 0;
    }

    /** What is done. */
    public Operation operation() {
        return operation;
    }

    /** The charges. */
    public List<Charge> charges() {
        return charges;
    }

    /** One for each charge. Not a copy: only to be read. */
    public Counter[] counters() {
        return counters;
    }

    /** Names what it takes of concurrency limits; null if it takes nothing of them. */
    public @Nullable UUID ticket() {
        return ticket;
    }

    /** When it ends in any case, by the system's {@link TimeSource}, in nanoseconds. */
    public long deadline() {
        return deadline;
    }

    /** The permits to take of that charge, negative to give back. */
    long cost(int charge) {
        return costs[charge];
    }

    /** The state of the charge's counter after the settlement; null without one. */
    @Nullable
    LimitStatus from(int charge) {
        return from == null ? null : from.get(charge);
    }

    /** Ends with the answer before the caller hears it, also after the deadline; or fails if there will be none. To be called before it is submitted. */
    CompletableFuture<Answer> last() {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        last = answer;
        return answer;
    }

    /** Whether the answer to one is the answer to both: they ask the same of limits that are the same. */
    boolean asksTheSameAs(Request other) {
        if (operation != Operation.TAKE
                || other.operation != Operation.TAKE
                || ticket != null
                || other.ticket != null) {
            return false;
        }
        return asksTheSameAs(other.charges); // a take asks for what its charges cost
    }

    /** Whether it asks for the costs of these charges, of limits that are the same. */
    boolean asksTheSameAs(List<Charge> others) {
        boolean same = costs.length == others.size();
        for (int i = 0; same && i < costs.length; i++) {
            same = costs[i] == others.get(i).cost()
                    && isSame(charges.get(i).limit(), others.get(i).limit());
        }
        return same;
    }

    /** But for the name. Not by the method of records, which keeps the last class loader that used it. */
    @SuppressWarnings("ReferenceEquality") // most often it is the same one
    private static boolean isSame(Limit one, Limit other) {
        Shape mine = one.shape();
        Shape its = other.shape();
        return one == other
                || (one.permits() == other.permits()
                        && one.window().equals(other.window())
                        && mine.kind() == its.kind()
                        && mine.burst() == its.burst()
                        && mine.block().equals(its.block())
                        && isSame(mine.calendar(), its.calendar()));
    }

    private static boolean isSame(@Nullable CalendarWindow one, @Nullable CalendarWindow other) {
        if (one == null || other == null) {
            return one == null && other == null;
        }
        return one.unit() == other.unit()
                && one.zone().equals(other.zone())
                && one.anchor().equals(other.anchor());
    }

    /** Takes a call for its thread. On that thread. */
    void call(LongConsumer call) {
        this.call = call;
    }

    void answer(Answer answer) {
        last.complete(answer);
        complete(answer);
    }

    /** There will be no answer. */
    void fail(RuntimeException why) {
        last.completeExceptionally(why);
        completeExceptionally(why);
    }

    void expire(long now, String server) {
        if (deadline - now <= 0 && !isDone()) {
            if (sent) {
                completeExceptionally(UnansweredException.late(server));
            } else {
                fail(UnansweredException.late(server));
            }
        }
    }

    /**
     * Makes the calls that are left to its thread, and waits until it ends, also if the thread is interrupted: no longer than the deadline.
     *
     * @param server the server's name in failures
     * @throws RuntimeException why there is no answer
     */
    Answer await(String server) {
        for (LongConsumer next = call; next != null; next = call) {
            call = null; // as an answer may ask for another call
            next.accept(deadline);
        }
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return requireNonNull(
                            get(Math.max(deadline - TimeSource.system().nanoTime(), 1), TimeUnit.NANOSECONDS));
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    completeExceptionally(UnansweredException.late(server));
                } catch (ExecutionException e) {
                    throw e.getCause() instanceof RuntimeException why ? why : new IllegalStateException(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
