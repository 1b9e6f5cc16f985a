package io.github.ratelimit;

/**
 * How much of each limit this process grants while its store does not answer. Immutable and safe for concurrent use.
 *
 * @param part 1 or more
 * @param of the whole; {@code part} or more
 */
record LocalShare(int part, int of) {

    static final LocalShare WHOLE = new LocalShare(1, 1);

    LocalShare {
        if (part < 1 || part > of) {
            throw new IllegalArgumentException(
                    "local share must be more than 0 and at most 1, was %d/%d".formatted(part, of));
        }
    }

    /** The same counter with a share of its permits: rounded down, and one at least, as none would never grant anything. */
    Charge of(Charge charge) {
        if (part == of) {
            return charge;
        }
        Limit limit = charge.limit();
        long permits = Math.max(1, of(limit.permits()));
        Limit.Shape shape = limit.shape();
        if (shape.burst() > 0) {
            // Permits that are rounded down fill a bucket later, and that must not take too long. No limit's burst
            // times its
            // milliseconds is more than 2^51, so more permits than that many bound nothing.
            long most = Math.min(permits, 1 << 17)
                    * Limit.MAX_WINDOW.toMillis()
                    / limit.window().toMillis();
            shape = Limit.Shape.bucket(Math.max(1, Math.min(of(shape.burst()), most)));
        }
        Limit shared = new Limit(limit.name(), permits, limit.window(), shape, limit.soft());
        return new Charge(charge.limiter(), shared, charge.key(), charge.cost());
    }

    /** Whole numbers, and no product of more than 63 bits: a third of 3 is exactly 1. */
    private long of(long permits) {
        return permits / of * part + permits % of * part / of;
    }
}
