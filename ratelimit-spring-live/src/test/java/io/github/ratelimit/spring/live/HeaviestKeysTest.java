package io.github.ratelimit.spring.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Key;
import io.github.ratelimit.spring.live.HeaviestKeys.Rejected;
import io.github.ratelimit.spring.live.HeaviestKeys.Seen;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class HeaviestKeysTest {

    /** Squared, so that small keys are rejected far more often than large ones. */
    @Property(tries = 50)
    void countIsNeverTooSmallAndTooLargeByItsErrorAtMost(
            @ForAll @Size(min = 300, max = 1500) List<@IntRange(max = 40) Integer> keys) {
        HeaviestKeys heaviest = new HeaviestKeys();
        Map<Long, Long> truth = new HashMap<>();
        for (int key : keys) {
            long digest = (long) key * key;
            for (long each = digest; each <= digest + 3; each++) {
                heaviest.add(new Rejected("api", "burst", each));
                truth.merge(each, 1L, Long::sum);
            }
        }
        Map<Rejected, Seen> seen = new HashMap<>();
        heaviest.seen().forEach(each -> seen.put(each.rejected(), each));
        long total = 4L * keys.size();

        assertThat(seen.size()).isLessThanOrEqualTo(HeaviestKeys.PLACES);
        seen.values().forEach(each -> {
            long count = truth.getOrDefault(each.rejected().digest(), 0L);
            assertThat(each.count()).isBetween(count, count + each.error());
        });
        truth.forEach((digest, count) -> {
            if (count > total / HeaviestKeys.PLACES) {
                assertThat(seen).containsKey(new Rejected("api", "burst", digest));
            }
        });
    }

    @Test
    void placesAreSoManyAndAFreshKeySaysHowMuchTooLargeItsCountMayBe() {
        HeaviestKeys heaviest = new HeaviestKeys();
        for (int i = 0; i < 2 * HeaviestKeys.PLACES; i++) {
            heaviest.add(new Rejected("api", "burst", i % HeaviestKeys.PLACES));
        }
        Rejected fresh = new Rejected("api", "burst", -1);
        heaviest.add(fresh);

        assertThat(heaviest.seen()).hasSize(HeaviestKeys.PLACES).contains(new Seen(fresh, 3, 2));
    }

    @Test
    void aCrowdOfStrangersTakesNoMoreMemoryAndHidesNobody() {
        RejectedKeys rejected = new RejectedKeys();
        Key heavy = Key.of("203.0.113.7");
        for (int i = 0; i < 100_000; i++) {
            rejected.add("api", "burst", Key.of("stranger " + i), 0);
            if (i % 10 == 0) {
                rejected.add("api", "burst", heavy, 0);
            }
        }
        List<Seen> heaviest = rejected.heaviest(0);

        assertThat(heaviest).hasSize(RejectedKeys.SHOWN);
        assertThat(heaviest.get(0).count())
                .isBetween(10_000L, 10_000L + heaviest.get(0).error());
        assertThat(heaviest.get(0).count()).isGreaterThan(heaviest.get(1).count() * 2);
    }

    @Test
    void rejectionsAreForgottenAfterFifteenMinutesAndNotBeforeTen() {
        RejectedKeys rejected = new RejectedKeys();
        rejected.add("api", "burst", Key.of("203.0.113.7"), 299);
        assertThat(rejected.heaviest(899)).hasSize(1);
        assertThat(rejected.heaviest(900)).isEmpty();

        rejected.add("api", "burst", Key.of("203.0.113.7"), 900);
        assertThat(rejected.heaviest(1_000_000_000)).isEmpty();
    }

    @Test
    void twoStartsGiveOneKeyTwoDigests() {
        RejectedKeys one = new RejectedKeys();
        RejectedKeys other = new RejectedKeys();
        one.add("api", "burst", Key.of("203.0.113.7"), 0);
        one.add("api", "burst", Key.of("203.0.113.7"), 0);
        other.add("api", "burst", Key.of("203.0.113.7"), 0);

        assertThat(one.heaviest(0)).singleElement().extracting(Seen::count).isEqualTo(2L);
        assertThat(one.heaviest(0).get(0).rejected().digest())
                .isNotEqualTo(other.heaviest(0).get(0).rejected().digest());
    }
}
