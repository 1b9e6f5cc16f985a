package io.github.ratelimit.spring.internal.properties;

import io.github.ratelimit.CalendarWindow;
import java.time.Duration;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.convert.DurationUnit;

/**
 * A rule of a limiter.
 *
 * @param permits How many permits a window grants; or else plans.
 * @param soft Whether requests above the permits are served and counted on, and the application is told.
 * @param plans Permits by the caller's plan, instead of permits. Clients without a plan get the smallest limit.
 * @param planBy Names the caller's plan, in the form of a key, for example attribute:plan, or a KeyResolver bean.
 * @param permitsBy Names a Function bean that gives the permits of a name: of the plan, or without plan-by of the first part of the key.
 * @param window The window: a duration, in seconds if it has no unit; or day, week, month,
 *     quarter or year, which end by the calendar.
 * @param shape How permits come back, if not all at once with the window's end: bucket (one by one), sliding (each a window's length after
 *     it was taken), or concurrent (each at the end of its request).
 * @param burst Permits that a bucket holds; as many as it grants in a window, if not set.
 * @param block How long the first request above the permits closes a window of a length.
 * @param lease After how long a permit of a node that died comes back, for shape: concurrent. If not set, a minute.
 * @param zone Zone of a window of the calendar, for example Europe/Berlin. If not set, UTC.
 * @param anchor First day of a window of the calendar, for example 2026-01-31; of a week also sunday. If not set, Monday and the first day
 *     of a month, a quarter or a year.
 * @param anchorBy Names a Function bean that gives the anchor of each key.
 * @param key Parts of the key that requests are counted by: client-address, user-agent, principal, header:<Name>, attribute:<name>,
 *     everybody, or a KeyResolver bean. If not set, client-address.
 * @param skipIf Requests that the rule does not apply to: role:<ROLE> of who is signed in, an address range such as 10.0.0.0/8 that holds
 *     the client's address, or a Predicate bean. One that holds is enough.
 */
public record RuleProperties(
        @Nullable Long permits,
        @Nullable Boolean soft,
        @Nullable Map<String, Long> plans,
        @Nullable String planBy,
        @Nullable String permitsBy,
        @Nullable Window window,
        @Nullable ShapeName shape,
        @Nullable Long burst,
        @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration block,
        @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration lease,
        @Nullable ZoneId zone,
        @Nullable String anchor,
        @Nullable String anchorBy,
        @Nullable List<String> key,
        @Nullable List<String> skipIf) {

    private static final RuleProperties EMPTY = new RuleProperties(
            null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);

    /** Whether it is empty. */
    boolean isEmpty() {
        return equals(EMPTY);
    }

    /** Shapes that have a name of their own among the properties. */
    public enum ShapeName {
        /** Permits come back one by one. */
        BUCKET,

        /** A permit comes back a window's length after it was taken. */
        SLIDING,

        /** A permit comes back when its request ends. */
        CONCURRENT
    }

    /**
     * The period that a rule counts over.
     *
     * @param text as it is written
     * @param length its length; null if it ends by the calendar
     */
    public record Window(String text, @Nullable Duration length) {

        /** Reads it. Called by Spring, which looks for a method of this name. */
        public static Window valueOf(String text) {
            boolean isCalendar = CalendarWindow.Unit.named(text).isPresent();
            return new Window(text, isCalendar ? null : DurationStyle.detectAndParse(text, ChronoUnit.SECONDS));
        }

        /** Reads a number of YAML. */
        public static Window valueOf(Integer seconds) {
            return valueOf(seconds.toString());
        }
    }
}
