package io.github.ratelimit.content.widget.api;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads moments as requests write them: ISO 8601 with a zone, like {@code 2026-01-31T10:00:00Z}. */
public final class Moments {

    private static final Instant FIRST = Instant.EPOCH;
    // Chosen: what every database can keep.
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    private Moments() {}

    /**
     * Reads a moment.
     *
     * @param name the member or parameter to blame
     * @param text as sent; null where it was not
     * @param problems where to say what is wrong
     * @return the moment, in whole milliseconds; null where there is none, or none that fits
     */
    public static @Nullable Instant read(String name, @Nullable String text, Map<String, String> problems) {
        if (text == null) {
            return null;
        }
        try {
            Instant moment = OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.MILLIS);
            if (!moment.isBefore(FIRST) && !moment.isAfter(LAST)) {
                return moment;
            }
        } catch (DateTimeException e) {
            problems.put(name, "must be a moment with a zone, like 2026-01-31T10:00:00Z");
            return null;
        }
        problems.put(name, "must be from 1970 to 9999");
        return null;
    }
}
