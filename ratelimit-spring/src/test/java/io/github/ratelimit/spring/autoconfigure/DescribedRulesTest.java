package io.github.ratelimit.spring.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.CalendarWindow;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Rule;
import io.github.ratelimit.spring.internal.diagnostics.RuleText;
import io.github.ratelimit.spring.internal.properties.RuleProperties.Window;
import java.time.LocalDate;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DescribedRulesTest {

    @ParameterizedTest
    @ValueSource(strings = {"2d", "25h", "90m", "61s", "1500ms"})
    void windowIsShownAsPropertiesTakeIt(String window) {
        Limit limit = Limit.of("any", 1, requireNonNull(Window.valueOf(window).length()));
        assertThat(RuleText.line(Rule.of(limit, KeyResolver.everybody())))
                .isEqualTo("any: 1 in %s by everybody", window);
        assertThat(RuleText.line(Rule.of(limit.withSoft(true), KeyResolver.everybody())))
                .isEqualTo("any: soft 1 in %s by everybody", window);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    DAY     | Z             | 2001-01-01 | 3 a day (UTC)
                    WEEK    | Z             | 2001-01-07 | 3 a week (UTC), from Sunday
                    WEEK    | Z             | 2001-01-08 | 3 a week (UTC)
                    MONTH   | Europe/Berlin | 2026-01-31 | 3 a month (Europe/Berlin), from day 31
                    MONTH   | UTC           | 2001-01-01 | 3 a month (UTC)
                    QUARTER | Z             | 2026-02-01 | 3 a quarter (UTC), from 2026-02-01
                    """)
    void calendarIsShownInWords(CalendarWindow.Unit unit, ZoneId zone, LocalDate anchor, String words) {
        Limit limit = Limit.calendar("any", 3, new CalendarWindow(unit, zone, anchor));
        assertThat(RuleText.line(Rule.of(limit, KeyResolver.everybody()))).isEqualTo("any: %s by everybody", words);
    }
}
