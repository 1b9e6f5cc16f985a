package io.github.ratelimit.internal.memory;

/** The arithmetic of each shape. */
public final class Shapes {

    private Shapes() {}

    /** A window begins with a key's first request, and ends after a fixed time. */
    public static final Arithmetic FIXED = new FixedWindow(Segment.PERMITS);

    /** As {@link #FIXED}, but ends by the calendar. */
    public static final Arithmetic CALENDAR = new FixedWindow(Segment.DAYS);

    /** As {@link #FIXED}, but the first request too many closes it. */
    public static final Arithmetic BLOCKING = new BlockingWindow();

    /** Permits come back one by one. */
    public static final Arithmetic BUCKET = new TokenBucket();

    /** Permits come back a window's length after they were taken, or up to a third later. */
    public static final Arithmetic SLIDING = new SlidingWindow();

    /** A permit comes back when its ticket ends. */
    public static final Arithmetic CONCURRENT = new Semaphore();
}
