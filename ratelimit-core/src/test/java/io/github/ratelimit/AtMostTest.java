package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One request with a huge estimate does not close a key that others share. */
class AtMostTest {

    private static final Limit LIMIT = Limit.of("tokens", 1_000, Duration.ofMinutes(1));
    private static final Limit JOBS = Limit.concurrent("jobs", 4, Duration.ofMinutes(1));

    private final TestClock clock = new TestClock();
    private final InProcessStore store = InProcessStore.create(clock);
    private final LimiterSpec<String> quarter =
            LimiterSpec.<String>of("tokens", LIMIT, Key::of).withAtMost(0.25);

    private static List<Long> taken(Decision decision) {
        assertThat(decision.allowed()).isTrue();
        return decision.charges().stream().map(Charge::cost).toList();
    }

    @Test
    void largerEstimateTakesTheShareAndTheSettlementTheRest() throws Exception {
        Limiter<String> limiter = Limiter.of(quarter, store);
        Decision huge = limiter.tryAcquire("team", 1_000_000);
        assertThat(taken(huge)).containsExactly(250L);
        assertThat(taken(limiter.tryAcquire("team", 100))).containsExactly(100L);
        assertThat(taken(limiter.acquire("team", 2_000, Duration.ofSeconds(1)))).containsExactly(250L);
        limiter.settle(huge, 500).join();
        assertThat(limiter.look("team").statuses().get(0).used()).isEqualTo(850);
        Decision rejected = limiter.tryAcquireAsync("team", 1_000_000).join();
        assertThat(rejected.retryAfter()).as("it fits later").contains(Duration.ofMinutes(1));
    }

    @Test
    void largerEstimateWaitsForItsShare() {
        Limiter<String> limiter = Limiter.of(quarter, store);
        Decision first = limiter.tryAcquire("team", 250);
        limiter.settle(first, 900).join();
        var waiting = limiter.acquireAsync("team", 1_000_000, Duration.ofMinutes(2));
        assertThat(waiting).isNotDone();
        clock.advance(Duration.ofMinutes(1));
        assertThat(taken(waiting.join())).containsExactly(250L);
    }

    @Test
    void limiterTakesOneCostByItsSmallestLimitThatIsNoConcurrencyLimit() {
        Limit day = Limit.of("day", 200, Duration.ofDays(1));
        LimiterSpec<String> spec = LimiterSpec.of(
                "tokens", Rule.of(LIMIT, Key::of), Rule.of(day, Key::of), Rule.of(JOBS.withPermits(100), Key::of));
        assertThat(taken(Limiter.of(spec.withAtMost(0.25), store).tryAcquire("team", 1_000)))
                .containsExactly(50L, 50L, 50L);
        assertThat(taken(
                        Limiter.of(LimiterSpec.<String>of("jobs", JOBS, Key::of).withAtMost(0.25), store)
                                .tryAcquire("team", 2)))
                .as("of a concurrency limit alone")
                .containsExactly(2L);
    }

    @Test
    void onePermitIsAlwaysTakenAndTheShareIsRounded() {
        Limit few = Limit.of("few", 3, Duration.ofMinutes(1));
        assertThat(taken(Limiter.of(LimiterSpec.<String>of("few", few, Key::of).withAtMost(0.01), store)
                        .tryAcquire("team", 3)))
                .containsExactly(1L);
        assertThat(taken(Limiter.of(
                                LimiterSpec.<String>of("hundred", LIMIT.withPermits(100), Key::of)
                                        .withAtMost(0.29),
                                store)
                        .tryAcquire("team", 99)))
                .containsExactly(29L);
    }

    @Test
    void staysWhenTheRestChanges() {
        Limiters<String> limiters = Limiters.<String>builder(store).add(quarter).build();
        limiters.change(limiters.spec("tokens")
                .withPermits(null, null, 400)
                .withShadow(false)
                .withOnStoreFailure(OnStoreFailure.REJECT)
                .withPhase(Phase.AFTER_AUTHENTICATION)
                .withCount(LimiterSpec.EVERY_OUTCOME)
                .withPhase(Phase.BEFORE_AUTHENTICATION));
        assertThat(taken(limiters.get("tokens").tryAcquire("team", 1_000))).containsExactly(100L);
    }

    @Test
    void shareIsAboveZeroAndAtMostOne() {
        for (double wrong : new double[] {0, -1, 1.1, Double.NaN}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> quarter.withAtMost(wrong))
                    .withMessage("limiter 'tokens': atMost must be more than 0 and at most 1, was " + wrong);
        }
    }
}
