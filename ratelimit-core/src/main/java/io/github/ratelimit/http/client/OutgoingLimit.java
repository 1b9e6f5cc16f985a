package io.github.ratelimit.http.client;

import static java.lang.System.Logger.Level.WARNING;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Hold;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.internal.Durations;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Throttles calls to other servers: a call waits for a permit of a limiter, and for a server that asks for a pause.
 *
 * <p>A call waits for both, and no longer than {@code maxWait} together; one that would have to wait longer fails at once with {@link
 * OutgoingRejectedException} and takes nothing. The wait that a server asks for is cut to {@code maxClosed}, so that no answer of another's can keep this
 * application silent for longer. Nothing is sent again: an answer of 429 is the caller's, the wait is the next call's.
 *
 * <p>Safe for concurrent use; one for all clients that call the same servers.
 */
public final class OutgoingLimit {

    private static final System.Logger LOG = System.getLogger(OutgoingLimit.class.getName());

    private final Limiter<? super OutgoingCall> limiter;
    private final TimeSource time;
    private final ServerGates gates;
    private final Duration maxWait;
    private final ToLongFunction<? super OutgoingCall> cost;
    private final @Nullable BiFunction<Integer, Function<String, @Nullable String>, @Nullable Long> settle;

    private OutgoingLimit(Builder builder) {
        this.limiter = builder.limiter;
        this.time = builder.time;
        this.gates = new ServerGates(builder.time, builder.maxClosed);
        this.maxWait = builder.maxWait;
        this.cost = builder.cost;
        this.settle = builder.settle;
    }

    /**
     * Starts to describe one.
     *
     * @param limiter takes a permit for each call; may be one of {@code Limiters<HttpCall>}, as those of properties are
     */
    public static Builder builder(Limiter<? super OutgoingCall> limiter) {
        return new Builder(limiter);
    }

    /** The name of the limiter that takes a permit for each call. */
    public String limiter() {
        return limiter.name();
    }

    /**
     * Waits until a call may be made. {@link #answered} gives permits of concurrency limits back, or {@link #hold} keeps them longer; if a call has
     * neither, they come back when their lease ends.
     *
     * @return what was taken: settle it by the real cost of the call ({@link Limiter#settle}), or refund it
     * @throws OutgoingRejectedException if that would take longer than {@code maxWait}
     * @throws InterruptedException if the caller is interrupted while it waits: then nothing was taken
     */
    public Decision enter(OutgoingCall call) throws InterruptedException {
        Entry entry = new Entry(call);
        entry.attempt();
        try {
            return entry.get();
        } catch (InterruptedException e) {
            if (!entry.cancel(false)) {
                entry.thenAccept(limiter::refund); // it came in the same moment
            }
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException("a call to " + call.server() + " could not be decided", e);
        }
    }

    /**
     * The same without a thread that waits.
     *
     * @return completes with what was taken when the call may be made, exceptionally with {@link OutgoingRejectedException}; cancelling its
     *     future ends the wait, and nothing is taken
     */
    public CompletionStage<Decision> enterAsync(OutgoingCall call) {
        Entry entry = new Entry(call);
        entry.attempt();
        return entry;
    }

    /**
     * Holds the permits that a call took of concurrency limits until its end, in place of {@link #answered}: close it when the body is closed, or
     * the call has failed.
     *
     * @param call that has entered; of another one, or a second time, nothing is held
     */
    public Hold hold(OutgoingCall call) {
        CompletableFuture<Decision> entry = call.entry.getAndSet(null);
        return entry == null || !entry.isDone() || entry.isCompletedExceptionally()
                ? Hold.NOTHING
                : limiter.hold(entry.join());
    }

    /**
     * Heeds what a server says of its limits, settles the call, and ends it unless it is held.
     *
     * @param fields finds the first value of a header field of its answer by its name, in any case; null if there is none
     */
    public void answered(OutgoingCall call, int status, Function<String, @Nullable String> fields) {
        ServerFields.wait(status, fields, time.instant()).ifPresent(wait -> gates.close(call.server(), wait));
        hold(call).close();
        Decision taken = call.taken;
        if (settle != null && taken != null) {
            try {
                Long actual = settle.apply(status, fields);
                if (actual != null) {
                    limiter.settle(taken, actual);
                }
            } catch (RuntimeException e) { // what another server writes fails no call
                LOG.log(
                        WARNING,
                        "limiter ''{0}'': the real cost of a call to {1} was not found, and what it took stays: {2}",
                        limiter.name(),
                        call.server(),
                        e);
            }
        }
    }

    /** One call on its way in. Its attempts follow one another. */
    private final class Entry extends CompletableFuture<Decision> {

        private final OutgoingCall call;
        private final long cost;
        private final long begun = time.nanoTime();
        private volatile @Nullable CompletableFuture<?> step;

        Entry(OutgoingCall call) {
            this.call = call;
            this.cost = OutgoingLimit.this.cost.applyAsLong(call);
            call.entry.set(this);
        }

