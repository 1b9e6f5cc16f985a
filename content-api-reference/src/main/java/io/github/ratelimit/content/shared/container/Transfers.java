package io.github.ratelimit.content.shared.container;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.shared.limit.WaitingRoom;
import io.github.ratelimit.content.shared.limit.WorkBudget;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What all requests together may hold and wait for: bytes of bodies, and workers that a client keeps waiting; and what each of them may have the
 * server do. Safe for concurrent use.
 */
final class Transfers implements AnswerBudget, WaitingRoom, WorkBudget {
    /** Bytes that a character takes until it is sent: as it is stored, as it is shown, as it is written. */
    private static final int BYTES_A_CHARACTER = 3;

    /** Chosen: more than any honest client is slow at a time; it takes many addresses to hold all places. */
    private static final int PARTS_OF_WORKERS = 8;

    /** Chosen: one address may be some honest clients that write or read much. */
    private static final int PARTS_OF_BYTES = 4;

    /** Chosen: a company behind one address may write at one moment, and others still find places. */
    private static final int PARTS_OF_QUEUES = 2;

    /** While half of them wait, patience ends early. Chosen: long for any honest sender, short for who holds a worker. */
    private static final Duration UNDER_PRESSURE = Duration.ofSeconds(5);

    /** Chosen: long for a crowd whose turns take milliseconds, short for who holds a worker. */
    private static final Duration WITHOUT_A_PLACE = Duration.ofMillis(250);

    private final TimeSource clock;
    private final RequestBounds bounds;
    private final SharedAmount held;
    private final SharedAmount answering;
    private final SharedAmount waiting;
    private final SharedAmount queued;

    @SuppressWarnings("ThreadLocalUsage") // One for each server of a process, as long as it serves.
    private final ThreadLocal<BoundedRequest> current = new ThreadLocal<>();

    /**
     * Makes one that holds nothing.
     *
     * @param clock measures how long a client is waited for
     * @param bounds of everything
     * @param workers how many requests are served at a time
     * @param ipv6Prefix how many bits of an IPv6 address are one client, 0 to 128
     * @param unbounded tells the addresses of peers that no bound for one address is meant for: proxies, behind which all clients are one peer
     */
    Transfers(TimeSource clock, RequestBounds bounds, int workers, int ipv6Prefix, Predicate<String> unbounded) {
        this.clock = clock;
        this.bounds = bounds;
        this.held = new SharedAmount(bounds.maxBytesInFlight().toBytes(), PARTS_OF_BYTES, ipv6Prefix, unbounded);
        this.answering = new SharedAmount(bounds.maxAnswersInFlight().toBytes(), PARTS_OF_BYTES, ipv6Prefix, unbounded);
        this.waiting = new SharedAmount(
                Math.min(bounds.maxWaiting(), share(workers)), PARTS_OF_WORKERS, ipv6Prefix, unbounded);
        this.queued =
                new SharedAmount(Math.min(bounds.maxQueued(), share(workers)), PARTS_OF_QUEUES, ipv6Prefix, unbounded);
    }

    /** Chosen: two fifths wait for clients, two for each other, and one serves those that wait for nobody. */
    private static int share(int workers) {
        return Math.max(1, (int) (workers * 2L / 5));
    }

    RequestBounds bounds() {
        return bounds;
    }

    long now() {
        return clock.nanoTime();
    }

    /** Says which request this thread serves, or that it serves none any more. */
    void serving(@Nullable BoundedRequest request) {
        if (request == null) {
            current.remove();
        } else {
            current.set(request);
        }
    }

    /**
     * Holds more of the body of the request that this thread serves; of a request that is answered already nothing is kept.
     *
     * @return how many of the bytes go to a file instead
     */
    long hold(long bytes) {
        BoundedRequest request = current.get();
        return request == null ? 0 : bytes - request.holds(bytes);
    }

    @Override
    public void take(long characters) {
        take(characters, bounds.maxAnswer().toBytes() * BYTES_A_CHARACTER);
    }

    @Override
    public void takeAnyLength(long characters) {
        take(characters, bounds.maxAnswersInFlight().toBytes());
    }

    private void take(long characters, long most) {
        BoundedRequest request = current.get();
        if (request == null) {
            return;
        }
        long bytes = characters * BYTES_A_CHARACTER;
        if (request.answered() + bytes > most) {
            throw UnavailableException.tooLong();
        }
        if (!answering.tryTake(request.getRemoteAddr(), request.answered(), bytes)) {
            throw UnavailableException.busy("Too many long answers are being written at the moment.");
        }
        request.answers(bytes);
    }

    void answered(String peer, long bytes) {
        answering.give(peer, bytes);
    }

    @Override
    public void countStatement(boolean isWriting) {
        BoundedRequest request = current.get();
        if (request != null) {
            request.work().countStatement(isWriting, now());
        }
    }

    @Override
    public void stored() {
        BoundedRequest request = current.get();
        if (request != null) {
            request.work().stored();
        }
    }

    @Override
    public void requireRoom() {
        BoundedRequest request = current.get();
        if (request != null) {
            request.work().requireRoom(now());
        }
    }

    @Override
    public boolean isSpent() {
        BoundedRequest request = current.get();
        return request != null && request.work().isSpent(now());
    }

    @Override
    public void renew() {
        BoundedRequest request = current.get();
        if (request != null) {
            request.work().renew(now());
        }
    }

    @Override
    public void giveBack(Runnable step) {
        BoundedRequest request = current.get();
        if (request == null) {
            step.run();
        } else {
            request.work().giveBack(step);
        }
    }

    @Override
    public Duration patience(Duration longest) {
        BoundedRequest request = current.get();
        if (request == null) {
            return longest;
        }
        Duration most = shorter(longest, request.work().left(now()));
        // Who gives back waits for no more than he began with a moment ago, and others wait longer for what he holds.
        if (request.isQueued() || request.work().isGivingBack()) {
            return most;
        }
        if (queued.tryTake(request.getRemoteAddr(), 0, 1)) {
            request.queues();
            return most;
        }
        return shorter(most, WITHOUT_A_PLACE);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    void leave(String peer) {
        queued.give(peer, 1);
    }

    long mostQueued() {
        return queued.most();
    }

    long queuedNow() {
        return queued.taken();
    }

    long answeringNow() {
        return answering.taken();
    }

    /** Says whether more bytes may be held for a request that holds some already; takes them then. */
    boolean tryHold(String peer, long own, long bytes) {
        return held.tryTake(peer, own, bytes);
    }

    void release(String peer, long bytes) {
        held.give(peer, bytes);
    }

    long held() {
        return held.taken();
    }

    /** Says whether one more worker may wait for its client. */
    boolean tryWait(String peer) {
        return waiting.tryTake(peer, 0, 1);
    }

    /** Says that a worker waits no more, after so many nanoseconds: nobody worked meanwhile. */
    void waited(String peer, long nanos) {
        waiting.give(peer, 1);
        BoundedRequest request = current.get();
        if (request != null) {
            request.work().waited(nanos);
        }
    }

    long mostWaiting() {
        return waiting.most();
    }

    long waitingNow() {
        return waiting.taken();
    }

    /** Says whether a client was waited for long enough. */
    boolean isOver(long waitedNanos, Duration deadline) {
        boolean pressed = waitingNow() * 2 > mostWaiting();
        Duration patience = pressed && deadline.compareTo(UNDER_PRESSURE) > 0 ? UNDER_PRESSURE : deadline;
        return waitedNanos > patience.toNanos();
    }
}
