package io.github.ratelimit.content.cms.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule: BEHAVIOUR section 4, dates. */
class SiteDatesTest {
    @ParameterizedTest
    @CsvSource({
        "2024-01-31T10:00:00, 2024-01-31T10:00:00Z",
        "2024-01-31t10:00:00Z, 2024-01-31T10:00:00Z",
        "2024-01-31 10:00:00, 2024-01-31T10:00:00Z",
        "2024-10-03T12:00:00+02:00, 2024-10-03T10:00:00Z",
        "2024-10-03T12:00:00-05, 2024-10-03T17:00:00Z",
        "2024-10-03T12:00:00.123456Z, 2024-10-03T12:00:00Z",
        "2024-02-30T00:00:00, 2024-03-01T00:00:00Z",
        "2023-02-31T01:00:00, 2023-03-03T01:00:00Z",
        "2024-04-31T00:00:00, 2024-05-01T00:00:00Z",
        "2024-01-31T24:00:00, 2024-02-01T00:00:00Z",
    })
    void readsMomentsAndRollsImpossibleDaysOver(String text, Instant moment) {
        assertThat(SiteDates.parse(text, ZoneOffset.UTC)).contains(moment);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "soon",
                "yesterday",
                "2024",
                "2024-01-31",
                "2024-13-01T00:00:00",
                "2024-01-32T00:00:00",
                "2024-01-01T25:00:00",
                "2024-01-01T00:60:00",
                "2024-1-1T0:0:0",
                "2024-01-01T00:00:00+99:99",
                "2024-01-01T00:00:00 UTC",
                "+2024-01-01T00:00:00",
                "٢٠٢٤-01-01T00:00:00"
            })
    void rejectsWhatIsNoDate(String text) {
        assertThat(SiteDates.parse(text, ZoneOffset.UTC)).isEmpty();
    }

    @Test
    void textWithoutZoneIsSiteTime() {
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        Instant moment = Instant.parse("2024-07-01T10:00:00Z");

        assertThat(SiteDates.parse("2024-07-01T12:00:00", berlin)).contains(moment);
        assertThat(SiteDates.print(moment, berlin)).isEqualTo("2024-07-01T12:00:00");
        assertThat(SiteDates.print(moment.plusMillis(999), ZoneOffset.UTC)).isEqualTo("2024-07-01T10:00:00");
    }
}
