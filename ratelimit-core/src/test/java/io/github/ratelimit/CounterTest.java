package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CounterTest {

    private static final Limit LIMIT = Limit.of("limit", 1, Duration.ofSeconds(1));

    @Test
    void isNamedByLimiterLimitWindowAndKeyAndByNothingElse() {
        Counter counter = new Counter("limiter", LIMIT, Key.of("a"));
        List<Counter> others = List.of(
                new Counter("other", LIMIT, Key.of("a")),
                new Counter("limiter", Limit.of("other", 1, Duration.ofSeconds(1)), Key.of("a")),
                new Counter("limiter", Limit.of("limit", 1, Duration.ofSeconds(2)), Key.of("a")),
                new Counter("limiter", LIMIT, Key.of("b")));
        for (Counter other : others) {
            assertThat(counter).isNotEqualTo(other);
            assertThat(counter.compareTo(other)).isNotZero().isEqualTo(-other.compareTo(counter));
        }
        Counter same = new Counter("limiter", Limit.of("limit", 7, Duration.ofSeconds(1)), Key.of("a"));
        assertThat(counter).isEqualTo(same).hasSameHashCodeAs(same).isEqualByComparingTo(same);
        assertThat(counter.equals(null)).isFalse();
        assertThat(counter.equals((Object) "limiter")).isFalse();
    }
}
