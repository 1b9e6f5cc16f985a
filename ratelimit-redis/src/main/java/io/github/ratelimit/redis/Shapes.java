package io.github.ratelimit.redis;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Shape;
import io.github.ratelimit.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Describes limits of other shapes than the fixed window to {@code shapes.lua}. */
final class Shapes {

    // The operation of the script on a request.
    static final int SETTLE = 0;
    static final int TAKE = 1;
    static final int REJECT = 2;

    /** Chosen: as much may this machine's calendar be ahead of the server's, whose day may not have ended yet. */
    private static final Duration AHEAD = Duration.ofHours(1);

    private Shapes() {}

    /** Whether a limit has another shape, so that this script decides and no other. */
    static boolean any(List<Charge> charges) {
        return charges.stream().anyMatch(charge -> isOther(charge.limit()));
    }

    static boolean isOther(Limit limit) {
        return limit.shape().kind() != Shape.Kind.FIXED;
    }

    /** The script's name of a kind. Days and months are fixed windows that end by the calendar. */
    private static int number(Shape.Kind kind) {
        return switch (kind) {
            case FIXED, DAY, MONTH -> 0;
            case BUCKET -> 1;
            case SLIDING -> 2;
            case BLOCKING -> 3;
        };
    }

    /**
     * Tells of a charge.
     *
     * @param cost the permits to take; negative to give back
     * @param from the window that it is given back to, by {@link Standing#window}
     * @param at when that was taken, by the server's calendar in milliseconds
     */
    static void writeTo(Call.Arguments to, Charge charge, long cost, long from, long at) {
        Limit limit = charge.limit();
        Shape shape = limit.shape();
        long first = 0;
        long second = 0;
        if (shape.isCalendar()) {
            Instant next = shape.endOf(TimeSource.system().instant().minus(AHEAD));
            first = next.toEpochMilli();
            second = shape.endOf(next).toEpochMilli();
        } else if (shape.kind() == Shape.Kind.BUCKET) {
            first = limit.capacity();
            second = at;
        } else {
            first = shape.block().toMillis();
        }
        to.number(cost).number(limit.permits()).number(limit.window().toMillis());
        to.number(number(shape.kind())).number(first).number(second).number(from);
    }
}
