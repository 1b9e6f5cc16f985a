package io.github.ratelimit.content.server.settings;

import java.time.Duration;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.unit.DataSize;

/**
 * What times and sizes may be. Whoever means "without end" writes a large one: it must not be one that overflows where it is counted in nanoseconds,
 * added to a date, or multiplied, since that fails long after the start, and each time.
 */
public final class SettingRange {
    /** Chosen: a hundred years, a third of what nanoseconds in 64 bits can tell. */
    private static final String LONGEST = "36500d";

    /** Chosen: more than any machine has, and it may be multiplied by thousands. */
    private static final String LARGEST = "1024TB";

    private SettingRange() {}

    /**
     * Requires a time to be one that can be counted.
     *
     * @param property its full name
     * @param value at most a hundred years
     * @param least as in a setting, like {@code 1h}
     * @param example what else to write
     * @throws InvalidSettingException if it is shorter or longer
     */
    public static void requireTime(String property, Duration value, String least, String example) {
        InvalidSettingException.require(
                value.compareTo(DurationStyle.SIMPLE.parse(least)) >= 0
                        && value.compareTo(DurationStyle.SIMPLE.parse(LONGEST)) <= 0,
                property,
                "must be " + least + " to " + LONGEST,
                value,
                remedy(example));
    }

    /**
     * Requires a size to be one that can be counted.
     *
     * @param property its full name
     * @param value at most 1024 terabytes
     * @param least as in a setting, like {@code 1B}
     * @param example what else to write
     * @throws InvalidSettingException if it is smaller or larger
     */
    public static void requireSize(String property, DataSize value, String least, String example) {
        InvalidSettingException.require(
                value.compareTo(DataSize.parse(least)) >= 0 && value.compareTo(DataSize.parse(LARGEST)) <= 0,
                property,
                "must be " + least + " to " + LARGEST,
                value,
                remedy(example));
    }

    private static String remedy(String example) {
        return "set it to " + example + ", for example";
    }
}
