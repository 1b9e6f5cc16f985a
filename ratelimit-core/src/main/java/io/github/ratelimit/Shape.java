package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How the permits of a limit come back. Made by {@link Limit}, which checks it.
 *
 * <p>Immutable and safe for concurrent use.
 *
 * @param kind the kind
 * @param burst of a bucket: the permits that it holds, 0 for as many as the limit has; 0 for other kinds
 * @param block of a blocking window: how long a request too many closes it; zero for other kinds
 * @param calendar when windows end by the calendar; null for other kinds
 */
public record Shape(
        Kind kind, long burst, Duration block, @Nullable CalendarWindow calendar) {

    /** All permits of a window come back when it ends. It begins with the key's first request. */
    public static final Shape FIXED = of(Kind.FIXED);

    static final Shape SLIDING = of(Kind.SLIDING);

    static final Shape CONCURRENT = of(Kind.CONCURRENT);

    /** The {@code Retry-After} of a concurrency limit. Chosen: nobody knows when a permit is given back. */
    public static final Duration CONCURRENT_RETRY = Duration.ofSeconds(1);

    /** The kinds of shapes. */
    public enum Kind {

        /** All permits come back when the window ends. */
        FIXED(new FixedWindow()),

        /** Permits come back one by one (token bucket, as GCRA counts it). */
        BUCKET(new TokenBucket()),

        /** A permit comes back a window's length after it was taken, or up to a third later. */
        SLIDING(new SlidingWindow()),

        /** All permits come back when the window ends by the calendar. */
        CALENDAR(new FixedWindow(Segment.DAYS)),

        /** As {@link #FIXED}, but a request above the permits closes the window for some time. */
        BLOCKING(new BlockingWindow()),

        /** A permit comes back when its holder gives it back, or when its lease ends. */
        CONCURRENT(new Semaphore());

        @SuppressWarnings("ImmutableEnumChecker") // it has no state
        final Arithmetic arithmetic;

        Kind(Arithmetic arithmetic) {
            this.arithmetic = arithmetic;
        }
    }

    /** Checks that nothing is missing. */
    public Shape {
        requireNonNull(kind, "kind");
        requireNonNull(block, "block");
        if ((kind == Kind.CALENDAR) != (calendar != null)) {
            throw new IllegalArgumentException("%s and the calendar window %s do not fit".formatted(kind, calendar));
        }
    }

    private static Shape of(Kind kind) {
        return new Shape(kind, 0, Duration.ZERO, null);
    }

    static Shape bucket(long burst) {
        return new Shape(Kind.BUCKET, burst, Duration.ZERO, null);
    }

    static Shape blocking(Duration block) {
        return new Shape(Kind.BLOCKING, 0, block, null);
    }

    static Shape calendar(CalendarWindow window) {
        return new Shape(Kind.CALENDAR, 0, Duration.ZERO, window);
    }

    /** Whether it limits how many hold a permit at a time: a {@link Hold} gives it back. */
    public boolean isConcurrent() {
        return kind == Kind.CONCURRENT;
    }

    /** The name for readers: that of the kind, such as {@code bucket}, or of the calendar's unit, such as {@code day}. */
    public String name() {
        return calendar == null
                ? kind.name().toLowerCase(Locale.ROOT)
                : calendar.unit().toString();
    }
}
