package io.github.ratelimit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The example of the README for code without Spring. */
class PlainJavaTest {

    @Test
    void limitsWithoutAnyServer() {
        // region plain
        Limiter<String> search = Limiter.of("search", Limit.of(10, Duration.ofMinutes(1)), Key::of);

        Decision decision = search.tryAcquire("ann");
        if (!decision.allowed()) {
            System.out.println("Try again in " + decision.retryAfter().orElseThrow());
        }
        // endregion
        assertThat(decision.allowed()).isTrue();
        assertThat(search.tryAcquire("ann", 10).allowed()).isFalse();
    }
}
