package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How many at a time: what holds permits, and what gives them back. */
class HoldTest {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Limit JOBS = Limit.concurrent("jobs", 2, LEASE);

    private final TestClock clock = new TestClock();
    private final InProcessStore store = InProcessStore.create(clock);
    private final Limiter<String> limiter = Limiter.of(LimiterSpec.of("work", JOBS, Key::of), store);

    private long free() {
        return limiter.look("ann").mostRestrictive().orElseThrow().remaining();
    }

    @Test
    void taskHoldsAPermitWhileItRuns() {
        Decision decision = limiter.run("ann", () -> assertThat(free()).isEqualTo(1));

        assertThat(decision.allowed()).isTrue();
        assertThat(free()).isEqualTo(2);
    }

    @Test
    void taskThatFailsGivesItsPermitBack() {
        assertThatIllegalStateException().isThrownBy(() -> limiter.run("ann", HoldTest::fail));
        assertThat(limiter.runAsync("ann", () -> {
                    throw new IllegalStateException("failed");
                }))
                .isCompletedExceptionally();
        assertThat(free()).isEqualTo(2);
    }

    private static void fail() {
        throw new IllegalStateException("failed");
    }

    @Test
    void stageHoldsAPermitUntilItEnds() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<Decision> done = limiter.runAsync("ann", () -> work);
        assertThat(free()).isEqualTo(1);
        assertThat(done).isNotDone();

