package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.CalendarWindow.Unit;
import io.github.ratelimit.test.TestClock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CalendarWindowTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final LocalDate TO = LocalDate.of(2033, 1, 1);

    static Stream<Arguments> windows() {
        List<LocalDate> anchors = Stream.of(
                        "2001-01-01",
                        "2026-01-31",
                        "2025-11-30",
                        "2024-02-29",
                        "2026-02-28",
                        "2031-08-31",
                        "2040-12-30",
                        "1999-06-15")
                .map(LocalDate::parse)
                .toList();
        return Stream.of("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu")
                .flatMap(zone -> Stream.of(Unit.values())
                        .flatMap(unit -> anchors.stream()
                                .map(anchor -> Arguments.of(new CalendarWindow(unit, ZoneId.of(zone), anchor)))));
    }

    /** Every first and last moment of a day from 2026 to 2032. The days are tried one by one, and no months are added. */
    @ParameterizedTest
    @MethodSource("windows")
    void windowsEndOnTheNextDayThatBeginsOne(CalendarWindow window) {
        LocalDate begin = TO.plusYears(1);
        Instant end = null;
        for (LocalDate day = begin; !day.isBefore(LocalDate.of(2026, 1, 1)); day = day.minusDays(1)) {
            if (end != null && day.isBefore(TO)) {
                Instant first = day.atStartOfDay(window.zone()).toInstant();
                Instant last =
                        day.plusDays(1).atStartOfDay(window.zone()).toInstant().minusMillis(1);
                // Not an assertion for each of a million moments: that takes longer than the calendar.
                if (!window.endOf(first).equals(end) || !window.endOf(last).equals(end)) {
                    assertThat(List.of(window.endOf(first), window.endOf(last)))
                            .as("ends of %s and %s", first, last)
                            .containsOnly(end);
                }
            }
            if (begins(window, day)) {
                end = day.atStartOfDay(window.zone()).toInstant();
            }
        }
    }

    private static boolean begins(CalendarWindow window, LocalDate day) {
        LocalDate anchor = window.anchor();
        boolean isDayOfMonth = day.getDayOfMonth() == Math.min(anchor.getDayOfMonth(), day.lengthOfMonth());
        int months = day.getMonthValue() - anchor.getMonthValue();
        return switch (window.unit()) {
            case DAY -> true;
            case WEEK -> day.getDayOfWeek() == anchor.getDayOfWeek();
            case MONTH -> isDayOfMonth;
            case QUARTER -> isDayOfMonth && months % 3 == 0;
            case YEAR -> isDayOfMonth && months == 0;
        };
    }

    @Test
    void weeksBeginOnMondayAndYearsInJanuaryIfNothingIsSaid() {
        Instant sunday = Instant.parse("2026-11-29T12:00:00Z");
        assertThat(Stream.of(Unit.values())
                        .map(unit ->
                                CalendarWindow.of(unit, BERLIN).endOf(sunday).toString()))
                .containsExactly(
                        "2026-11-29T23:00:00Z",
                        "2026-11-29T23:00:00Z",
                        "2026-11-30T23:00:00Z",
                        "2026-12-31T23:00:00Z",
                        "2026-12-31T23:00:00Z");
    }

    @Test
    void eachKeyCanHaveItsOwnAnchor() {
        TestClock clock = new TestClock(Instant.parse("2027-02-14T12:00:00Z"));
        Map<Key, LocalDate> contracts =
                Map.of(Key.of("ann"), LocalDate.of(2025, 12, 31), Key.of("bob"), LocalDate.of(2026, 5, 15));
        Limit monthly = Limit.monthly("monthly", 1, ZoneId.of("UTC"));
        Rule<String> rule = Rule.<String>of(monthly, Key::of).anchoredBy(contracts::get);
        Limiter<String> limiter = Limiter.of(LimiterSpec.of("api", rule), InProcessStore.create(clock));
        assertThat(Stream.of("ann", "bob", "eve")
                        .map(name -> limiter.tryAcquire(name).statuses().get(0).resetAt()))
                .containsExactly(
                        Instant.parse("2027-02-28T00:00:00Z"),
                        Instant.parse("2027-02-15T00:00:00Z"),
                        Instant.parse("2027-03-01T00:00:00Z"));
        assertThat(rule.limit("ann").orElseThrow().shape().calendar())
                .isEqualTo(CalendarWindow.of(Unit.MONTH, ZoneId.of("UTC")).from(LocalDate.of(2025, 12, 31)));
        assertThat(limiter.tryAcquire("bob").allowed()).isFalse();
    }

    @Test
    void limitsNameTheirUnit() {
        Limit weekly = Limit.calendar("weekly", 5, CalendarWindow.of(Unit.WEEK, BERLIN));
        assertThat(weekly).hasToString("5 per 7d (week weekly)");
        assertThat(Unit.named(" Quarter")).contains(Unit.QUARTER);
        assertThat(Unit.named("1d")).isEmpty();
    }
}
