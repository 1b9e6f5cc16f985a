package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** One decision on several slots, step by step: what is asked, in which order, and what is given back. */
class SlotBySlotTest {

    private static final long NOW = 1_763_632_800_000L;
    private static final long PERMITS = 5;

    private final CounterDigests digests = new CounterDigests(RedisStore.Builder.DEFAULT_KEY_PREFIX, null);
    private final List<Charge> charges = IntStream.range(0, 3)
            .mapToObj(i ->
                    new Charge("limiter-" + i, Limit.of("only", PERMITS, Duration.ofMinutes(1)), Key.of("key-" + i)))
            .toList();
    private final Counter[] counters = digests.of(charges);
    private final Standings remembered = new Standings(new TestClock(), Duration.ofSeconds(1), 100);
    private final List<Request> asked = new ArrayList<>();
    private final List<Given> given = new ArrayList<>();

    /** What was given back, and when that is done. */
    private record Given(Counter counter, long window, long cost, CompletableFuture<Void> done) {}

    private SlotBySlot start(long cost) {
        SlotBySlot decision = new SlotBySlot(
                charges, counters, cost, Slots.of(counters), 0, null, remembered, asked::add, (of, windows, each) -> {
                    Given back = new Given(of[0], windows[0], each, new CompletableFuture<>());
                    given.add(back);
                    return back.done;
                });
        decision.start();
        return decision;
    }

    /** Where a counter stands whose window ends in half a minute. */
    private static Standing[] standing(long used, boolean opened) {
        return new Standing[] {new Standing(used, NOW + 30_000, 30_000_000_000L, opened)};
    }

    private static int slot(Request request) {
        return io.lettuce.core.cluster.SlotHash.getSlot(request.counters()[0].redisKey());
    }

    private static long remaining(Decision decision, Request of) {
        return decision.statuses(of.charges().get(0).scope()).get(0).remaining();
    }

    @Test
    void slotsAreAskedInAscendingOrderOneAfterTheOtherWhateverTheOrderOfTheCharges() {
        SlotBySlot decision = start(2);
        for (int i = 0; i < 3; i++) {
            assertThat(asked).hasSize(i + 1);
            assertThat(decision).isNotDone();
            asked.get(i).answer(standing(i + 2, false), true);
        }

        assertThat(asked).isSortedAccordingTo(Comparator.comparing(SlotBySlotTest::slot));
        assertThat(decision.join().allowed()).isTrue();
        assertThat(decision.join().charges()).isEqualTo(charges);
        assertThat(decision.join().cost()).isEqualTo(2);
        for (int i = 0; i < 3; i++) {
            assertThat(remaining(decision.join(), asked.get(i))).isEqualTo(PERMITS - i - 2);
        }
        assertThat(given).isEmpty();
    }

    @Test
    void refusalByALaterSlotIsToldAfterTheEarlierOnesGotTheirPermitsBack() {
        SlotBySlot decision = start(2);
        asked.get(0).answer(standing(2, true), true);
        asked.get(1).answer(standing(4, false), false);
        Request look = asked.get(2);
        assertThat(look.cost()).as("a look").isZero();
        look.answer(standing(5, false), true);
        assertThat(decision).as("before it is given back").isNotDone();
        given.get(0).done.complete(null);

        Decision refused = decision.join();
        assertThat(refused.allowed()).isFalse();
        assertThat(given).hasSize(1);
        assertThat(given.get(0).counter).isEqualTo(asked.get(0).counters()[0]);
        assertThat(given.get(0).cost).isEqualTo(2);
        assertThat(given.get(0).window)
                .as("negative: the window was opened for this request and goes with it")
                .isEqualTo(-(NOW + 30_000 - 1));

        LimitStatus first =
                refused.statuses(asked.get(0).charges().get(0).scope()).get(0);
        assertThat(first.remaining()).as("as it was before").isEqualTo(PERMITS);
        assertThat(first.resetAfter()).isZero();
        assertThat(first.exceeded()).isFalse();
        assertThat(remaining(refused, asked.get(1))).isEqualTo(1);
        LimitStatus last = refused.statuses(look.charges().get(0).scope()).get(0);
        assertThat(last.remaining()).isZero();
        assertThat(last.exceeded()).as("it would have refused as well").isTrue();
        assertThat(refused.retryAfter()).contains(Duration.ofSeconds(30));
    }

