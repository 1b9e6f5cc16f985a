package io.github.ratelimit.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RemoteStoreBuilderTest {

    private static final class Builder extends RemoteStore.Builder<Builder> {

        @Override
        protected Builder self() {
            return this;
        }
    }

    /** A store that gave each decision half a minute gave up at the start after five seconds. */
    @Test
    void startIsGivenAtLeastTheTimeOfADecision() {
        assertThat(new Builder().startTimeout()).hasSeconds(5);
        assertThat(new Builder().timeout(Duration.ofSeconds(30)).startTimeout()).hasSeconds(30);
        assertThat(new Builder()
                        .startTimeout(Duration.ZERO)
                        .timeout(Duration.ofSeconds(30))
                        .startTimeout())
                .isZero();
    }
}
