package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Permits from a table of the application, here a map that can fail. */
class PermitsByNameTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final TestClock clock = new TestClock();
    private final Map<String, Long> table = new HashMap<>(Map.of("acme", 5L));
    private boolean fails;
    private int asked;

    private final Rule<String> rule =
            Rule.<String>of(Limit.of("hourly", 2, HOUR), Key::of).permitsBy(Key::of, this::permits, clock);
    private final Limiters<String> limiters = Limiters.<String>builder(InProcessStore.create(clock))
            .add(LimiterSpec.of("api", rule))
            .build();

    private @Nullable Long permits(String customer) {
        asked++;
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
    void namesHaveABound() {
        for (int i = 0; i < 10_001; i++) {
            ask("n" + i);
        }
        ask("n0");
        assertThat(asked).isEqualTo(10_002);
    }

    @Test
    void ruleHasPlansOrNames() {
        Rule<String> plans = Rule.byPlan("hourly", HOUR, Map.of("free", 1L), Key::of, Key::of);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> plans.permitsBy(Key::of, table::get))
                .withMessage("rule 'hourly' has plans; give permits by plan, or by name");
    }
}
