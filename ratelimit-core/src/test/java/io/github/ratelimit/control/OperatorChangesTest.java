package io.github.ratelimit.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.Rule;
import io.github.ratelimit.SharedSettings;
import io.github.ratelimit.Store;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.http.Outcomes;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;

/** Two nodes over one store whose settings are a map: what one changes, the other reads. */
class OperatorChangesTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final TestClock clock = new TestClock();
    private final SettingsOnAMap settings = new SettingsOnAMap();

    /** Settings that can be away. */
    private static final class SettingsOnAMap implements SharedSettings {

        private final Map<String, String> all = new HashMap<>();
        private final Map<String, Integer> digests = new HashMap<>(); // by limiter
        private boolean away;

        private <T> CompletableFuture<T> answered(T answer) {
            return away
                    ? CompletableFuture.failedFuture(new StoreException("the store is away", null))
                    : CompletableFuture.completedFuture(answer);
        }

        @Override
        public CompletableFuture<Map<String, String>> read() {
            return answered(Map.copyOf(all));
        }

        @Override
        @SuppressWarnings("NullAway") // nothing to tell
        public CompletableFuture<Void> put(Map<String, String> settings) {
            if (!away) {
                all.putAll(settings);
            }
            return answered(null);
        }

        @Override
        @SuppressWarnings("NullAway") // nothing to tell
        public CompletableFuture<Void> remove(Set<String> names) {
            if (!away) {
                all.keySet().removeAll(names);
            }
            return answered(null);
        }

        @Override
        public String digest(Charge charge) {
            digests.merge(charge.limiter(), 1, Integer::sum);
            return charge.limiter() + charge.limit().name() + charge.key().hashCode();
        }
    }

    /** A store in this process that shares its settings. */
    private record SharingStore(InProcessStore counts, SharedSettings settings) implements Store {

        @Override
        public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
            return counts.tryAcquireAsync(charges);
        }

        @Override
        public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
            return counts.settleAsync(decision, actual);
        }

        @Override
        public CompletableFuture<Void> resetAsync(List<Charge> charges) {
            return counts.resetAsync(charges);
        }

        @Override
        public Optional<SharedSettings> sharedSettings() {
            return Optional.of(settings);
        }

        @Override
        public TimeSource time() {
            return counts.time();
        }
    }

    /** A node with its limiters {@code api}, and {@code mails} with plans. */
    private static final class Node {

        private final LimiterSpec<String> api = LimiterSpec.of("api", Limit.of(2, HOUR), Key::of);
        private final Limiters<String> limiters;
        private final OperatorChanges<String> changes;

        Node(Store store) {
            limiters = Limiters.<String>builder(store)
                    .add(api)
                    .add(LimiterSpec.of(
                            "mails",
                            Rule.byPlan("hourly", HOUR, Map.of("free", 1L, "pro", 5L), user -> Key.of("pro"), Key::of)))
                    .build();
            changes = new OperatorChanges<>(limiters);
            changes.start();
        }

        Decision ask(String user) {
            return limiters.get("api").tryAcquire(user);
        }

        long permits(String limiter, int limit) {
            return limiters.spec(limiter).rules().get(0).limits().get(limit).permits();
        }

        List<Charge> charges(Key key) {
            return List.of(new Charge(
                    "api", limiters.spec("api").rules().get(0).limits().get(0), key));
        }
    }

    private Node node() {
        return new Node(new SharingStore(InProcessStore.create(clock), settings));
    }

    private void change(Node node, long permits) {
        node.changes.change("api", null, permits, null, null, null, "ann").join();
    }

    @Test
    void changeHoldsHereAtOnceOnOtherNodesAfterFiveSecondsAndOnLaterOnes() {
        Node one = node();
        Node other = node();
        assertThat(other.ask("bob").statuses().get(0).remaining()).isEqualTo(1);
        change(one, 10);
        one.changes.change("mails", true, 7L, "hourly", "PRO", null, "ann").join();
        assertThat(one.permits("api", 0)).isEqualTo(10);

        clock.advance(Duration.ofSeconds(5));
        assertThat(other.ask("bob").statuses().get(0).remaining())
                .as("counts stay")
                .isEqualTo(8);
        assertThat(other.permits("mails", 0)).isEqualTo(1);
        assertThat(other.permits("mails", 1)).isEqualTo(7);
        assertThat(other.limiters.spec("mails").shadow()).isTrue();
        assertThat(node().permits("api", 0)).as("a later node").isEqualTo(10);
        assertThat(other.changes.changes("mails").keySet()).containsExactly("permits/hourly/pro", "shadow");
        assertThat(other.changes.changes("api").get("permits/default"))
                .satisfies(change -> assertThat(change.by()).isEqualTo("ann"))
                .satisfies(change -> assertThat(change.value()).isEqualTo("10"));
    }

    @Test
    void revertReturnsToTheDescriptionOfTheMoment() {
        Node one = node();
        change(one, 10);
        one.limiters.change(LimiterSpec.of("api", Limit.of(3, HOUR), Key::of));
        assertThat(one.permits("api", 0)).as("the change stays").isEqualTo(10);
        one.changes.revert("api").join();
        assertThat(one.permits("api", 0)).isEqualTo(3);
        assertThat(settings.all).isEmpty();
        assertThat(one.changes.changes("api")).isEmpty();
    }

    @Test
    void revertAndUnblockRemoveWhatIsStoredThoughThisNodeHasNotReadIt() {
        Node one = node();
        Node other = node();
        one.changes.change("api", true, 10L, null, null, null, "ann").join();
        one.changes.block(one.charges(Key.of("bob")), HOUR, "ann").join();
        settings.all.put("api/permits/hourly", "5 2026-01-01T00:00:00Z ann"); // of no rule
        settings.all.put("apis/shadow", "true 2026-01-01T00:00:00Z ann");
        other.changes.revert("api").join();
        assertThat(settings.all).containsOnlyKeys("apis/shadow");
        clock.advance(Duration.ofSeconds(5));
        assertThat(one.limiters.spec("api").shadow()).isFalse();
        assertThat(one.permits("api", 0)).isEqualTo(2);
        assertThat(one.ask("bob").allowed()).isTrue();

        one.changes.block(one.charges(Key.of("bob")), HOUR, "ann").join();
        other.changes.unblock(other.charges(Key.of("bob"))).join();
        assertThat(settings.all).containsOnlyKeys("apis/shadow");
    }

    @Test
    void blockRemovesNoBlockThatAnotherNodeHasRenewed() {
        Node one = node();
        Node other = node();
        one.changes
                .block(one.charges(Key.of("mallory")), Duration.ofSeconds(6), "ann")
                .join();
        clock.advance(Duration.ofSeconds(7));
        other.changes.block(other.charges(Key.of("mallory")), HOUR, "bob").join();
        one.changes.block(one.charges(Key.of("eve")), HOUR, "ann").join();
        assertThat(settings.all).hasSize(2);
        clock.advance(Duration.ofSeconds(5));
        assertThat(one.ask("mallory").allowed()).isFalse();
        assertThat(other.ask("mallory").allowed()).isFalse();
        assertThat(other.ask("eve").allowed()).isFalse();
    }

    @Test
    void blockCostsOtherLimitersNoDigestAndNoneAfterItsEnd() {
        Node one = node();
        one.changes.block(one.charges(Key.of("bob")), HOUR, "ann").join();
        settings.digests.clear();
        one.limiters.get("mails").tryAcquire("ann");
        assertThat(settings.digests).isEmpty();
        one.ask("ann");
        assertThat(settings.digests).isEqualTo(Map.of("api", 1));
        clock.advance(HOUR);
        one.ask("ann");
        assertThat(settings.digests).isEqualTo(Map.of("api", 1));
    }

    @Test
    void changeOfTheDescriptionLeavesOperatorsChangesOutOfIt() {
        Node one = node();
        one.changes.change("api", true, 10L, null, null, null, "ann").join();
        one.changes.change("mails", true, 7L, "hourly", "pro", null, "ann").join();
        LimiterSpec<String> before = one.limiters.spec("api");
        one.limiters.change(one.limiters.spec("api").withOnStoreFailure(OnStoreFailure.ALLOW));
        one.limiters.change(one.limiters.spec("mails").withPermits("hourly", "free", 3));
        assertThat(one.limiters.spec("api").shadow()).as("it still applies").isTrue();
        assertThat(one.permits("api", 0)).as("it still applies").isEqualTo(10);
        assertThat(one.permits("mails", 0)).isEqualTo(3);
        assertThat(one.permits("mails", 1)).as("it still applies").isEqualTo(7);
        one.changes.revert("api").join();
        one.changes.revert("mails").join();
        assertThat(one.limiters.spec("api")).isEqualTo(one.api.withOnStoreFailure(OnStoreFailure.ALLOW));
        assertThat(one.limiters.spec("mails").shadow()).isFalse();
        assertThat(one.permits("mails", 0)).isEqualTo(3);
        assertThat(one.permits("mails", 1)).isEqualTo(5);

        one.limiters.change(before.withCount(Outcomes.of("failures")));
        assertThat(one.limiters.spec("api"))
                .as("of a spec that was read before the revert")
                .isEqualTo(one.api.withCount(Outcomes.of("failures")));
        one.changes.change("api", true, null, null, null, null, "ann").join();
        one.limiters.change(one.api.withShadow(true));
        one.changes.revert("api").join();
        assertThat(one.limiters.spec("api").shadow()).as("described so").isTrue();
    }

    @Test
    void storeThatIsAwayKeepsTheLastChangesAndTakesNoNewOne() {
        Node one = node();
        Node other = node();
        change(one, 10);
        clock.advance(Duration.ofSeconds(5));
        settings.away = true;
        clock.advance(Duration.ofSeconds(60));
        assertThat(other.permits("api", 0)).isEqualTo(10);
        assertThatThrownBy(() -> change(one, 20)).hasRootCauseInstanceOf(StoreException.class);
        assertThat(one.permits("api", 0)).isEqualTo(10);
        assertThat(node().permits("api", 0)).as("it knows no changes").isEqualTo(2);

        settings.away = false;
        change(one, 30);
        clock.advance(Duration.ofSeconds(5));
        assertThat(other.permits("api", 0)).isEqualTo(30);
    }

    @Test
    void settingThatDoesNotFitIsIgnored() {
        Node one = node();
        settings.all.putAll(Map.of(
                "other/shadow", "true 2026-01-01T00:00:00Z ann",
                "api/permits/hourly", "5 2026-01-01T00:00:00Z ann",
                "api/permits/default", "many 2026-01-01T00:00:00Z ann",
                "api/shadow", "true",
                "api/block/1", "true 2026-01-01T00:00:00Z ann",
                "mails/shadow", "true 2026-01-01T00:00:00Z ann",
                "unnamed", ""));
        clock.advance(Duration.ofSeconds(5));
        assertThat(one.permits("api", 0)).isEqualTo(2);
        assertThat(one.limiters.spec("api").shadow()).isFalse();
        assertThat(one.limiters.spec("mails").shadow()).isTrue();
    }

    @Test
    void withoutSharedSettingsAChangeHoldsHere() {
        Node one = new Node(InProcessStore.create(clock));
        Node other = new Node(InProcessStore.create(clock));
        assertThat(one.changes.isShared()).isFalse();
        change(one, 10);
        one.changes.block(one.charges(Key.of("bob")), HOUR, "ann").join();
        assertThat(one.permits("api", 0)).isEqualTo(10);
        assertThat(one.ask("bob").allowed()).isFalse();
        assertThat(other.permits("api", 0)).isEqualTo(2);
        one.changes.refresh().join();
        assertThat(one.permits("api", 0)).isEqualTo(10);
    }

    @Test
    void blockRejectsOneClientOnAllNodesUntilItsEnd() {
        Node one = node();
        Node other = node();
        one.changes.block(one.charges(Key.of("bob")), HOUR, "ann").join();
        assertThat(one.ask("bob").retryAfter()).contains(HOUR);
        assertThat(one.limiters.get("api").tryAcquireAsync("bob").join().allowed())
                .isFalse();
        assertThat(one.limiters.get("api").tryAcquire("bob", 0).allowed())
                .as("a look")
                .isTrue();
        assertThat(one.ask("eve").allowed()).isTrue();
        assertThat(one.limiters
                        .get("api")
                        .acquireAsync("bob", 1, HOUR.minusMillis(1))
                        .join()
                        .allowed())
                .as("waiting is in vain")
                .isFalse();
        clock.advance(Duration.ofSeconds(5));
        assertThat(other.ask("bob").retryAfter()).contains(HOUR.minusSeconds(5));
        assertThat(other.changes.changes("api").keySet())
                .singleElement()
                .asString()
                .startsWith("block/");
        clock.advance(HOUR.minusSeconds(5));
        assertThat(one.ask("bob").allowed()).isTrue();
        assertThat(one.changes.changes("api")).isEmpty();
        one.changes.block(one.charges(Key.of("eve")), HOUR, "ann").join();
        assertThat(settings.all).as("the ended one is removed").hasSize(1);
        assertThat(one.changes.blockedUntil(one.charges(Key.of("eve"))))
                .contains(clock.instant().plus(HOUR));
        one.changes.unblock(one.charges(Key.of("eve"))).join();
        assertThat(one.ask("eve").allowed()).isTrue();
        assertThat(one.changes.blockedUntil(one.charges(Key.of("eve")))).isEmpty();
        assertThat(settings.all).isEmpty();
        one.changes.block(one.charges(Key.of("eve")), HOUR, "ann").join();
        one.changes.revert("api").join();
        assertThat(one.ask("eve").allowed())
                .as("a limiter by its properties blocks nobody")
                .isTrue();
    }

    @Test
    void changeEndsByItselfOnAllNodesAndWithoutSharedSettings() {
        Node one = node();
        Node other = node();
        Node alone = new Node(InProcessStore.create(clock));
        for (Node node : List.of(one, alone)) {
            node.changes
                    .change("api", true, 10L, null, null, HOUR, "ann the first")
                    .join();
        }
        change(one, 7);
        clock.advance(Duration.ofSeconds(5));
        Node later = node();
        clock.advance(HOUR.minusSeconds(6));
        for (Node node : List.of(one, other, later, alone)) {
            assertThat(node.limiters.spec("api").shadow()).isTrue();
            assertThat(node.permits("api", 0)).isEqualTo(node == alone ? 10 : 7);
        }
        assertThat(other.changes.changes("api").get("shadow"))
                .satisfies(change -> assertThat(change.by()).isEqualTo("ann the first"))
                .satisfies(change ->
                        assertThat(change.until()).isEqualTo(clock.instant().plusSeconds(1)));
        clock.advance(Duration.ofSeconds(1));
        for (Node node : List.of(one, other, later, alone)) {
            assertThat(node.limiters.spec("api").shadow()).isFalse();
            assertThat(node.permits("api", 0)).as("has no end").isEqualTo(node == alone ? 2 : 7);
            assertThat(node.changes.changes("api")).hasSize(node == alone ? 0 : 1);
        }
        change(other, 8);
        assertThat(settings.all).as("the ended one is removed").containsOnlyKeys("api/permits/default");
    }

    @Test
    void changeNeedsADurationInRange() {
        Node one = node();
        for (Duration wrong : List.of(Duration.ZERO, Limit.MAX_WINDOW.plusSeconds(1))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> one.changes.change("api", true, null, null, null, wrong, "ann"))
                    .withMessageContaining("duration must be more than 0");
        }
    }

    @Test
    void changesThatANodeFindsAreOneWarningForEachLimiter() {
        Node one = node();
        one.changes.change("api", true, 10L, null, null, HOUR, "ann").join();
        one.changes.block(one.charges(Key.of("bob")), HOUR, "ann").join();
        assertThat(warnings(() -> change(one, 9))).as("one's own").isEmpty();
        assertThat(warnings(() -> {
                    node();
                    clock.advance(Duration.ofSeconds(20));
                }))
                .singleElement()
                .asString()
                .contains("limiter 'api'", "permits/default is 9 since ", "shadow is true since ", " until ")
                .doesNotContain("block");
        one.changes.revert("api").join();
        assertThat(warnings(this::node)).isEmpty();
    }

    private static List<String> warnings(Runnable when) {
        List<String> warnings = new ArrayList<>();
        Logger log = Logger.getLogger(OperatorChanges.class.getName());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                warnings.add(new SimpleFormatter().formatMessage(entry));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        log.addHandler(handler);
        try {
            when.run();
        } finally {
            log.removeHandler(handler);
        }
        return warnings;
    }

    @Test
    void blockNeedsAClientAndADuration() {
        Node one = node();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> one.changes.block(one.charges(Key.of("bob").and(Key.absent())), HOUR, "ann"))
                .withMessage("no client to block: describe every part of the key that a rule counts by");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> one.changes.block(one.charges(Key.of("bob")), Duration.ZERO, "ann"))
                .withMessageContaining("duration must be more than 0");
    }

    @Test
    void closedChangesReadNothingMore() {
        Node one = node();
        one.changes.close();
        assertThat(clock.waiting()).isZero();
    }
}