        work.completeExceptionally(new IllegalStateException("failed"));
        assertThat(done).isCompletedExceptionally();
        assertThat(free()).isEqualTo(2);
    }

    @Test
    void rejectedTaskDoesNotRun() {
        limiter.tryAcquire("ann", 2);
        Decision decision = limiter.run("ann", HoldTest::fail);

        assertThat(decision.allowed()).isFalse();
        assertThat(decision.retryAfter()).contains(Duration.ofSeconds(1));
        assertThat(limiter.runAsync("ann", CompletableFuture::new))
                .isCompletedWithValueMatching(later -> !later.allowed());
    }

    @Test
    void permitOfALongTaskIsRenewedAndOneThatNobodyHoldsIsNot() {
        limiter.tryAcquire("ann");
        try (Hold hold = limiter.hold(limiter.tryAcquire("ann"))) {
            assertThat(hold).isNotSameAs(Hold.NOTHING);
            for (int i = 0; i < 20; i++) {
                clock.advance(LEASE.dividedBy(7));
            }
            assertThat(free()).isEqualTo(1);
        }
        assertThat(free()).isEqualTo(2);
        assertThat(clock.waiting()).as("renewals to come").isZero();
    }

    @Test
    void renewalNeverFreesAPermitForOthers() {
        try (Hold one = limiter.hold(limiter.tryAcquire("ann"));
                Hold two = limiter.hold(limiter.tryAcquire("ann"))) {
            for (int i = 0; i < 30; i++) {
                clock.advance(LEASE.dividedBy(11));
                assertThat(limiter.tryAcquire("ann").allowed()).isFalse();
            }
            assertThat(List.of(one, two)).doesNotContain(Hold.NOTHING);
        }
        assertThat(free()).isEqualTo(2);
    }

    @Test
    void closingTwiceAndARefundGiveBackOnce() {
        limiter.tryAcquire("ann");
        Decision decision = limiter.tryAcquire("ann");
        Hold hold = limiter.hold(decision);
        clock.advance(LEASE.dividedBy(2));
        hold.close();
        hold.close();
        limiter.refund(decision).join();
        assertThat(free()).isEqualTo(1);
    }

    @Test
    void refundedPermitIsNotRenewed() {
        Decision decision = limiter.tryAcquire("ann");
        Hold hold = limiter.hold(decision);
        limiter.refund(decision).join();
        clock.advance(LEASE);
        assertThat(free()).isEqualTo(2);
        hold.close();
    }

    @Test
    void otherLimitsOfTheTaskKeepWhatTheyTook() {
        Rule<String> hourly = Rule.of(Limit.of("hourly", 10, Duration.ofHours(1)), Key::of);
        Rule<String> daily = Rule.of(Limit.of("daily", 9, Duration.ofDays(1)), Key::of);
        Limiter<String> both =
                Limiter.of(new LimiterSpec<>("both", List.of(hourly, Rule.of(JOBS, Key::of), daily)), store);
        both.run("ann", () -> {
            both.settle(both.tryAcquire("ann"), 3).join(); // tokens, for example
            assertThat(both.look("ann").statuses())
                    .extracting(LimitStatus::remaining)
                    .containsExactly(6L, 0L, 5L);
        });

        assertThat(both.look("ann").statuses())
                .extracting(LimitStatus::remaining)
                .containsExactly(6L, 1L, 5L);
        Decision rejected = both.tryAcquire("ann", 2);
        assertThat(rejected.allowed()).isFalse();
        assertThat(rejected.mostRestrictive().orElseThrow().limit()).isEqualTo(JOBS);
        assertThat(both.look("ann").statuses().get(0).remaining())
                .as("nothing was taken")
                .isEqualTo(6);
    }

    @Test
    void limiterInShadowHoldsAndGivesBackToo() {
        Limiters<String> limiters = Limiters.<String>builder(store)
                .add(LimiterSpec.of("enforced", Limit.of(10, LEASE), Key::of))
                .add(LimiterSpec.of("shadow", JOBS, Key::of).withShadow(true))
                .build();
        limiters.of("enforced", "shadow").run("ann", () -> {
            clock.advance(LEASE.multipliedBy(3));
            assertThat(limiters.get("shadow")
                            .look("ann")
                            .mostRestrictive()
                            .orElseThrow()
                            .remaining())
                    .isEqualTo(1);
        });
        assertThat(limiters.get("shadow")
                        .look("ann")
                        .mostRestrictive()
                        .orElseThrow()
                        .remaining())
                .isEqualTo(2);
    }

    @Test
    void callersThatWaitAskAgainEachSecond() {
        Hold hold = limiter.hold(limiter.tryAcquire("ann", 2));
        List<CompletableFuture<Decision>> waiting = List.of(
                limiter.acquireAsync("ann", 1, Duration.ofSeconds(5)),
                limiter.acquireAsync("ann", 1, Duration.ofSeconds(5)),
                limiter.acquireAsync("ann", 1, Duration.ofSeconds(5)));
        clock.advance(Duration.ofSeconds(2));
        assertThat(waiting).noneMatch(CompletableFuture::isDone);

        hold.close();
        clock.advance(Duration.ofSeconds(1));
        assertThat(waiting.subList(0, 2)).allMatch(turn -> turn.join().allowed());
        assertThat(waiting.get(2)).isNotDone();
        clock.advance(Duration.ofSeconds(3));
        assertThat(waiting.get(2).join().allowed()).isFalse();
    }

    /** A process that was stopped runs no timer in time, and a busy one may not. */
    @Test
    void permitsHeldInThisProcessNeedNoTimer() {
        TimeSource stopped = new TimeSource() {
            @Override
            public long nanoTime() {
                return clock.nanoTime();
            }

            @Override
            public Instant instant() {
                return clock.instant();
            }

            @Override
            public Future<?> runAfter(long nanos, Runnable task) {
                return new CompletableFuture<>();
            }
        };
        Limiter<String> jobs = Limiter.of(LimiterSpec.of("work", JOBS, Key::of), InProcessStore.create(stopped));
        Hold one = jobs.hold(jobs.tryAcquire("ann"));
        Hold two = jobs.hold(jobs.tryAcquire("ann"));
        for (int i = 0; i < 5; i++) {
            clock.advance(LEASE.multipliedBy(3));
            assertThat(jobs.tryAcquire("ann").allowed()).isFalse();
        }
        one.close();
        assertThat(jobs.tryAcquire("ann").allowed()).isTrue();
        two.close();
    }

    // ---- over a store behind a network

    private final TestStores.Leased leased = new TestStores.Leased(clock);
    private final Limiter<String> remote =
            Limiter.of(LimiterSpec.<String>of("work", JOBS, Key::of).withOnStoreFailure(OnStoreFailure.REJECT), leased);

    @Test
    void leaseIsRenewedEachThirdUntilTheHoldIsClosed() {
        remote.tryAcquire("ann");
        Hold hold = remote.hold(remote.tryAcquire("ann"));
        for (int third = 1; third <= 9; third++) {
            clock.advance(LEASE.dividedBy(3));
            assertThat(leased.renewals).isEqualTo(third);
            assertThat(hold.isHeld()).isTrue();
        }
        assertThat(remote.look("ann").statuses().get(0).remaining()).isEqualTo(1);
        hold.close();
        hold.close();
        assertThat(hold.isHeld()).isFalse();
        assertThat(clock.waiting()).as("renewals to come").isZero();
        assertThat(remote.look("ann").statuses().get(0).remaining()).isEqualTo(2);
    }

    @Test
    void storeThatIsSilentForLessThanALeaseLosesNothing() {
        Hold hold = remote.hold(remote.tryAcquire("ann"));
        clock.advance(LEASE.dividedBy(3));
        leased.away = true;
        clock.advance(LEASE.minusNanos(1));
        assertThat(hold.isHeld()).isTrue();
        leased.away = false;
        Hold other = remote.hold(remote.tryAcquire("ann"));
        clock.advance(Duration.ofNanos(1));
        assertThat(hold.isHeld()).as("a lease after the last answer").isFalse();
        clock.advance(LEASE);
        assertThat(other.isHeld()).isTrue();
        assertThat(remote.look("ann").statuses().get(0).remaining()).isEqualTo(1);
    }

    @Test
    void permitThatTheStoreHasNoLongerIsNotHeldAndNotRenewed() {
        Hold lost = remote.hold(remote.tryAcquire("ann"));
        Decision decision = remote.tryAcquire("ann");
        Hold refunded = remote.hold(decision);
        remote.refund(decision).join();
        assertThat(refunded.isHeld()).isFalse();
        remote.reset("ann").join();
        clock.advance(LEASE.dividedBy(3));
        assertThat(lost.isHeld()).isFalse();
        assertThat(clock.waiting()).as("renewals to come").isZero();
        assertThat(leased.renewals).isEqualTo(1);
    }

    @Test
    void holdInThisProcessTellsWhetherItIsHeld() {
        Hold closed = limiter.hold(limiter.tryAcquire("ann"));
        Decision decision = limiter.tryAcquire("ann");
        Hold refunded = limiter.hold(decision);
        clock.advance(LEASE.multipliedBy(2));
        assertThat(closed.isHeld()).isTrue();
        assertThat(refunded.isHeld()).isTrue();
        closed.close();
        limiter.refund(decision).join();
        assertThat(closed.isHeld()).isFalse();
        assertThat(refunded.isHeld()).isFalse();

        Hold reset = limiter.hold(limiter.tryAcquire("ann"));
        assertThat(reset.isHeld()).isTrue();
        limiter.reset("ann").join();
        assertThat(reset.isHeld()).isFalse();
        Decision late = limiter.tryAcquire("ann");
        clock.advance(LEASE);
        assertThat(limiter.hold(late).isHeld())
                .as("taken by nobody for a lease")
                .isFalse();
        assertThat(Hold.NOTHING.isHeld()).isTrue();
        Hold.NOTHING.close();
    }

    @Test
    void taskThatNobodyWaitsForAnyMoreIsNotStarted() {
        TestStores.Slow slow = new TestStores.Slow(store);
        Limiter<String> jobs = Limiter.of(LimiterSpec.of("work", JOBS, Key::of), slow);
        AtomicInteger started = new AtomicInteger();
        CompletableFuture<Decision> done = jobs.runAsync("ann", () -> {
            started.incrementAndGet();
            return CompletableFuture.completedFuture(null);
        });
        CompletableFuture<Decision> asked = jobs.tryAcquireAsync("ann");
        done.completeExceptionally(new TimeoutException());
        asked.cancel(false);
        slow.answer();
        slow.answer();
        assertThat(started).hasValue(0);
        assertThat(free()).isEqualTo(2);
    }

    @Test
    void limitsOutOfRangeAreRejectedWithAReason() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.concurrent("jobs", 65_536, LEASE))
                .withMessage(
                        "limit 'jobs': a concurrency limit has 1..65535 permits and a lease of 3 ms at least, was 65536 with 1m");
    }
}