    @Test
    void windowThatWasOpenBeforeStaysOpen() {
        SlotBySlot decision = start(2);
        asked.get(0).answer(standing(3, false), true);
        asked.get(1).answer(standing(4, false), false);
        asked.get(2).answer(standing(0, false), true);
        given.get(0).done.complete(null);

        assertThat(given.get(0).window).isEqualTo(NOW + 30_000 - 1);
        LimitStatus first =
                decision.join().statuses(asked.get(0).charges().get(0).scope()).get(0);
        assertThat(first.remaining()).isEqualTo(4);
        assertThat(first.resetAfter()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void failureOfALaterSlotIsToldAfterTheEarlierOnesGotTheirPermitsBack() {
        SlotBySlot decision = start(1);
        asked.get(0).answer(standing(1, true), true);
        asked.get(1).completeExceptionally(new Unanswered("no"));
        assertThat(given).hasSize(1);
        assertThat(decision).isNotDone();
        given.get(0).done.complete(null);

        assertThatThrownBy(decision::join).hasCauseInstanceOf(StoreException.class);
        assertThat(asked).as("the third is not asked").hasSize(2);
    }

    @Test
    void refusalThatCouldNotBeUndoneIsAFailure() {
        SlotBySlot decision = start(1);
        asked.get(0).answer(standing(1, true), true);
        asked.get(1).answer(standing(5, false), false);
        asked.get(2).answer(standing(0, false), true);
        given.get(0).done.completeExceptionally(new Unanswered("no"));

        assertThatThrownBy(decision::join).hasCauseInstanceOf(StoreException.class);
    }

    @Test
    void whatIsGrantedAfterTheDeadlineIsGivenBack() {
        SlotBySlot decision = start(1);
        asked.get(0).answer(standing(1, true), true);
        decision.expire();
        assertThat(decision).isCompletedExceptionally();
        assertThat(asked.get(1)).as("not sent any more if it still waits").isDone();
        assertThat(given).hasSize(1);

        asked.get(1).answer(standing(1, true), true);
        assertThat(given)
                .map(Given::counter)
                .containsExactly(asked.get(0).counters()[0], asked.get(1).counters()[0]);
        assertThat(asked).as("the third is not asked").hasSize(2);
    }

    @Test
    void decisionThatNobodyWaitsForAnyMoreIsGivenBack() {
        SlotBySlot decision = start(1);
        asked.get(0).answer(standing(1, true), true);
        asked.get(1).answer(standing(1, true), true);
        decision.cancel(false);
        asked.get(2).answer(standing(1, true), true);

        assertThat(given).hasSize(3);
    }

    @Test
    void knownRefusalTakesNothingAndOnlyLooksAtTheOthers() {
        SlotBySlot first = start(5);
        asked.get(0).answer(standing(5, true), true);
        Request refusing = asked.get(1);
        refusing.answer(standing(1, false), false);
        remembered.learn(refusing, standing(1, false), true, 0, 0);
        assertThat(first).isNotDone();
        given.clear();
        asked.clear();

        SlotBySlot decision = start(5);
        assertThat(asked).hasSize(2).allMatch(look -> look.cost() == 0).allMatch(look -> look.rememberNanos() > 0);
        asked.forEach(look -> look.answer(standing(0, false), true));
        assertThat(decision.join().allowed()).isFalse();
        assertThat(remaining(decision.join(), refusing)).isEqualTo(4);
        assertThat(given).isEmpty();
    }

    @Test
    void lookAsksAllSlotsAtOnceAndIsAllowed() {
        SlotBySlot decision = start(0);
        assertThat(asked).hasSize(3);
        asked.forEach(look -> look.answer(standing(7, false), true)); // more than the permits: the limit was lowered
        assertThat(decision.join().allowed()).isTrue();
        assertThat(decision.join().statuses()).allMatch(status -> status.remaining() == 0 && !status.exceeded());
    }
}
