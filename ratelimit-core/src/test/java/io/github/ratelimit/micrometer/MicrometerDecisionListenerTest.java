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
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.test.TestClock;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
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
        assertThat(decisions("rejected", "enforced")).isEqualTo(2);
        assertThat(registry.get("ratelimit.near.limit").counter().count())
                .as("1 and 0 remaining")
                .isEqualTo(2);
        assertThat(registry.get("ratelimit.store.duration").timer().count()).isEqualTo(12);

        Limiter<String> shadow = limiter(spec.withShadow(true));
        for (int i = 0; i < 11; i++) {
            shadow.tryAcquire("ann@example.org");
        }
        assertThat(decisions("allowed", "shadow")).isEqualTo(10);
        assertThat(decisions("rejected", "shadow"))
                .as("what it would have rejected")
                .isEqualTo(1);
    }

    @Test
    void requestsAboveASoftLimitAreAnOutcomeOfTheirOwn() {
        Limit soft = Limit.of("burst", 2, Duration.ofMinutes(1)).withSoft(true);
        Limiter<String> limiter = limiter(LimiterSpec.of("mail", soft, Key::of));
        for (int i = 0; i < 5; i++) {
            limiter.tryAcquire("ann@example.org");
        }
        assertThat(decisions("allowed", "enforced")).isEqualTo(2);
        assertThat(decisions("exceeded", "enforced")).isEqualTo(3);
    }

    @Test
    void everyMeterIsDescribed() {
        limiter(LimiterSpec.of("mail", Limit.of(1, Duration.ofMinutes(1)), Key::of))
                .tryAcquire("ann@example.org");
        assertThat(registry.getMeters())
                .hasSize(4)
                .allSatisfy(meter -> assertThat(meter.getId().getDescription())
                        .as(meter.getId().getName())
                        .isNotBlank());
    }

    /** The row "near.limit below 5 permits". */
    @Test
    void lessThanAFifthIsNearHoweverFewPermitsThereAre() {
        for (int permits = 1; permits <= 20; permits++) {
            LimiterSpec<String> spec =
                    LimiterSpec.of("mail", Limit.of("of-" + permits, permits, Duration.ofMinutes(1)), Key::of);
            double before = near();
            int expected = 0;
            Limiter<String> limiter = limiter(spec);
            for (int remaining = permits - 1; remaining >= 0; remaining--) {
                limiter.tryAcquire("ann");
                expected += 5 * remaining < permits ? 1 : 0;
            }
            assertThat(near() - before).as("of %d permits", permits).isEqualTo(expected);
        }
    }

    @Test
    void lookIsNotNear() {
        Limiter<String> limiter = limiter(LimiterSpec.of("mail", Limit.of("burst", 1, Duration.ofMinutes(1)), Key::of));
        limiter.tryAcquire("ann");
        double before = near();
        limiter.look("ann");
        assertThat(near()).isEqualTo(before);
    }

    private double near() {
        return registry.counter("ratelimit.near.limit", "limiter", "mail").count();
    }

    @Test
    void rejectionIsCountedWhereALimitIsExceededAndNearWhereItsOwnLimitIsNear() {
        Limiters<String> limiters = Limiters.<String>builder(InProcessStore.create(clock))
                .listener(listener)
                .add(LimiterSpec.of("mail", Limit.of("wide", 10, Duration.ofMinutes(1)), Key::of))
                .add(LimiterSpec.of("tight", Limit.of("tight", 1, Duration.ofMinutes(1)), Key::of))
                .build();
        for (int i = 0; i < 3; i++) {
            limiters.of(List.of("mail", "tight")).tryAcquire("ann");
        }
        assertThat(decisions("allowed", "enforced")).isEqualTo(1);
        assertThat(near())
                .as("the other limiter's last permit is none of this one's")
                .isZero();
        assertThat(registry.find("ratelimit.decisions")
                        .tags("limiter", "mail", "outcome", "rejected")
                        .counter())
                .isNull();
        assertThat(registry.get("ratelimit.decisions")
                        .tags("limiter", "tight", "outcome", "rejected")
                        .counter()
                        .count())
                .isEqualTo(2);
    }

    @Test
    void timeThatTheStoreTookIsRecorded() {
        InProcessStore inner = InProcessStore.create(clock);
        Store slow = new Store() {
            @Override
            public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
                clock.advance(Duration.ofMillis(3));
                return inner.tryAcquireAsync(charges);
            }

            @Override
            public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
                return inner.settleAsync(decision, actual);
            }

            @Override
            public CompletableFuture<Void> resetAsync(List<Charge> charges) {
                return inner.resetAsync(charges);
            }

            @Override
            public TimeSource time() {
                return clock;
            }
        };
        LimiterSpec<String> spec = LimiterSpec.of("mail", Limit.of("burst", 10, Duration.ofMinutes(1)), Key::of);
        Limiter<String> limiter = Limiters.<String>builder(slow)
                .listener(listener)
                .add(spec)
                .build()
                .get("mail");
        limiter.tryAcquire("ann");
        limiter.tryAcquireAsync("ann").toCompletableFuture().join();
        assertThat(registry.get("ratelimit.store.duration").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(6);
    }

    @Test
    void storeThatDoesNotAnswerIsCounted() {
        listener.onStoreFailure("mail", new StoreException("away", null));
        assertThat(registry.get("ratelimit.store.failures").counter().count()).isEqualTo(1);
        listener.onDecision("mail", withoutStore(), false, 1_000_000);
        assertThat(decisions("no-store", "enforced")).isEqualTo(1);
        assertThat(registry.get("ratelimit.store.duration").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(1);
    }

    /** A decision that nobody made can only come out of a limiter whose store is away. */
    private static Decision withoutStore() {
        CompletableFuture<Decision> never = CompletableFuture.failedFuture(new StoreException("away", null));
        Store away = new Store() {
            @Override
            public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
                return never;
            }

            @Override
            public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
                return never.thenAccept(ignored -> {});
            }

            @Override
            public CompletableFuture<Void> resetAsync(List<Charge> charges) {
                return never.thenAccept(ignored -> {});
            }
        };
        LimiterSpec<String> spec = LimiterSpec.of("mail", Limit.of("burst", 10, Duration.ofMinutes(1)), Key::of);
        return Limiter.of(spec.withOnStoreFailure(OnStoreFailure.ALLOW), away).tryAcquire("ann");
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