        void attempt() {
            long left = Math.max(0, maxWait.toNanos() - (time.nanoTime() - begun));
            long closed = gates.closedFor(call.server());
            if (closed > left) {
                reject(
                        "%s asked not to be called for another %s, and a call waits for %s at most"
                                .formatted(
                                        call.server(),
                                        Durations.seconds(Duration.ofNanos(closed)),
                                        Durations.text(maxWait)),
                        Duration.ofNanos(closed));
            } else if (closed > 0) {
                CompletableFuture<Void> open = new CompletableFuture<>();
                time.runAfter(closed, () -> open.complete(null));
                follow(open, nothing -> attempt());
            } else {
                follow(limiter.acquireAsync(call, cost, Duration.ofNanos(left)).toCompletableFuture(), this::decided);
            }
        }

        private void reject(String message, @Nullable Duration retryAfter) {
            completeExceptionally(new OutgoingRejectedException(message, retryAfter));
        }

        private void decided(Decision decision) {
            if (!decision.allowed()) {
                reject(
                        "limiter '%s' has no permit for a call to %s within %s"
                                .formatted(limiter.name(), call.server(), Durations.text(maxWait)),
                        decision.retryAfter().orElse(null));
            } else if (gates.closedFor(call.server()) > 0) { // it was closed while this call waited for its permit
                limiter.refund(decision);
                attempt();
            } else {
                call.taken = decision;
                if (!complete(decision)) {
                    limiter.refund(decision); // it was cancelled meanwhile
                }
            }
        }

        private <T> void follow(CompletableFuture<T> next, Consumer<T> then) {
            step = next;
            if (isDone()) {
                next.cancel(false);
            }
            CompletionStage<T> stage = next;
            stage.whenComplete((value, failure) -> {
                if (failure != null) {
                    completeExceptionally(failure);
                } else if (!isDone() || value instanceof Decision) { // a permit that comes too late is given back
                    try {
                        then.accept(value);
                    } catch (RuntimeException e) { // a key or a cost that fails; else nobody would hear of it
                        completeExceptionally(e);
                    }
                }
            });
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            CompletableFuture<?> under = step;
            if (under != null) {
                under.cancel(false);
            }
            return cancelled;
        }
    }

    /** Describes one. Not safe for concurrent use. */
    public static final class Builder {

        /** Chosen: nobody waits for longer, and all sums of it are within the range of nanoseconds. */
        private static final Duration LONGEST = Duration.ofDays(366);

        private final Limiter<? super OutgoingCall> limiter;
        private Duration maxWait = Duration.ZERO;
        private Duration maxClosed =
                Duration.ofMinutes(5); // Chosen: the order of common windows; a longer one is asked for again
        private TimeSource time = TimeSource.system();
        private ToLongFunction<? super OutgoingCall> cost = call -> 1;
        private @Nullable BiFunction<Integer, Function<String, @Nullable String>, @Nullable Long> settle;

        private Builder(Limiter<? super OutgoingCall> limiter) {
            this.limiter = limiter;
        }

        /**
         * The longest that a call waits; nobody waits if not given.
         *
         * @throws IllegalArgumentException if it is negative, or longer than a year
         */
        public Builder maxWait(Duration maxWait) {
            this.maxWait = atMostAYear("maxWait", "0 or more", !maxWait.isNegative(), maxWait);
            return this;
        }

        /**
         * The longest that a server is heeded that asks not to be called; 5 minutes if not given.
         *
         * @throws IllegalArgumentException if it is not positive, or longer than a year
         */
        public Builder maxClosed(Duration maxClosed) {
            boolean isPositive = maxClosed.compareTo(Duration.ZERO) > 0;
            this.maxClosed = atMostAYear("maxClosed", "more than 0", isPositive, maxClosed);
            return this;
        }

        private static Duration atMostAYear(String name, String form, boolean isOfIt, Duration given) {
            if (!isOfIt || given.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException(
                        "%s must be %s, and a year at most, was %s".formatted(name, form, Durations.text(given)));
            }
            return given;
        }

        /** The clock to wait by; the machine's if not given. That of the limiter's store: {@code store.time()}. */
        public Builder time(TimeSource time) {
            this.time = time;
            return this;
        }

        /** The permits that a call takes, such as an estimate by its header fields; 1 if not given. */
        public Builder cost(ToLongFunction<? super OutgoingCall> cost) {
            this.cost = cost;
            return this;
        }

        /**
         * Settles each call by its answer; a call without an answer keeps what it took.
         *
         * @param actual finds the real cost by the status and the header fields, as {@link OutgoingLimit#answered} has them; null, or an exception,
         *     which is logged, if they do not tell it: then what was taken stays
         */
        public Builder settle(BiFunction<Integer, Function<String, @Nullable String>, @Nullable Long> actual) {
            this.settle = actual;
            return this;
        }

        /**
         * Makes it.
         *
         * @throws IllegalArgumentException if answers settle, and the limiter is a union
         */
        public OutgoingLimit build() {
            if (settle != null && limiter.name().contains("+")) {
                throw new IllegalArgumentException(
                        "limiters '%s' take costs of their own; settle the answers of one limiter"
                                .formatted(limiter.name()));
            }
            return new OutgoingLimit(this);
        }
    }
}
