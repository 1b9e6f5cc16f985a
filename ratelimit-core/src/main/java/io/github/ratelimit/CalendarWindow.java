package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Windows that end by the calendar, at the midnight that begins the next one.
 *
 * <p>They begin at an anchor and in whole units before and after it. In a month without the anchor's day they begin on its last day: those of
 * January 31 begin on February 28 or 29 and on March 31. Immutable and safe for concurrent use.
 *
 * @param unit the length
 * @param zone whose midnight, through changes of summer time
 * @param anchor the first day of a window, in the past or in the future
 */
public record CalendarWindow(Unit unit, ZoneId zone, LocalDate anchor) {

    /** The anchor unless another one is given: a Monday, and the first day of a month, a quarter and a year. */
    public static final LocalDate FIRST = LocalDate.of(2001, 1, 1);

    /** The lengths of windows. */
    public enum Unit {

        /** A day. */
        DAY(1, ChronoUnit.DAYS, 1),

        /** Seven days. */
        WEEK(1, ChronoUnit.WEEKS, 7),

        /** A month. */
        MONTH(1, ChronoUnit.MONTHS, 31),

        /** Three months. */
        QUARTER(3, ChronoUnit.MONTHS, 92),

        /** A year. */
        YEAR(1, ChronoUnit.YEARS, 366);

        private final int count;
        private final ChronoUnit of;
        private final Duration longest;

        Unit(int count, ChronoUnit of, int days) {
            this.count = count;
            this.of = of;
            this.longest = Duration.ofDays(days);
        }

        /** The longest window of this unit, apart from summer time: it stands for all of them. */
        public Duration longest() {
            return longest;
        }

        /** The unit of this name, such as {@code week}, in any letter case. */
        public static Optional<Unit> named(String name) {
            return Stream.of(values())
                    .filter(unit -> unit.name().equalsIgnoreCase(name.strip()))
                    .findFirst();
        }

        /** {@code week}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Checks that nothing is missing. */
    public CalendarWindow {
        requireNonNull(unit, "unit");
        requireNonNull(zone, "zone");
        requireNonNull(anchor, "anchor");
    }

    /** Makes windows of whole days, weeks from Monday, months, quarters or years. */
    public static CalendarWindow of(Unit unit, ZoneId zone) {
        return new CalendarWindow(unit, zone, FIRST);
    }

    /** The same with another anchor. */
    public CalendarWindow from(LocalDate anchor) {
        return new CalendarWindow(unit, zone, anchor);
    }

    /** When the window of a moment ends. */
    public Instant endOf(Instant moment) {
        LocalDate day = LocalDate.ofInstant(moment, zone);
        // The units between are one too few for a day such as February 28 of an anchor 31, and one too many before the
        // anchor.
        long units = unit.of.between(anchor, day) / unit.count - 1;
        LocalDate next;
        do {
            next = anchor.plus(units++ * unit.count, unit.of);
        } while (!next.isAfter(day));
        return next.atStartOfDay(zone).toInstant();
    }
}
