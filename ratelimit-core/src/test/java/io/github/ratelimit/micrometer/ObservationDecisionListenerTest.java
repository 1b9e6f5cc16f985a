package io.github.ratelimit.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.test.TestClock;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ObservationDecisionListenerTest {

    private final ObservationRegistry registry = ObservationRegistry.create();
    private final ObservationDecisionListener listener = new ObservationDecisionListener(registry);
    private final Limiters<String> limiters = Limiters.<String>builder(InProcessStore.create(new TestClock()))
            .listener(listener)
            .add(limiter("wide", 100))
            .add(limiter("tight", 1))
            .add(limiter("tried", 2).withShadow(true))
            .build();

    ObservationDecisionListenerTest() {
        registry.observationConfig().observationHandler(context -> true); // without one nothing is observed
    }

    private static LimiterSpec<String> limiter(String name, int permits) {
        return LimiterSpec.of(name, Limit.of(permits, Duration.ofMinutes(1)), Key::of);
    }

    /** What the span of a request says that does this. */
    private Map<String, String> span(Runnable request) {
        Observation observation = Observation.start("request", registry);
        observation.scoped(request);
        assertThat(observation.getContextView().getLowCardinalityKeyValues())
                .as("become tags of meters")
                .isEmpty();
        return observation.getContextView().getHighCardinalityKeyValues().stream()
                .collect(Collectors.toMap(KeyValue::getKey, KeyValue::getValue));
    }

    private void ask(String... names) {
        limiters.of(List.of(names)).tryAcquire("ann@example.org");
    }

    @Test
    void spanOfARejectedRequestNamesTheLimiterThatRejected() {
        assertThat(span(() -> ask("wide", "tight"))).isEmpty();
        assertThat(span(() -> ask("wide", "tight"))).containsExactly(Map.entry("ratelimit.rejected", "tight"));
    }

    @Test
    void spanNamesWhatALimiterInShadowWouldDo() {
        assertThat(span(() -> {
                    ask("wide", "tried");
                    ask("wide", "tried");
                }))
                .isEmpty();
        assertThat(span(() -> ask("wide", "tried"))).containsExactly(Map.entry("ratelimit.would.reject", "tried"));
    }

    @Test
    void severalLimitersOfOneRequestAreNamedBesideEachOther() {
        StoreException away = new StoreException("away", null);
        assertThat(span(() -> {
                    listener.onStoreFailure("tight", away);
                    listener.onStoreFailure("wide", away);
                }))
                .containsExactly(Map.entry("ratelimit.store.failed", "tight,wide"));
    }

    @Test
    void decisionWithoutAnObservationIsNotObserved() {
        ask("tight");
        ask("tight");
        assertThat(registry.getCurrentObservation()).isNull();
    }
}
