package io.github.ratelimit.content.shared.container;

import io.github.ratelimit.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What all requests together may hold and wait for: bytes of bodies, and workers that a client keeps waiting. Safe for
 * concurrent use.
 */
final class Transfers implements AnswerBudget {
    /** Bytes that a character takes until it is sent: as it is stored, as it is shown, as it is written. */
    private static final int BYTES_A_CHARACTER = 3;

    /** Chosen: more than any honest client is slow at a time; it takes many addresses to hold all places. */
    private static final int SHARES = 8;

    private static final int IPV6_GROUPS = 4;

    /** While half of them wait, patience ends early. Chosen: long for any honest sender, short for who holds a worker. */
    private static final Duration UNDER_PRESSURE = Duration.ofSeconds(5);

    private final TimeSource clock;
    private final RequestBounds bounds;
    private final Predicate<String> unbounded;
    private final Map<String, Integer> waitingOf = new ConcurrentHashMap<>();
    private final AtomicLong held = new AtomicLong();
    private final AtomicLong answering = new AtomicLong();

    @SuppressWarnings("ThreadLocalUsage") // One for each server of a process, as long as it serves.
    private final ThreadLocal<BoundedRequest> current = new ThreadLocal<>();

    private final Semaphore waiting;

    /**
     * Makes one that holds nothing.
     *
     * @param clock measures how long a client is waited for
     * @param bounds of everything
     * @param unbounded tells the addresses of peers that may keep any number of workers waiting: proxies, behind which all clients are one
     *     peer
     */
    Transfers(TimeSource clock, RequestBounds bounds, Predicate<String> unbounded) {
        this.clock = clock;
        this.bounds = bounds;
        this.unbounded = unbounded;
        this.waiting = new Semaphore(bounds.maxWaiting());
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

    @Override
    public void take(long characters) {
        BoundedRequest request = current.get();
        if (request == null) {
            return;
        }
        if (characters > bounds.maxAnswer().toBytes()) {
            throw UnavailableException.tooLong();
        }
        long bytes = characters * BYTES_A_CHARACTER;
        if (answering.addAndGet(bytes) > bounds.maxAnswersInFlight().toBytes()) {
            answering.addAndGet(-bytes);
            throw UnavailableException.busy("Too many long answers are being written at the moment.");
        }
        request.answers(bytes);
    }

    void answered(long bytes) {
        answering.addAndGet(-bytes);
    }

    long answeringNow() {
        return answering.get();
    }

    /** Says whether more bytes may be held; takes them then. */
    boolean tryHold(long bytes) {
        if (held.addAndGet(bytes) > bounds.maxBytesInFlight().toBytes()) {
            held.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    void release(long bytes) {
        held.addAndGet(-bytes);
    }

    long held() {
        return held.get();
    }

    /**
     * Says whether one more worker may wait for its client. Whoever is slow takes an eighth of the places, and the others keep the rest.
     *
     * @param peer the client's address; an IPv6 one is its network of 64 bits
     */
    boolean tryWait(String peer) {
        boolean[] mayHold = {true};
        if (!unbounded.test(peer)) {
            waitingOf.compute(network(peer), (network, known) -> {
                int others = known == null ? 0 : known;
                mayHold[0] = others < Math.max(1, bounds.maxWaiting() / SHARES);
                return mayHold[0] ? Integer.valueOf(others + 1) : known;
            });
        }
        if (!mayHold[0]) {
            return false;
        }
        boolean isFree = waiting.tryAcquire();
        if (!isFree) {
            forget(peer);
        }
        return isFree;
    }

    /** Says that a worker waits no more. */
    void waited(String peer) {
        waiting.release();
        forget(peer);
    }

    private void forget(String peer) {
        waitingOf.computeIfPresent(network(peer), (network, known) -> known == 1 ? null : known - 1);
    }

    private static String network(String peer) {
        int end = peer.indexOf(':');
        for (int group = 1; end >= 0 && group < IPV6_GROUPS; group++) {
            end = peer.indexOf(':', end + 1);
        }
        return end < 0 ? peer : peer.substring(0, end);
    }

    int waitingNow() {
        return bounds.maxWaiting() - waiting.availablePermits();
    }

    /** Says whether a client was waited for long enough. */
    boolean isOver(long waitedNanos, Duration deadline) {
        boolean pressed = waiting.availablePermits() * 2 < bounds.maxWaiting();
        Duration patience = pressed && deadline.compareTo(UNDER_PRESSURE) > 0 ? UNDER_PRESSURE : deadline;
        return waitedNanos > patience.toNanos();
    }
}
