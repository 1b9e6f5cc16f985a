package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.ratelimit.TestStores.Recording;
import io.github.ratelimit.http.HttpDecisions;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SoftLimitTest {

    private static final Limit SOFT = Limit.of("soft", 2, Duration.ofMinutes(1)).withSoft(true);

    private final TestClock clock = new TestClock();
    private final InProcessStore store = InProcessStore.create(clock);

    private static String told(Decision decision) {
        LimitStatus status = decision.statuses().get(0);
        return (decision.allowed() ? "allowed" : "rejected")
                + (decision.exceeded() ? ", exceeded, " : ", ")
                + status.remaining() + " of " + status.limit().permits() + ", used " + status.used();
    }

    @Test
    void requestsAboveItAreServedCountedOnAndToldUntilTheWindowEnds() throws Exception {
        Limiter<String> limiter = Limiter.of(LimiterSpec.of("model", SOFT, Key::of), store);
        assertThat(told(limiter.tryAcquire("ann"))).isEqualTo("allowed, 1 of 2, used 1");
        assertThat(told(limiter.tryAcquireAsync("ann").join())).isEqualTo("allowed, 0 of 2, used 2");
        assertThat(told(limiter.look("ann"))).isEqualTo("allowed, 0 of 2, used 2");
        assertThat(told(limiter.tryAcquire("ann", 7))).isEqualTo("allowed, exceeded, 0 of 2, used 9");
        assertThat(told(limiter.acquire("ann", 1, Duration.ofSeconds(5))))
                .as("nobody waits for it")
                .isEqualTo("allowed, exceeded, 0 of 2, used 10");
        assertThat(told(limiter.tryAcquireAsync("ann").join())).isEqualTo("allowed, exceeded, 0 of 2, used 11");
        assertThat(told(limiter.look("ann"))).isEqualTo("allowed, exceeded, 0 of 2, used 11");
        assertThat(limiter.tryAcquire("ann").retryAfter()).contains(Duration.ZERO);
        clock.advance(Duration.ofMinutes(1));
        assertThat(told(limiter.tryAcquire("ann"))).isEqualTo("allowed, 1 of 2, used 1");
    }

    @Test
    void settlementsRefundsAndResetsFindWhatWasTakenAboveIt() {
        Limiter<String> limiter = Limiter.of(LimiterSpec.of("model", SOFT, Key::of), store);
        Decision first = limiter.tryAcquire("ann", 10);
        Decision second = limiter.tryAcquire("ann", 10);
        limiter.settle(first, 3).join();
        assertThat(told(limiter.look("ann"))).isEqualTo("allowed, exceeded, 0 of 2, used 13");
        limiter.refund(second).join();
        assertThat(told(limiter.look("ann"))).isEqualTo("allowed, exceeded, 0 of 2, used 3");
        limiter.reset("ann").join();
        assertThat(told(limiter.look("ann"))).isEqualTo("allowed, 2 of 2, used 0");
    }

    @Test
    void hardLimitBesideItRejectsAndNothingIsTaken() {
        Limit hard = Limit.of("hard", 3, Duration.ofMinutes(1));
        Limiter<String> limiter =
                Limiter.of(LimiterSpec.of("model", Rule.of(SOFT, Key::of), Rule.of(hard, Key::of)), store);
        for (int i = 1; i <= 3; i++) {
            assertThat(limiter.tryAcquire("ann").exceeded()).isEqualTo(i == 3);
        }
        Decision rejected = limiter.tryAcquire("ann");
        assertThat(rejected.allowed()).isFalse();
        assertThat(rejected.exceeded()).as("it is not served").isFalse();
        assertThat(rejected.statuses()).extracting(LimitStatus::exceeded).containsExactly(false, true);
        assertThat(rejected.statuses()).extracting(LimitStatus::used).containsExactly(3L, 3L);
    }

    @Test
    void staysSoftByPlanInAnOutageAndAfterAChange() {
        Recording away = new Recording(store) {
            @Override
            public Decision tryAcquire(List<Charge> charges) {
                throw new StoreException("away", null);
            }

            @Override
            public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
                throw new StoreException("away", null);
            }
        };
        Limiters<String> limiters = Limiters.<String>builder(away)
                .fallback(store)
                .localShare(1, 2)
                .add(LimiterSpec.of(
                        "model", Rule.byPlan(SOFT, Map.of("pro", 8L, "free", 4L), name -> Key.of("pro"), Key::of)))
                .build();
        Limiter<String> limiter = limiters.get("model");
        assertThat(told(limiter.tryAcquire("ann", 4))).isEqualTo("allowed, 0 of 4, used 4");
        assertThat(told(limiter.tryAcquire("ann"))).isEqualTo("allowed, exceeded, 0 of 4, used 5");
        limiters.change(limiters.spec("model").withPermits("soft", "pro", 10));
        assertThat(told(limiter.tryAcquire("ann"))).isEqualTo("allowed, exceeded, 0 of 5, used 6");
        assertThat(Limit.daily("day", 5, ZoneOffset.UTC)
                        .withSoft(true)
                        .from(LocalDate.of(2026, 1, 2))
                        .soft())
                .isTrue();
    }

    @Test
    void otherShapesCannotBeSoft() {
        assertThat(SOFT).hasToString("2 per 1m (soft soft)");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> Limit.concurrent("jobs", 2, Duration.ofMinutes(1)).withSoft(true))
                .withMessage(
                        "limit 'jobs': a soft limit needs a fixed window or one of the calendar, was concurrent; leave soft or the shape out");
        assertThatIllegalArgumentException().isThrownBy(SOFT::bucket);
        assertThatIllegalArgumentException().isThrownBy(() -> SOFT.bucket(3));
        assertThatIllegalArgumentException().isThrownBy(SOFT::sliding);
        assertThatIllegalArgumentException().isThrownBy(() -> SOFT.blocking(Duration.ofMinutes(1)));
    }

    @Test
    void requestWithoutDecisionsIsBelow() {
        assertThat(new HttpDecisions().exceeded()).isFalse();
        assertThat(Decision.unlimited().exceeded()).isFalse();
    }
}
