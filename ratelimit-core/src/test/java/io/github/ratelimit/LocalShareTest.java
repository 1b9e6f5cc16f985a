package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.github.ratelimit.TestStores.Failing;
import io.github.ratelimit.test.TestClock;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a node grants while its store does not answer. */
class LocalShareTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Failing store = new Failing(new TestClock());

    private Limiters<String> limiters(int part, int of, LimiterSpec<String> spec) {
        return Limiters.<String>builder(store).localShare(part, of).add(spec).build();
    }

    private static LimiterSpec<String> spec(long... permits) {
        List<Rule<String>> rules = new ArrayList<>();
        for (long each : permits) {
            rules.add(Rule.of(Limit.of("of-" + each, each, MINUTE), Key::of));
        }
        return new LimiterSpec<>("a", rules);
    }

    @Test
    void fallbackGrantsItsShareOfEachLimitAndSaysSo() {
        Limiter<String> limiter = limiters(1, 4, spec(10, 40)).get("a");
        Decision first = limiter.tryAcquire("ann");
        assertThat(first.source()).isEqualTo(Decision.Source.LOCAL);
        assertThat(first.statuses())
                .extracting(
                        status -> status.limit().name(),
                        status -> status.limit().permits(),
                        LimitStatus::remaining)
                .containsExactly(tuple("of-10", 2L, 1L), tuple("of-40", 10L, 9L));
        assertThat(limiter.tryAcquireAsync("ann").toCompletableFuture().join().allowed())
                .isTrue();
        assertThat(limiter.tryAcquire("ann").allowed()).isFalse();
        Decision tooMuch = limiter.tryAcquire("bob", 3);
        assertThat(tooMuch.allowed()).isFalse();
        assertThat(tooMuch.retryAfter()).as("never, of this share").isEmpty();
    }

    @Test
    void storeItselfGrantsWholeLimits() {
        store.away = false;
        Decision decision = limiters(1, 4, spec(10)).get("a").tryAcquire("ann", 10);
        assertThat(decision.allowed()).isTrue();
        assertThat(decision.statuses())
                .extracting(status -> status.limit().permits())
                .containsExactly(10L);
    }

    @Test
    void wholeLimitsStandWhereNoShareIsGiven() {
        Limiter<String> limiter = Limiter.of(spec(3), store);
        assertThat(limiter.tryAcquire("ann", 3).allowed()).isTrue();
        assertThat(limiter.tryAcquire("ann").allowed()).isFalse();
    }

    /** The counter is the same one: whatever was taken of a share goes back to it. */
    @Test
    void shareIsGivenBackAndForgotten() {
        Limiter<String> limiter = limiters(1, 2, spec(4)).get("a");
        Decision both = limiter.tryAcquire("ann", 2);
        limiter.refund(both).toCompletableFuture().join();
        assertThat(limiter.tryAcquire("ann", 2).allowed()).isTrue();
        store.away = false;
        limiter.reset("ann").toCompletableFuture().join();
        store.away = true;
        assertThat(limiter.tryAcquire("ann", 2).allowed()).isTrue();
    }

    /** In the obvious way, with numbers of any length. */
    @Property
    void shareIsRoundedDownAndOneAtLeast(
            @ForAll @LongRange(min = 1, max = Limit.MAX_PERMITS) long permits,
            @ForAll @IntRange(min = 1, max = Integer.MAX_VALUE) int one,
            @ForAll @IntRange(min = 1, max = Integer.MAX_VALUE) int other) {
        int part = Math.min(one, other);
        int of = Math.max(one, other);
        long expected = BigInteger.valueOf(permits)
                .multiply(BigInteger.valueOf(part))
                .divide(BigInteger.valueOf(of))
                .max(BigInteger.ONE)
                .longValueExact();
        Charge charge = new Charge("a", Limit.of(permits, MINUTE), Key.absent());
        assertThat(new LocalShare(part, of).of(charge))
                .isEqualTo(new Charge("a", Limit.of(expected, MINUTE), Key.absent()));
    }

    @Test
    void outageDecidesByAShareOfABucketThatFillsSlowly() {
        Limit limit = Limit.of("tokens", 1000, Duration.ofDays(30)).bucket(5000);
        Limit shared = limiters(1, 4, LimiterSpec.of("a", limit, Key::of))
                .get("a")
                .tryAcquire("ann")
                .statuses()
                .get(0)
                .limit();
        assertThat(shared)
                .isEqualTo(Limit.of("tokens", 250, Duration.ofDays(30)).bucket(1250));
    }

    /** A bucket is full again after a year at most: rounding its permits down takes from its burst. */
    @Property
    void shareOfABucketIsABucket(
            @ForAll @LongRange(min = 1, max = Limit.MAX_PERMITS) long permits,
            @ForAll @LongRange(min = 1, max = 31_622_400_000L) long window,
            @ForAll @LongRange(min = 1, max = 1L << 51) long burst,
            @ForAll @IntRange(min = 1, max = Integer.MAX_VALUE) int one,
            @ForAll @IntRange(min = 1, max = Integer.MAX_VALUE) int other) {
        BigInteger longest = BigInteger.valueOf(Limit.MAX_WINDOW.toMillis());
        long most = BigInteger.valueOf(permits)
                .multiply(longest)
                .divide(BigInteger.valueOf(window))
                .min(BigInteger.valueOf((1L << 51) / window))
                .longValueExact();
        Limit limit = Limit.of(permits, Duration.ofMillis(window)).bucket(Math.min(burst, most));
        Charge charge = new Charge("a", limit, Key.absent());
        Limit shared = new LocalShare(Math.min(one, other), Math.max(one, other))
                .of(charge)
                .limit();
        assertThat(shared.capacity()).isBetween(1L, limit.capacity());
    }

    @ParameterizedTest
    @CsvSource({"0,1", "-1,4", "5,4", "0,0", "1,0", "-1,-1"})
    void shareThatIsNoneIsRejected(int part, int of) {
        Limiters.Builder<String> builder = Limiters.builder(store);
        assertThatThrownBy(() -> builder.localShare(part, of))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("local share must be more than 0 and at most 1, was %d/%d", part, of);
    }
}
