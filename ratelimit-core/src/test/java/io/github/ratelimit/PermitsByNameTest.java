package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Permits from a table of the application, here a map that can fail. */
class PermitsByNameTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private static final Executor OWN_THREAD = task -> new Thread(task).start();

    private final TestClock clock = new TestClock();
    private final Map<String, Long> table = new HashMap<>(Map.of("acme", 5L));
    private boolean fails;
    private volatile int asked;
    private volatile int mostAtOnce;
    private int underWay; // guarded by this
    private volatile CompletableFuture<?> hangs = CompletableFuture.completedFuture(null);

    private final Rule<String> rule =
            Rule.<String>of(Limit.of("hourly", 2, HOUR), Key::of).permitsBy(Key::of, this::permits, clock);
    private final Limiters<String> limiters = Limiters.<String>builder(InProcessStore.create(clock))
            .add(LimiterSpec.of("api", rule))
            .build();

    private @Nullable Long permits(String customer) {
        synchronized (this) {
            asked++;
            mostAtOnce = Math.max(mostAtOnce, ++underWay);
        }
        hangs.join();
        synchronized (this) {
            underWay--;
        }
        if (fails) {
            throw new IllegalStateException("the database is away");
        }
        return table.get(customer);
    }

    private LimitStatus ask(String customer) {
        return limiters.get("api").tryAcquire(customer).statuses().get(0);
    }

    @Test
    void eachNameHasItsPermitsAndOthersHaveTheRules() {
        assertThat(ask("acme").limit().permits()).isEqualTo(5);
        assertThat(ask("other").limit().permits()).isEqualTo(2);
        ask("acme");
        assertThat(asked).as("an answer is kept").isEqualTo(2);
    }

    @Test
    void changedNumberAppliesAfterAMinuteAndCountsStay() {
        assertThat(ask("acme").remaining()).isEqualTo(4);
        table.put("acme", 10L);
        assertThat(ask("acme").remaining()).isEqualTo(3);
        clock.advance(Duration.ofMinutes(1));
        assertThat(ask("acme").remaining()).isEqualTo(7);
        table.remove("acme");
        clock.advance(Duration.ofMinutes(1));
        assertThat(ask("acme").limit().permits()).isEqualTo(2);
    }

    @Test
    void failureKeepsTheLastKnownNumber() {
        ask("acme");
        fails = true;
        clock.advance(Duration.ofMinutes(1));
        assertThat(ask("acme").limit().permits()).isEqualTo(5);
        assertThat(ask("unknown").limit().permits()).isEqualTo(2);
        fails = false;
        table.put("acme", 0L);
        clock.advance(Duration.ofMinutes(1));
        assertThat(ask("acme").limit().permits()).as("0 is no limit").isEqualTo(5);
        table.put("acme", 6L);
        clock.advance(Duration.ofMinutes(1));
        assertThat(ask("acme").limit().permits()).isEqualTo(6);
    }

    @Test
    void operatorsChangeReplacesTheNumbers() {
        limiters.change(limiters.spec("api").withPermits(null, null, 100));
        assertThat(ask("acme").limit().permits()).isEqualTo(100);
    }

    @Test
    void unknownNamesHaveABoundTheOldestLeavesAndKnownOnesStay() {
        ask("acme");
        for (int i = 0; i < 10_001; i++) {
            ask("n" + i);
        }
        assertThat(asked).isEqualTo(10_002);
        ask("acme");
        ask("n1");
        assertThat(asked).isEqualTo(10_002);
        ask("n0");
        assertThat(asked).isEqualTo(10_003);
    }

    @Test
    @Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
    void requestWaitsForTheFirstAnswerUntilTheDeadline() {
        hangs = new CompletableFuture<>();
        CompletableFuture<LimitStatus> first = CompletableFuture.supplyAsync(() -> ask("acme"), OWN_THREAD);
        await(() -> clock.waiting() == 1);
        clock.advance(Duration.ofMillis(4999));
        assertThat(first).isNotDone();
        clock.advance(Duration.ofMillis(1));
        assertThat(first.join().limit().permits()).as("the rule's own").isEqualTo(2);
        assertThat(ask("acme").limit().permits()).as("nobody waits again").isEqualTo(2);
        hangs.complete(null);
        await(() -> ask("acme").limit().permits() == 5);
        assertThat(asked).isEqualTo(1);

        hangs = new CompletableFuture<>();
        clock.advance(Duration.ofMinutes(1));
        CompletableFuture<LimitStatus> refreshing = CompletableFuture.supplyAsync(() -> ask("acme"), OWN_THREAD);
        await(() -> clock.waiting() == 1);
        assertThat(ask("acme").limit().permits()).as("others do not wait").isEqualTo(5);
        clock.advance(Duration.ofSeconds(5));
        assertThat(refreshing.join().limit().permits()).isEqualTo(5);
        hangs.complete(null);
    }

    @Test
    @Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
    void asynchronousRequestHasTheRulesPermitsUntilTheAnswer() {
        hangs = new CompletableFuture<>();
        Limiter<String> api = limiters.get("api");
        assertThat(api.tryAcquireAsync("acme").join().statuses().get(0).limit().permits())
                .isEqualTo(2);
        assertThat(api.acquireAsync("acme", 1, HOUR)
                        .join()
                        .statuses()
                        .get(0)
                        .limit()
                        .permits())
                .isEqualTo(2);
        hangs.complete(null);
        await(() -> api.tryAcquireAsync("acme").join().statuses().get(0).limit().permits() == 5);
        assertThat(asked).isEqualTo(1);
    }

    @Test
    @Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
    void fewQueriesAreUnderWayAndFewWaitForTheirTurn() {
        hangs = new CompletableFuture<>();
        for (int i = 0; i < 50_000; i++) {
            limiters.get("api").tryAcquireAsync("n" + i);
        }
        assertThat(ask("acme").limit().permits()).as("no room: nobody waits").isEqualTo(2);
        await(() -> asked == 4);
        hangs.complete(null);
        await(() -> clock.waiting() == 0); // no name has a deadline any more
        assertThat(asked).isEqualTo(1_000);
        assertThat(mostAtOnce).isEqualTo(4);
        assertThat(ask("acme").limit().permits()).isEqualTo(5);
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void ruleHasPlansOrNames() {
        Rule<String> plans = Rule.byPlan("hourly", HOUR, Map.of("free", 1L), Key::of, Key::of);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> plans.permitsBy(Key::of, table::get))
                .withMessage("rule 'hourly' has plans; give permits by plan, or by name");
    }
}
