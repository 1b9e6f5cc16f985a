package io.github.ratelimit.contract;

import io.github.ratelimit.Charge;
import io.github.ratelimit.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A store that is obviously right and slow: each counter has a list of windows that never shrinks, each window a list of what was granted
 * in it, and whoever asks adds them up. Used by one thread.
 */
final class NaiveModel {

    /** What one decision took of one charge. Given back by taking it out of its window. */
    private static final class Grant {}

    /** From the first grant on, for the window's length, or until a reset. */
    private static final class Window {

        final long start;
        final Instant reset;
        final Map<Grant, Long> grants = new HashMap<>();
        boolean forgotten;

        Window(long start, Instant reset) {
            this.start = start;
            this.reset = reset;
        }

        boolean isOpen(long now, Duration length) {
            return !forgotten && now - start < length.toNanos();
        }

        long used() {
            return grants.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /** What the model says of one limit. */
    record Status(long remaining, Duration resetAfter, Instant resetAt, Optional<Duration> retryAfter) {}

    /** What the model says of a request, and how to give it back. */
    record Answer(boolean allowed, List<Status> statuses, Runnable refund) {}

    private final TimeSource time;
    private final Map<List<Object>, List<Window>> windows = new HashMap<>();

    NaiveModel(TimeSource time) {
        this.time = time;
    }

    /** All or nothing; nothing always fits. */
    Answer tryAcquire(List<Charge> charges) {
        boolean allowed = charges.stream().allMatch(this::fits);
        List<Runnable> refunds = new ArrayList<>();
        if (allowed) {
            charges.stream().filter(charge -> charge.cost() > 0).forEach(charge -> refunds.add(take(charge)));
        }
        List<Status> statuses =
                charges.stream().map(charge -> status(charge, allowed)).toList();
        return new Answer(allowed, statuses, () -> refunds.forEach(Runnable::run));
    }

    /** What was counted counts no longer, nor can any of it be given back. */
    void reset(List<Charge> charges) {
        charges.forEach(charge -> windows(charge).forEach(window -> window.forgotten = true));
    }

    /** How long until the next window ends; empty if none is open. */
    Optional<Duration> nextEnd(List<Charge> charges) {
        return charges.stream()
                .filter(charge -> open(charge) != null)
                .map(this::resetAfter)
                .min(Duration::compareTo);
    }

    private boolean fits(Charge charge) {
        return charge.cost() == 0 || charge.cost() <= remaining(charge);
    }

    private Runnable take(Charge charge) {
        Window window = open(charge);
        if (window == null) {
            window = new Window(
                    time.nanoTime(), time.instant().plus(charge.limit().window()));
            windows(charge).add(window);
        }
        Grant grant = new Grant();
        window.grants.put(grant, charge.cost());
        Map<Grant, Long> taken = window.grants;
        return () -> taken.remove(grant);
    }

    private Status status(Charge charge, boolean allowed) {
        Window window = open(charge);
        Duration resetAfter = resetAfter(charge);
        Optional<Duration> retryAfter = Optional.of(Duration.ZERO);
        if (!allowed && !fits(charge)) {
            retryAfter = charge.cost() > charge.limit().permits() ? Optional.empty() : Optional.of(resetAfter);
        }
        return new Status(remaining(charge), resetAfter, window == null ? time.instant() : window.reset, retryAfter);
    }

    private long remaining(Charge charge) {
        Window window = open(charge);
        return Math.max(0, charge.limit().permits() - (window == null ? 0 : window.used()));
    }

    private Duration resetAfter(Charge charge) {
        Window window = open(charge);
        return window == null ? Duration.ZERO : charge.limit().window().minusNanos(time.nanoTime() - window.start);
    }

    private @Nullable Window open(Charge charge) {
        return windows(charge).stream()
                .filter(window -> window.isOpen(time.nanoTime(), charge.limit().window()))
                .findFirst()
                .orElse(null);
    }

    /** Of the counter: a limiter, a limit's name, its window and a key. The permits are no part of it. */
    private List<Window> windows(Charge charge) {
        List<Object> counter =
                List.of(charge.limiter(), charge.limit().name(), charge.limit().window(), charge.key());
        return windows.computeIfAbsent(counter, unused -> new ArrayList<>());
    }
}
