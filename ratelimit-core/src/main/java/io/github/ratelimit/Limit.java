package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.internal.Durations;
import io.github.ratelimit.internal.Names;
import io.github.ratelimit.internal.memory.Arithmetic;
import io.github.ratelimit.internal.memory.Shapes;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How much may happen within a window.
 *
 * <p>Immutable and safe for concurrent use.
 *
 * <pre>{@code
 * Limit second = Limit.of(10, Duration.ofSeconds(1)); // the only one of its limiter
 * Limit hourly = Limit.of("hourly", 30_000, Duration.ofHours(1));
 * }</pre>
 *
 * @param name the name in its limiter and in header fields; 1 to 64 of {@code A-Z a-z 0-9 . _ -}
 * @param permits the permits of one window, 1 to {@value #MAX_PERMITS}
 * @param window the period it counts over, whole milliseconds from 1 ms to 366 days
 * @param shape how the permits come back
 * @param soft whether requests above it are served and counted on; {@link Decision#exceeded} tells it
 */
public record Limit(String name, long permits, Duration window, Shape shape, boolean soft) {

    /** The largest count that a script of a Redis server, whose numbers are doubles, holds exactly: 2^53 - 1. */
    public static final long MAX_PERMITS = (1L << 53) - 1;

    /** The shortest window: the resolution of stored expiries. */
    public static final Duration MIN_WINDOW = Duration.ofMillis(1);

    /** The longest window. Chosen: a leap year, far inside the range of monotonic nanoseconds. */
    public static final Duration MAX_WINDOW = Duration.ofDays(366);

    private static final long MOST_SLIDING = (1L << 16) - 1;
    private static final long MOST_PARTS = 1L << 51;

    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException if a part is out of its range; names the limit, the part, the value and the range
     */
    public Limit {
        Names.require("limit", name);
        requireNonNull(shape, () -> "limit '%s': shape must not be null".formatted(name));
        requireNonNull(window, () -> "limit '%s': window must not be null".formatted(name));
        if (permits < 1 || permits > MAX_PERMITS) {
            throw new IllegalArgumentException(
                    "limit '%s': permits must be 1..%d, was %d".formatted(name, MAX_PERMITS, permits));
        }
        if (window.compareTo(MIN_WINDOW) < 0 || window.compareTo(MAX_WINDOW) > 0) {
            throw new IllegalArgumentException(
                    "limit '%s': window must be 1ms to 366d, was %s".formatted(name, Durations.text(window)));
        }
        if (window.toNanosPart() % 1_000_000 != 0) {
            throw new IllegalArgumentException("limit '%s': window must be whole milliseconds, was %s; round it"
                    .formatted(name, Durations.text(window)));
        }
        if (soft && shape.kind() != Shape.Kind.FIXED && shape.kind() != Shape.Kind.CALENDAR) {
            throw new IllegalArgumentException(
                    "limit '%s': a soft limit needs a fixed window or one of the calendar, was %s; leave soft or the shape out"
                            .formatted(name, shape.name()));
        }
        String problem = problem(permits, window, shape);
        if (!problem.isEmpty()) {
            throw new IllegalArgumentException("limit '%s': %s".formatted(name, problem));
        }
    }

    private static String problem(long permits, Duration window, Shape shape) {
        switch (shape.kind()) {
            case BUCKET -> {
                long burst = shape.burst() == 0 ? permits : shape.burst();
                if (burst < 0 || burst > MOST_PARTS / window.toMillis()) {
                    return "burst must be 1..%d for a window of %s, was %d"
                            .formatted(MOST_PARTS / window.toMillis(), Durations.text(window), burst);
                }
                if ((double) burst * window.toMillis() / permits > MAX_WINDOW.toMillis()) {
                    return "a bucket must be full again after 366 days at most; lower burst, which was " + burst;
                }
            }
            case SLIDING, CONCURRENT -> {
                String words = shape.isConcurrent()
                        ? "a concurrency limit has 1..%d permits and a lease of 3 ms at least, was %d with %s"
                        : "a sliding window has 1..%d permits and 3 ms at least, was %d in %s; a bucket can have more";
                if (permits > MOST_SLIDING || window.toMillis() < 3) {
                    return words.formatted(MOST_SLIDING, permits, Durations.text(window));
                }
            }
            case BLOCKING -> {
                Duration block = shape.block();
                if (block.compareTo(MIN_WINDOW) < 0
                        || block.compareTo(MAX_WINDOW) > 0
                        || block.toNanosPart() % 1_000_000 != 0) {
                    return "block must be whole milliseconds, 1ms to 366d, was " + Durations.text(block);
                }
            }
            default -> {}
        }
        return "";
    }

    /** Makes a limit that rejects. */
    public Limit(String name, long permits, Duration window, Shape shape) {
        this(name, permits, window, shape, false);
    }

    /** Makes a fixed-window limit. */
    public Limit(String name, long permits, Duration window) {
        this(name, permits, window, Shape.FIXED);
    }

    /**
     * Makes a fixed-window limit called {@code default}: for a limiter that has no other.
     *
     * @param permits the permits of one window, 1 to {@value #MAX_PERMITS}
     * @param window the period it counts over, whole milliseconds from 1 ms to 366 days
     * @throws IllegalArgumentException if a part is out of its range
     */
    public static Limit of(long permits, Duration window) {
        return of("default", permits, window);
    }

    /**
     * Makes a fixed-window limit.
     *
     * @param name the name
     * @param permits the permits of one window, 1 to {@value #MAX_PERMITS}
     * @param window the period it counts over, whole milliseconds from 1 ms to 366 days
     * @throws IllegalArgumentException if a part is out of its range
     */
    public static Limit of(String name, long permits, Duration window) {
        return new Limit(name, permits, window);
    }

    /**
     * Makes a limit whose windows end by the calendar. Its {@link #window()} is the longest one of the unit.
     *
     * @param name the name
     * @param permits the permits of a window, 1 to {@value #MAX_PERMITS}
     * @throws IllegalArgumentException if a part is out of its range
     */
    public static Limit calendar(String name, long permits, CalendarWindow window) {
        return new Limit(
                name, permits, window.unit().longest(), new Shape(Shape.Kind.CALENDAR, 0, Duration.ZERO, window));
    }

    /**
     * Makes a limit whose windows end at midnight.
     *
     * @param name the name
     * @param permits the permits of a day, 1 to {@value #MAX_PERMITS}
     * @param zone whose midnight
     * @throws IllegalArgumentException if a part is out of its range
     */
    public static Limit daily(String name, long permits, ZoneId zone) {
        return calendar(name, permits, CalendarWindow.of(CalendarWindow.Unit.DAY, zone));
    }

    /**
     * Makes a limit whose windows end with the month.
     *
     * @param name the name
     * @param permits the permits of a month, 1 to {@value #MAX_PERMITS}
     * @param zone whose first day of a month
     * @throws IllegalArgumentException if a part is out of its range
     */
    public static Limit monthly(String name, long permits, ZoneId zone) {
        return calendar(name, permits, CalendarWindow.of(CalendarWindow.Unit.MONTH, zone));
    }

    /**
     * Makes a limit of how many hold a permit at a time. {@link Limiter#run} and all adapters give a permit back at the end, and renew it
     * before its lease ends. {@link Limiter#tryAcquire} alone takes it for the lease: {@link Limiter#hold} its decision.
     *
     * @param name the name
     * @param permits how many at a time, 1 to 65,535
     * @param lease after this time a permit of a process that died comes back; its {@link #window()}
     * @throws IllegalArgumentException if a part is out of its range
     */
    public static Limit concurrent(String name, long permits, Duration lease) {
        return new Limit(name, permits, lease, Shape.CONCURRENT);
    }

    /** A copy as a token bucket. It holds as many permits as the limit has; they return one by one. */
    public Limit bucket() {
        return withShape(Shape.bucket(0));
    }

    /**
     * A copy as a token bucket: permits return one by one.
     *
     * @param burst how many permits it holds, 1 or more
     * @throws IllegalArgumentException if {@code burst} times the window's milliseconds is more than 2^51, or a bucket takes more than 366 days
     *     to become full
     */
    public Limit bucket(long burst) {
        if (burst < 1) {
            throw new IllegalArgumentException("limit '%s': burst must be 1 or more, was %d".formatted(name, burst));
        }
        return withShape(Shape.bucket(burst));
    }

    /**
     * A copy as a sliding window: no interval of its length has more than the permits.
     *
     * @throws IllegalArgumentException if it has more than 65,535 permits
     */
    public Limit sliding() {
        return withShape(Shape.SLIDING);
    }

    /**
     * The same, but the first request above the permits closes the window for some time. Further ones do not prolong it.
     * With {@link #withPermits more permits} it has room again, and counts on until its end.
     *
     * @param block how long, whole milliseconds from 1 ms to 366 days
     * @throws IllegalArgumentException if it is out of its range
     */
    public Limit blocking(Duration block) {
        return withShape(new Shape(Shape.Kind.BLOCKING, 0, block, null));
    }

    /**
     * The same with another anchor: the first day of a window of the calendar.
     *
     * @throws IllegalArgumentException if windows do not end by the calendar
     */
    public Limit from(LocalDate anchor) {
        CalendarWindow calendar = shape.calendar();
        if (calendar == null) {
            throw new IllegalArgumentException("limit '%s': an anchor needs a window of the calendar, was %s"
                    .formatted(name, Durations.text(window)));
        }
        return withShape(new Shape(Shape.Kind.CALENDAR, 0, Duration.ZERO, calendar.from(anchor)));
    }

    /** The same with other permits. */
    public Limit withPermits(long permits) {
        return new Limit(name, permits, window, shape, soft);
    }

    private Limit withShape(Shape shape) {
        return new Limit(name, permits, window, shape, soft);
    }

    /**
     * A copy that is soft, or that rejects.
     *
     * @throws IllegalArgumentException if it is soft and has another shape than a fixed window or one of the calendar
     */
    public Limit withSoft(boolean soft) {
        return new Limit(name, permits, window, shape, soft);
    }

    /** The largest cost that ever fits: the burst of a bucket, else the permits. */
    public long capacity() {
        return shape.burst() == 0 ? permits : shape.burst();
    }

    /** {@code 1000 per 1m (burst)}. */
    @Override
    public String toString() {
        String kind = (soft ? "soft " : "") + (shape.equals(Shape.FIXED) ? "" : shape.name() + " ");
        return "%s per %s (%s%s)".formatted(permits, Durations.text(window), kind, name);
    }

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
            FIXED(Shapes.FIXED),

            /** Permits come back one by one (token bucket, as GCRA counts it). */
            BUCKET(Shapes.BUCKET),

            /** A permit comes back a window's length after it was taken, or up to a third later. */
            SLIDING(Shapes.SLIDING),

            /** All permits come back when the window ends by the calendar. */
            CALENDAR(Shapes.CALENDAR),

            /** As {@link #FIXED}, but a request above the permits closes the window for some time. */
            BLOCKING(Shapes.BLOCKING),

            /** A permit comes back when its holder gives it back, or when its lease ends. */
            CONCURRENT(Shapes.CONCURRENT);

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
                throw new IllegalArgumentException(
                        "%s and the calendar window %s do not fit".formatted(kind, calendar));
            }
        }

        private static Shape of(Kind kind) {
            return new Shape(kind, 0, Duration.ZERO, null);
        }

        static Shape bucket(long burst) {
            return new Shape(Kind.BUCKET, burst, Duration.ZERO, null);
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
}
