package io.github.ratelimit.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.Store;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.contract.TestClock;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MicrometerDecisionListenerTest {

    private final TestClock clock = new TestClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MicrometerDecisionListener listener = new MicrometerDecisionListener(registry);

    private Limiter<String> limiter(LimiterSpec<String> spec) {
        return Limiters.<String>builder(InProcessStore.create(clock))
                .listener(listener)
                .add(spec)
                .build()
                .get(spec.name());
    }

    private double decisions(String outcome, String mode) {
        return registry.get("ratelimit.decisions")
                .tags("limiter", "mail", "outcome", outcome, "mode", mode)
                .counter()
                .count();
    }

    @Test
    void everyDecisionIsCountedByItsOutcome() {
        LimiterSpec<String> spec = LimiterSpec.of("mail", Limit.of("burst", 10, Duration.ofMinutes(1)), Key::of);
        Limiter<String> limiter = limiter(spec);
        for (int i = 0; i < 12; i++) {
            limiter.tryAcquire("ann@example.org");
        }
        assertThat(decisions("allowed", "enforced")).isEqualTo(10);
        assertThat(decisions("refused", "enforced")).isEqualTo(2);
        assertThat(registry.get("ratelimit.near.limit").counter().count())
                .as("1 and 0 remaining")
                .isEqualTo(2);
        assertThat(registry.get("ratelimit.store.duration").timer().count()).isEqualTo(12);

        Limiter<String> shadow = limiter(spec.withShadow(true));
        for (int i = 0; i < 11; i++) {
            shadow.tryAcquire("ann@example.org");
        }
        assertThat(decisions("refused", "shadow")).isEqualTo(1);
    }

    @Test
    void storeThatDoesNotAnswerIsCounted() {
        listener.onStoreFailure("mail", new StoreException("away", null));
        assertThat(registry.get("ratelimit.store.failures").counter().count()).isEqualTo(1);
        listener.onDecision("mail", withoutStore(), false, 1_000_000);
        assertThat(decisions("failed", "enforced")).isEqualTo(1);
        assertThat(registry.get("ratelimit.store.duration").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(1);
    }

    /** A decision that nobody made can only come out of a limiter whose store is away. */
    private static Decision withoutStore() {
        CompletableFuture<Decision> never = CompletableFuture.failedFuture(new StoreException("away", null));
        Store away = new Store() {
            @Override
            public CompletionStage<Decision> tryAcquireAsync(String limiter, List<Charge> charges, long cost) {
                return never;
            }

            @Override
            public CompletionStage<Void> refundAsync(String limiter, List<Charge> charges, long cost) {
                return never.thenAccept(decision -> {});
            }

            @Override
            public CompletionStage<Void> resetAsync(String limiter, List<Charge> charges) {
                return never.thenAccept(decision -> {});
            }
        };
        LimiterSpec<String> spec = LimiterSpec.of("mail", Limit.of("burst", 10, Duration.ofMinutes(1)), Key::of);
        return Limiters.<String>builder(away)
                .add(spec.withOnStoreFailure(OnStoreFailure.ALLOW))
                .build()
                .get("mail")
                .tryAcquire("ann");
    }

    @Test
    void noKeyBecomesATag() {
        limiter(LimiterSpec.of("mail", Limit.of("burst", 10, Duration.ofMinutes(1)), Key::of))
                .tryAcquire("ann@example.org");
        assertThat(registry.getMeters())
                .flatExtracting(meter -> meter.getId().getTags())
                .extracting(Tag::getValue)
                .noneMatch(value -> value.contains("ann"));
    }
}
