package io.github.ratelimit.contract;

import static io.github.ratelimit.contract.StoreContract.costing;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.github.ratelimit.Charge;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.test.TestClock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the in-process store keeps of its promises where its table is full. */
class FullInProcessStoreTest {

    /** Each took the place that the other had just been given, for ever. */
    @Test
    void freshKeysOfOneDecisionDoNotPushEachOtherOut() {
        Limit a = Limit.of("a", 2, ofHours(1));
        Limit b = Limit.of("b", 2, ofHours(1));
        assertTimeoutPreemptively(ofSeconds(30), () -> {
            InProcessStore store = InProcessStore.builder()
                    .time(new TestClock())
                    .maximumCounters(1024)
                    .build();
            for (int i = 0; i < 5_000; i++) {
                store.tryAcquire(costing(List.of(new Charge("contract", a, Key.of("used up " + i))), 2));
            }
            for (int i = 0; i < 10_000; i++) {
                Key fresh = Key.of("fresh " + i);
                List<Charge> charges = List.of(new Charge("contract", a, fresh), new Charge("contract", b, fresh));
                assertThat(store.tryAcquire(costing(charges, 2)).allowed()).isTrue();
            }
        });
    }
}
