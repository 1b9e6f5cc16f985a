package io.github.ratelimit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What one counter has used of one window.
 *
 * <p>Its end never moves and its count only grows, but for a refund: a new window is a new object. A closed window takes nothing any
 * more, so that who still holds it cannot count into what has been thrown away.
 */
final class Window {

    /** What {@link #used()} says of a closed window. */
    static final long CLOSED = -1;

    private static final VarHandle USED;

    static {
        try {
            USED = MethodHandles.lookup().findVarHandle(Window.class, "used", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long end;
    private final long endMillis;
    private volatile long used;

    /**
     * Opens a window.
     *
     * @param end monotonic nanoseconds: what is decided by
     * @param endMillis the same moment by the calendar of when it was opened: what is told
     * @param used what was taken before
     */
    Window(long end, long endMillis, long used) {
        this.end = end;
        this.endMillis = endMillis;
        this.used = used;
    }

    long end() {
        return end;
    }

    long endMillis() {
        return endMillis;
    }

    boolean isOver(long now) {
        return FixedWindow.isOver(end, now);
    }

    /** What was taken, or {@link #CLOSED}. */
    long used() {
        return used;
    }

    /** Counts up or down from {@code expected}, unless another thread was faster. */
    boolean change(long expected, long used) {
        return USED.compareAndSet(this, expected, used);
    }

    /** Closes it and says what was taken. */
    long close() {
        return (long) USED.getAndSet(this, CLOSED);
    }
}
