package io.github.ratelimit.spring.live;

import java.util.Arrays;

/** How often something happened within fifteen minutes, and lately. Takes less than a kilobyte; safe for concurrent use. */
final class Series {

    /** How much time a point covers. */
    static final int SECONDS_A_POINT = 10;

    private static final int POINTS = 90;
    private static final int RECENT_SECONDS = 5;

    private final Slots points = new Slots(POINTS, SECONDS_A_POINT);
    private final Slots recent = new Slots(RECENT_SECONDS, 1);

    void add(long second) {
        points.add(second);
        recent.add(second);
    }

    /** How often a second it happened in the last five. */
    double rate(long second) {
        return (double) Arrays.stream(recent.counts(second)).sum() / RECENT_SECONDS;
    }

    /** The points until now, the oldest first, without those before the first that is not zero. */
    long[] points(long second) {
        return Arrays.stream(points.counts(second))
                .dropWhile(count -> count == 0)
                .toArray();
    }
}
