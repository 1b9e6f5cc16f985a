package io.github.ratelimit.content.cms.text;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Moments as requests and answers spell them: {@code 2024-01-31T10:00:00}, in the time of the site. */
public final class SiteDates {
    // Every part has a fixed number of digits, or is the last of its kind, so nothing is tried twice.
    private static final Pattern SPELLING = Pattern.compile("(\\d{4})-(0\\d|1[0-2])-([0-2]\\d|3[01])"
            + "[Tt ]([01]\\d|2[0-4]):([0-5]\\d):([0-5]\\d|60)(?:\\.\\d++)?(Z|[+-]\\d{2}(?::\\d{2})?)?");
    private static final DateTimeFormatter WITHOUT_ZONE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss", Locale.ROOT);

    private SiteDates() {}

    /**
     * Reads a moment.
     *
     * <p>A day that its month does not have counts on into the next month, as clients expect: 30 February is 1 March, or
     * 2 March. So do the hour 24 and the second 60, and the day 0 is the last of the month before.
     *
     * @param text a date and a time, with or without a zone
     * @param zone the zone of a text without one
     * @return the moment in whole seconds; empty where the text is no date
     */
    public static Optional<Instant> parse(String text, ZoneId zone) {
        Matcher parts = SPELLING.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        LocalDateTime local = LocalDate.of(number(parts, 1), 1, 1)
                .plusMonths(number(parts, 2) - 1L)
                .plusDays(number(parts, 3) - 1L)
                .atStartOfDay()
                .plusHours(number(parts, 4))
                .plusMinutes(number(parts, 5))
                .plusSeconds(number(parts, 6));
        try {
            String offset = parts.group(7);
            return Optional.of((offset == null ? local.atZone(zone) : local.atZone(ZoneOffset.of(offset))).toInstant());
        } catch (DateTimeException e) { // an offset that no clock has
            return Optional.empty();
        }
    }

    /**
     * Writes a moment.
     *
     * @param moment what to write; parts of seconds are left out
     * @param zone the site's zone, or UTC for the fields that end in {@code _gmt}
     * @return for example {@code 2024-01-31T10:00:00}
     */
    public static String print(Instant moment, ZoneId zone) {
        return WITHOUT_ZONE.format(moment.atZone(zone));
    }

    private static int number(Matcher parts, int group) {
        return Integer.parseInt(parts.group(group));
    }
}
