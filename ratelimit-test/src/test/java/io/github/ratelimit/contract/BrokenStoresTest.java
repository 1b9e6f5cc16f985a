package io.github.ratelimit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Store;
import io.github.ratelimit.contract.FakeStore.Fault;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The store's kit catches what it promises to catch: it is run against stores that are wrong on purpose. */
class BrokenStoresTest {

    /** What is made up at random may take a second run to meet what is wrong. */
    private static final int MOST_RUNS = 8;

    private static volatile Fault fault = Fault.NONE;

    /** Not found by its name: it fails on purpose. */
    static class BrokenStore extends StoreContract {

        @Override
        protected Store store(TestClock clock) {
            return new FakeStore(clock, fault);
        }

        @Override
        protected Duration deadline() {
            return Duration.ofSeconds(fault == Fault.LOCKS_IN_THE_ORDER_OF_THE_CHARGES ? 5 : 60);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void kitSeesWhatIsWrong(Fault wrong) {
        fault = wrong;
        Set<String> failing = new TreeSet<>();
        for (int run = 0; run < MOST_RUNS && failing.size() < wrong.seenBy.size(); run++) {
            failing.addAll(KitRun.failing(BrokenStore.class, wrong.seenBy));
        }
        assertThat(failing).containsExactlyInAnyOrderElementsOf(wrong.seenBy);
    }
}
