package io.github.ratelimit.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0s, 0s",
        "PT1M, 1m, 1m",
        "PT1H30M, 90m, 90m",
        "PT48H, 2d, 2d",
        "PT1.5S, 1500ms, 2s",
        "PT0.0015S, PT0.0015S, 1s",
        "PT59M57.000000001S, PT59M57.000000001S, 3598s",
        "PT-1S, -1s, -1s",
        "PT9223372036854775S, PT2562047788015H12M55S, PT2562047788015H12M55S"
    })
    void textIsAsPropertiesTakeIt(Duration duration, String text, String seconds) {
        assertThat(Durations.text(duration)).isEqualTo(text);
        assertThat(Durations.seconds(duration)).isEqualTo(seconds);
    }
}
