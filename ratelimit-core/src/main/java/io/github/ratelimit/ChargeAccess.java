package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.internal.memory.CounterAccess;
import io.github.ratelimit.internal.memory.Segment;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The access of one charge to its counter: translates the limit into numbers, and its calendar into moments. */
final class ChargeAccess extends CounterAccess {

    private final Limit limit;
    private final TimeSource time;

    ChargeAccess(Charge charge, long digest, Segment segment, @Nullable UUID ticket, TimeSource time) {
        super(
                charge.limit().shape().kind().arithmetic,
                charge.limit().permits(),
                charge.limit().capacity(),
                charge.limit().window().toNanos(),
                charge.limit().shape().block().toNanos(),
                charge.cost(),
                digest,
                segment,
                ticket);
        this.limit = charge.limit();
        this.time = time;
    }

    @Override
    protected long wallNanos() {
        return time.millis() * 1_000_000;
    }

    @Override
    protected long untilCalendarEnd() {
        CalendarWindow calendar = requireNonNull(limit.shape().calendar());
        long wall = time.millis();
        return (calendar.endOf(Instant.ofEpochMilli(wall)).toEpochMilli() - wall) * 1_000_000;
    }
}
