package io.github.ratelimit.redis;

import static io.github.ratelimit.contract.StoreContract.costing;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.CalendarWindow;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Store;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.remote.StoreHealth;
import io.github.ratelimit.test.TestClock;
import io.lettuce.core.SetArgs;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the store does to a real server, as the server sees it. */
class RedisStoreTest {

    private static RedisProcess process;
    private static RedisTestBed bed;

    private final TestClock clock = new TestClock();

    @BeforeAll
    static void start() {
        process = RedisProcess.start();
        bed = RedisTestBed.of(process);
    }

    @AfterAll
    static void stop() {
        bed.close();
        process.close();
    }

    @BeforeEach
    void empty() {
        bed.flush();
    }

    private RedisStore.Builder builder() {
        return RedisStore.builder().uri(process.uri()).timeout(ofSeconds(30)).time(clock);
    }

    private static Charge charge(String name, long permits, Duration window, String key) {
        return new Charge("api", Limit.of(name, permits, window), Key.of(key));
    }

    private static List<Charge> one(long permits) {
        return List.of(charge("only", permits, ofMinutes(1), "somebody"));
    }

    /** Compound: a client's burst by address and agent, and the hourly limit by address. */
    private static List<Charge> two(String address) {
        return List.of(
                new Charge(
                        "api",
                        Limit.of("burst", 1000, ofMinutes(1)),
                        Key.of(address).and(Key.of("agent"))),
                charge("hourly", 30_000, ofHours(1), address));
    }

    /** A store that has connected and whose scripts the server knows. */
    private RedisStore warm(RedisStore.Builder builder) {
        RedisStore store = builder.build();
        refund(store, store.tryAcquire(one(5)));
        bed.flush();
        bed.resetCommandCounts();
        return store;
    }

    private static void refund(Store store, Decision decision) {
        store.refundAsync(decision).toCompletableFuture().join();
    }

    @Test
    void decisionOnOneLimitIsOneCallOfTwoCommands() {
        try (RedisStore store = warm(builder())) {
            for (int i = 0; i < 100; i++) {
                store.tryAcquire(one(1000));
            }
            Map<String, Long> counts = bed.commandCounts();
            assertThat(counts)
                    .containsEntry("evalsha", 100L)
                    .containsEntry("pexpiretime", 101L) // once more where the window was opened
                    .containsEntry("set", 1L) // opens the window
                    .containsEntry("incrby", 99L)
                    .containsEntry("time", 100L)
                    .doesNotContainKeys("get", "eval", "del", "pexpire", "pttl");
        }
    }

    @Test
    void decisionOnTwoLimitsIsOneCallAsWell() {
        try (RedisStore store = warm(builder())) {
            for (int i = 0; i < 100; i++) {
                assertThat(store.tryAcquire(two("203.0.113.7")).allowed()).isTrue();
            }
            assertThat(bed.commandCounts())
                    .containsEntry("evalsha", 100L)
                    .containsEntry("pexpiretime", 201L)
                    .containsEntry("set", 2L)
                    .containsEntry("incrby", 198L)
                    .doesNotContainKeys("get", "eval");
        }
    }

    /** Was two calls each, one for each limiter, and refunds beside them. */
    @Test
    void requestThatMeetsThreeLimitersIsOneCallAlsoWhereTheSecondRejects() {
        try (RedisStore store = warm(builder().rememberRejections(Duration.ZERO))) {
            Limiters<String> limiters = Limiters.<String>builder(store)
                    .add(LimiterSpec.of("address", Limit.of("only", 1000, ofMinutes(1)), address -> Key.of(address)))
                    .add(LimiterSpec.of("token", Limit.of("only", 1, ofMinutes(1)), address -> Key.of("token")))
                    .add(LimiterSpec.of("all", Limit.of("only", 1000, ofMinutes(1)), address -> Key.absent()))
                    .build();
            limiters.of(List.of("token")).tryAcquire("198.51.100.7");
            bed.resetCommandCounts();

            for (int i = 0; i < 100; i++) {
                Decision decision = limiters.of(limiters.names()).tryAcquire("198.51.100.7");
                assertThat(decision.allowed()).isFalse();
                assertThat(decision.statuses()).map(LimitStatus::remaining).containsExactly(1000L, 0L, 1000L);
                limiters.refund(decision).toCompletableFuture().join();
            }
            assertThat(bed.scriptCalls()).isEqualTo(100);
            assertThat(bed.keys()).as("the token's alone").hasSize(1);
        }
    }

    @Test
    void refundOfWhatWasNeverTakenAsksNobody() {
        try (RedisStore store = warm(builder())) {
            Decision taken = store.tryAcquire(costing(one(5), 3));
            Decision look = store.tryAcquire(costing(one(5), 0));
            Decision rejected = store.tryAcquire(costing(one(5), 3));
            refund(store, taken);
            bed.resetCommandCounts();

            for (Decision decision : List.of(taken, look, rejected)) {
                refund(store, decision);
            }
            assertThat(bed.scriptCalls()).isZero();
            assertThat(store.tryAcquire(costing(one(5), 0)).statuses().get(0).remaining())
                    .isEqualTo(5);
        }
    }

    @Test
    void refundNeverGoesIntoAnotherWindow() {
        try (Store store = new MovedTime(warm(builder()), bed, clock)) {
            Decision first = store.tryAcquire(costing(one(5), 3));
            clock.advance(ofMinutes(1));
            bed.advance(ofMinutes(1));
            Decision second = store.tryAcquire(costing(one(5), 3));
            refund(store, first);
            assertThat(store.tryAcquire(costing(one(5), 0)).statuses().get(0).remaining())
                    .as("the next window")
                    .isEqualTo(2);

            store.resetAsync(one(5)).toCompletableFuture().join();
            store.tryAcquire(costing(one(5), 3));
            refund(store, second);
            assertThat(store.tryAcquire(costing(one(5), 0)).statuses().get(0).remaining())
                    .as("a window after a reset")
                    .isEqualTo(2);
        }
    }

    @Test
    void refundNeverGoesBelowZeroAndKeepsTheWindow() {
        try (RedisStore store = warm(builder())) {
            Decision decision = store.tryAcquire(costing(one(5), 3));
            bed.server().decrby(bed.keys().get(0), 2); // somebody else's doing
            refund(store, decision);
            LimitStatus status = store.tryAcquire(one(5)).statuses().get(0);
            assertThat(status.remaining()).isEqualTo(4);
            assertThat(status.resetAt()).isEqualTo(decision.statuses().get(0).resetAt());
        }
    }

    @Test
    void lookIsAllowedWhereALimitWasLoweredBelowWhatIsUsed() {
        try (RedisStore store = warm(builder())) {
            store.tryAcquire(costing(one(10), 8));
            for (int i = 0; i < 2; i++) {
                Decision look = store.tryAcquire(costing(one(5), 0));
                assertThat(look.allowed()).isTrue();
                assertThat(look.statuses().get(0).remaining()).isZero();
                assertThat(store.tryAcquire(one(5)).allowed()).isFalse(); // and is known from now on
            }
        }
    }

    @Test
    void limitersOverTheStoreGoByItsClock() {
        try (RedisStore store = warm(builder())) {
            assertThat(store.time()).isSameAs(clock);
        }
    }

    @Test
    void busyKeyIsDecidedByFewCallsAndExactly() throws Exception {
        try (RedisStore store = warm(builder())) {
            List<Decision> decisions = inParallel(64, 100, () -> store.tryAcquire(one(5000)));

            assertThat(decisions).filteredOn(Decision::allowed).hasSize(5000);
            assertThat(decisions)
                    .filteredOn(Decision::allowed)
                    .map(decision -> decision.statuses().get(0).remaining())
                    .doesNotHaveDuplicates();
            assertThat(bed.scriptCalls()).isLessThan(decisions.size() / 4);
        }
    }

    @Test
    void requestsThatComeTogetherTravelTogether() {
        try (RedisStore store = warm(builder())) {
            process.pause();
            List<CompletableFuture<Decision>> decisions = IntStream.range(0, 1000)
                    .mapToObj(i -> store.tryAcquireAsync(one(2000)).toCompletableFuture())
                    .toList();
            process.resume();

            assertThat(decisions)
                    .map(decision -> decision.join().statuses().get(0).remaining())
                    .as("decided in order of arrival")
                    .isEqualTo(IntStream.range(0, 1000).mapToObj(i -> 1999L - i).toList());
            assertThat(bed.scriptCalls()).isLessThan(500);
        }
    }

    @Test
    void rejectionsAfterTheFirstAskNobody() {
        try (RedisStore store = warm(builder())) {
            store.tryAcquire(costing(one(3), 2));
            assertThat(store.tryAcquire(costing(one(3), 2)).allowed()).isFalse();
            bed.resetCommandCounts();

            for (int i = 0; i < 1000; i++) {
                Decision rejected = store.tryAcquire(costing(one(3), 2));
                assertThat(rejected.allowed()).isFalse();
                assertThat(rejected.statuses().get(0).remaining()).isEqualTo(1);
                assertThat(rejected.retryAfter()).isPresent();
            }
            assertThat(bed.scriptCalls()).isZero();
            assertThat(store.statistics().localRejections()).isEqualTo(1000);

            assertThat(store.tryAcquire(one(3)).allowed())
                    .as("a smaller cost still fits")
                    .isTrue();
        }
    }

    @Test
    void lastPermitMakesItsWindowKnownAsUsedUp() {
        try (RedisStore store = warm(builder())) {
            store.tryAcquire(one(1));
            bed.resetCommandCounts();

            assertThat(store.tryAcquire(one(1)).allowed()).isFalse();
            assertThat(bed.scriptCalls()).isZero();
        }
    }

    @Test
    void knownRejectionEndsWithItsWindow() {
        try (RedisStore store = warm(builder())) {
            store.tryAcquire(one(1));
            Duration wait = store.tryAcquire(one(1)).retryAfter().orElseThrow();
            clock.advance(wait);
            bed.advance(wait);

            assertThat(store.tryAcquire(one(1)).allowed()).isTrue();
        }
    }

    @Test
    void knownRejectionIsDroppedByRefundResetAndARaisedLimit() {
        try (RedisStore store = warm(builder())) {
            store.tryAcquire(one(2));
            Decision last = store.tryAcquire(one(2));
            assertThat(store.tryAcquire(one(2)).allowed()).isFalse();
            refund(store, last);
            assertThat(store.tryAcquire(one(2)).allowed()).as("after a refund").isTrue();

            assertThat(store.tryAcquire(one(2)).allowed()).isFalse();
            store.resetAsync(one(2)).toCompletableFuture().join();
            assertThat(store.tryAcquire(costing(one(2), 2)).allowed())
                    .as("after a reset")
                    .isTrue();

            assertThat(store.tryAcquire(one(2)).allowed()).isFalse();
            assertThat(store.tryAcquire(one(3)).allowed())
                    .as("with a raised limit")
                    .isTrue();
        }
    }

    /** B rejected for 59 minutes with one permit free. */
    @Test
    void whatAnotherNodeGivesBackOrResetsIsSeenWithinTheTimeThatRejectionsAreRemembered() {
        try (RedisStore a = warm(builder());
                RedisStore b = warm(builder())) {
            Decision last = a.tryAcquire(one(1));
            assertThat(b.tryAcquire(one(1)).allowed()).isFalse();
            refund(a, last);
            assertThat(b.tryAcquire(one(1)).allowed()).as("remembered").isFalse();
            clock.advance(ofSeconds(1));
            assertThat(b.tryAcquire(one(1)).allowed()).isTrue();

            assertThat(a.tryAcquire(one(1)).allowed()).isFalse();
            b.resetAsync(one(1)).toCompletableFuture().join();
            clock.advance(ofSeconds(1));
            assertThat(a.tryAcquire(one(1)).allowed()).isTrue();
        }
    }

    @Test
    void rejectionsThatAreNotToBeRememberedAskEachTime() {
        try (RedisStore store = warm(builder().rememberRejections(Duration.ZERO))) {
            for (int i = 0; i < 10; i++) {
                assertThat(store.tryAcquire(one(1)).allowed()).isEqualTo(i == 0);
            }
            assertThat(bed.scriptCalls()).isEqualTo(10);
        }
    }

    @Test
    void rejectedCompoundDecisionSaysWhereTheOtherLimitStandsNow() {
        Charge shared = charge("shared", 10, ofHours(1), "everybody");
        Charge a = charge("own", 1, ofMinutes(1), "a");
        Charge b = charge("own", 5, ofMinutes(1), "b");
        try (RedisStore store = warm(builder())) {
            store.tryAcquire(List.of(a, shared));
            assertThat(store.tryAcquire(List.of(a, shared)).allowed()).isFalse();
            store.tryAcquire(costing(List.of(b, shared), 3));

            Decision rejected = store.tryAcquire(List.of(a, shared));
            assertThat(rejected.allowed()).isFalse();
            assertThat(rejected.statuses().get(1).remaining()).isEqualTo(6);
        }
    }

    @Test
    void scriptsThatAreFlushedUnderLoadGrantNothingTwice() throws Exception {
        try (RedisStore store = warm(builder().rememberRejections(Duration.ZERO))) {
            AtomicBoolean done = new AtomicBoolean();
            Thread flusher = new Thread(() -> {
                while (!done.get()) {
                    bed.server().scriptFlush();
                }
            });
            flusher.start();
            try {
                List<Decision> decisions = inParallel(16, 200, () -> store.tryAcquire(one(1000)));
                assertThat(decisions.stream().filter(Decision::allowed)).hasSize(1000);
            } finally {
                done.set(true);
                flusher.join();
            }
        }
    }

    @Test
    void serverThatForgetsTheScriptsIsToldThemInTheSameCall() {
        try (RedisStore store = warm(builder())) {
            for (int i = 0; i < 3; i++) {
                bed.server().scriptFlush();
                Decision decision = store.tryAcquire(one(10));
                assertThat(decision.statuses().get(0).remaining()).isEqualTo(9 - 2 * i);
                bed.server().scriptFlush();
                refund(store, decision);
                store.tryAcquire(costing(one(10), 2));
            }
            assertThat(store.statistics().failedCalls()).isZero();
        }
    }

    @Test
    void keyWithoutExpiryIsHealed() {
        try (RedisStore store = warm(builder())) {
            store.tryAcquire(one(10));
            bed.server().persist(bed.keys().get(0));
            assertThat(bed.keysWithoutExpiry()).isEqualTo(1);

            Decision decision = store.tryAcquire(one(10));
            assertThat(decision.statuses().get(0).remaining()).isEqualTo(8);
            assertThat(decision.statuses().get(0).resetAfter()).isBetween(ofSeconds(10), ofMinutes(1));
            assertThat(bed.keysWithoutExpiry()).isZero();

            bed.server().persist(bed.keys().get(0));
            assertThat(store.tryAcquire(costing(one(10), 9)).allowed())
                    .as("a rejection")
                    .isFalse();
            assertThat(bed.keysWithoutExpiry()).isZero();

            bed.server().persist(bed.keys().get(0));
            assertThat(store.tryAcquire(costing(one(10), 0)).allowed())
                    .as("a look")
                    .isTrue();
            assertThat(bed.keysWithoutExpiry()).isZero();
        }
    }

    /** Of the fixed window the count was kept, and of the others it began anew. */
    @ParameterizedTest
    @MethodSource("everyShape")
    void counterThatSomebodyMadePersistCountsAsJustUsed(Limit limit) {
        List<Charge> charges = List.of(new Charge("api", limit, Key.of("ann"), limit.permits()));
        try (RedisStore store = warm(builder().rememberRejections(Duration.ZERO))) {
            assertThat(store.tryAcquire(charges).allowed()).isTrue();
            bed.server().persist(bed.keys().get(0));
            assertThat(store.tryAcquire(costing(charges, 1)).allowed()).isFalse();
            assertThat(bed.keysWithoutExpiry()).isZero();
        }
    }

    static List<Limit> everyShape() {
        return List.of(
                Limit.of("fixed", 10, ofHours(1)),
                Limit.of("bucket", 10, ofHours(1)).bucket(),
                Limit.of("sliding", 10, ofHours(1)).sliding(),
                Limit.of("blocking", 10, ofHours(1)).blocking(ofHours(2)),
                Limit.daily("daily", 10, ZoneOffset.UTC),
                Limit.monthly("monthly", 10, ZoneOffset.UTC));
    }

    /** It took a second call, as the server did not know that shape's script. */
    @ParameterizedTest
    @MethodSource("everyShape")
    void firstDecisionOfEachShapeIsOneCall(Limit limit) {
        try (RedisStore store = builder().build()) {
            bed.resetCommandCounts();
            assertThat(store.tryAcquire(List.of(new Charge("api", limit, Key.of("ann"))))
                            .allowed())
                    .isTrue();
            assertThat(bed.commandCounts()).containsEntry("evalsha", 1L).doesNotContainKey("eval");
        }
    }

    /** By the calendar of the moment before or after the decision: midnight may be between them. */
    @ParameterizedTest
    @EnumSource(CalendarWindow.Unit.class)
    void windowOfTheCalendarEndsAsTheNodeSays(CalendarWindow.Unit unit) {
        CalendarWindow window =
                CalendarWindow.of(unit, ZoneId.of("Europe/Berlin")).from(LocalDate.of(2026, 1, 31));
        try (RedisStore store = warm(builder())) {
            Instant before = window.endOf(Instant.now());
            Decision decision =
                    store.tryAcquire(List.of(new Charge("api", Limit.calendar("quota", 1, window), Key.of("ann"))));
            assertThat(decision.statuses().get(0).resetAt()).isIn(before, window.endOf(Instant.now()));
        }
    }

    /** It failed 180 decisions of other clients, which were charged all the same. */
    @Test
    void counterBelowZeroFailsItsOwnDecisionsAlone() {
        try (RedisStore store = warm(builder())) {
            store.tryAcquire(one(1000));
            bed.server().set(bed.keys().get(0), "-5", SetArgs.Builder.keepttl());
            for (int round = 0; round < 20; round++) {
                List<CompletableFuture<Decision>> decisions = new ArrayList<>();
                for (int i = 0; i < 40; i++) {
                    decisions.add(store.tryAcquireAsync(
                            i == 3 ? one(1000) : List.of(charge("only", 1000, ofMinutes(1), "client-" + i))));
                }
                for (int i = 0; i < 40; i++) {
                    if (i == 3) {
                        assertThat(decisions.get(i)).failsWithin(ofSeconds(45));
                    } else {
                        assertThat(decisions.get(i)).succeedsWithin(ofSeconds(45));
                    }
                }
            }
            assertThat(store.tryAcquire(List.of(charge("only", 1000, ofMinutes(1), "client-0")))
                            .statuses()
                            .get(0)
                            .remaining())
                    .isEqualTo(1000 - 21);
        }
    }

    @Test
    void keyOfAnotherTypeFailsItsOwnDecisionAloneAndTakesNothing() {
        try (RedisStore store = warm(builder())) {
            List<Charge> both = two("203.0.113.7");
            store.tryAcquire(both);
            String key = TestKeys.key(both.get(1));
            bed.server().del(key);
            bed.server().lpush(key, "no counter");

            CompletableFuture<Decision> good = store.tryAcquireAsync(one(5)).toCompletableFuture();
            assertThatThrownBy(() -> store.tryAcquire(costing(both, 5)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("WRONGTYPE");
            assertThatThrownBy(() -> store.tryAcquire(costing(both, 0)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("WRONGTYPE");
            assertThat(good.join().allowed()).isTrue();

            bed.server().del(key);
            assertThat(store.tryAcquire(costing(both, 0)).statuses().get(0).remaining())
                    .isEqualTo(999);
            assertThat(store.health().state()).isEqualTo(StoreHealth.State.UP);
        }
    }

    @Test
    void keysAreShortDigestsUnderThePrefix() {
        String text = "{x}\r\n* " + "long ".repeat(1000);
        List<Charge> charges = List.of(
                new Charge("api", Limit.of("one", 5, ofMinutes(1)), Key.of(text).and(Key.of("agent"))),
                new Charge("api", Limit.of("two", 5, ofMinutes(1)), Key.of(text)));
        try (RedisStore plain = warm(builder());
                RedisStore keyed = warm(builder().secret("0123456789abcdef".getBytes(US_ASCII)))) {
            plain.tryAcquire(charges);
            List<String> keys = bed.keys();
            assertThat(keys)
                    .hasSize(2)
                    .allMatch(key -> key.matches("rl:1:\\{[A-Za-z0-9_-]{11}}[A-Za-z0-9_-]{22}"))
                    .allMatch(key -> key.length() <= 64);
            assertThat(keys.stream().map(key -> key.substring(0, 18)).distinct())
                    .as("one tag")
                    .hasSize(1);

            keyed.tryAcquire(charges);
            assertThat(bed.keys()).hasSize(4);
        }
    }

    @Test
    void nodesNameTheirCountersAlike() {
        try (RedisStore first = warm(builder());
                RedisStore second = warm(builder())) {
            first.tryAcquire(costing(one(10), 3));
            assertThat(second.tryAcquire(costing(one(10), 3)).statuses().get(0).remaining())
                    .isEqualTo(4);
        }
    }

    @Test
    void storesWithDifferentPrefixesShareNothing() {
        try (RedisStore first = warm(builder());
                RedisStore second = warm(builder().keyPrefix("shop:rl:1:"))) {
            first.tryAcquire(costing(one(10), 3));
            assertThat(second.tryAcquire(costing(one(10), 3)).statuses().get(0).remaining())
                    .isEqualTo(7);
        }
    }

    @Test
    void tooManyWaitingRequestsFailAtOnce() {
        try (RedisStore store = warm(builder().maximumPending(10))) {
            process.pause();
            List<CompletableFuture<Decision>> answers = IntStream.range(0, 20)
                    .mapToObj(i -> store.tryAcquireAsync(one(100)).toCompletableFuture())
                    .toList();
            RedisProcess.await(
                    "those beyond fail",
                    () -> answers.stream()
                                    .filter(CompletableFuture::isCompletedExceptionally)
                                    .count()
                            == 10);
            process.resume();
            assertThat(answers.stream()
                            .filter(answer -> !answer.isCompletedExceptionally())
                            .map(CompletableFuture::join))
                    .allMatch(Decision::allowed);
            assertThat(store.statistics().pending()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "with space",
                "tag{x}",
                "umlaut-ü",
                "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
            })
    void prefixThatIsNoneIsRejected(String prefix) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisStore.builder().keyPrefix(prefix))
                .withMessageContaining("key prefix must be up to 64 printable ASCII characters");
    }

    @Test
    void impossibleSettingsAreRejectedWithAReason() {
        RedisStore.Builder builder = RedisStore.builder();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.timeout(Duration.ZERO))
                .withMessageContaining("timeout must be 1ms to 1m, was 0s");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.secret(new byte[15]))
                .withMessageContaining("secret must be 16 bytes or more, was 15");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.rememberRejections(Duration.ofMillis(-1)))
                .withMessageContaining("rememberRejections must be 0 or more, was -1ms");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maximumPending(0))
                .withMessageContaining("maximumPending must be 1 or more, was 0");
        assertThatIllegalArgumentException().isThrownBy(() -> RedisStore.create("http://localhost"));
    }

    private static <T> List<T> inParallel(int threads, int callsEach, Callable<T> call) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<T>> calls = new ArrayList<>();
            for (int i = 0; i < threads * callsEach; i++) {
                calls.add(call);
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : executor.invokeAll(calls)) {
                results.add(future.get());
            }
            return results;
        } finally {
            executor.shutdownNow();
        }
    }

    /** 2 for 1: the hour was charged before the ends of the day were looked at. */
    @Test
    void nodeWhoseCalendarIsDaysBehindChargesNoLimitTwice() {
        List<Charge> both = List.of(
                charge("hourly", 100, ofHours(1), "somebody"),
                new Charge("api", Limit.daily("daily", 100, ZoneOffset.UTC), Key.of("somebody")));
        try (RedisStore store = builder().build()) {
            for (int i = 1; i <= 3; i++) {
                clock.setCalendar(bed.time());
                store.tryAcquire(one(100)); // tells the node the server's time
                bed.server().del(TestKeys.key(both.get(1)));
                clock.setCalendar(bed.time().minus(Duration.ofDays(3)));
                Decision decision = store.tryAcquire(both);
                assertThat(decision.statuses().get(0).remaining()).isEqualTo(100 - i);
                assertThat(decision.statuses().get(1).remaining()).isEqualTo(99);
            }
        }
    }

    /** The window after a reset ends when the one before would have. */
    @Test
    void refundFromBeforeAResetTouchesNoLaterWindowOfTheCalendar() {
        List<Charge> month =
                List.of(new Charge("api", Limit.monthly("month", 100, ZoneOffset.UTC), Key.of("somebody"), 10));
        try (RedisStore store = builder().build()) {
            Decision before = store.tryAcquire(month);
            store.resetAsync(month).join();
            Decision after = store.tryAcquire(month);
            Decision later = store.tryAcquire(month);
            refund(store, before);
            assertThat(store.tryAcquire(costing(month, 0)).statuses().get(0).remaining())
                    .isEqualTo(80);
            refund(store, later);
            refund(store, after);
            assertThat(store.tryAcquire(costing(month, 0)).statuses().get(0).remaining())
                    .isEqualTo(100);
        }
    }

    static List<Limit> limitsOfEachShape() {
        return List.of(
                Limit.of("only", 2, ofMinutes(1)),
                Limit.of("only", 2, ofMinutes(1)).bucket(2),
                Limit.of("only", 2, ofMinutes(1)).sliding(),
                Limit.of("only", 2, ofMinutes(1)).blocking(ofMinutes(1)),
                Limit.of("only", 2, ofHours(1)).blocking(ofMinutes(1)),
                Limit.daily("only", 2, ZoneOffset.UTC),
                Limit.concurrent("only", 2, ofMinutes(1)));
    }

    /** By three days: so much later each key expires. */
    @ParameterizedTest
    @MethodSource("limitsOfEachShape")
    void noWindowHasMoreLeftThanItsLengthWhereTheServersClockIsSetBack(Limit limit) {
        List<Charge> charges = List.of(new Charge("api", limit, Key.of("somebody")));
        Duration longest = limit.shape().calendar() == null ? ofMinutes(2) : Duration.ofDays(1);
        try (RedisStore store = RedisStore.builder()
                .uri(process.uri())
                .rememberRejections(Duration.ZERO)
                .timeout(ofSeconds(30))
                .build()) {
            for (int i = 0; i < 3; i++) {
                assertThat(store.tryAcquire(charges).allowed()).isEqualTo(i < 2);
            }
            bed.advance(Duration.ofDays(-3));
            Decision rejected = store.tryAcquire(charges);
            LimitStatus status = rejected.statuses().get(0);
            assertThat(rejected.allowed()).isFalse();
            assertThat(status.resetAfter()).isLessThanOrEqualTo(longest);
            assertThat(status.retryAfter().orElseThrow()).isLessThanOrEqualTo(status.resetAfter());
            bed.advance(status.resetAfter());
            assertThat(store.tryAcquire(charges).allowed()).isTrue();
        }
    }

    @Test
    void ticketsAreASortedSetThatExpiresWithTheLastOne() {
        Charge jobs = new Charge("api", Limit.concurrent("jobs", 5, ofMinutes(1)), Key.of("somebody"), 2);
        String key = TestKeys.key(jobs);
        try (RedisStore store = builder().build()) {
            Decision first = store.tryAcquire(List.of(jobs));
            Decision second = store.tryAcquire(List.of(jobs));
            assertThat(bed.server().zcard(key)).isEqualTo(4);
            bed.advance(ofSeconds(40));
            assertThat(store.renewAsync(second).join()).isTrue();
            assertThat(bed.server().pttl(key)).isBetween(50_000L, 60_000L);
            bed.advance(ofSeconds(20));
            assertThat(store.renewAsync(first).join()).as("after its lease").isFalse();
            bed.server().persist(key);
            Decision third = store.tryAcquire(List.of(jobs));
            assertThat(third.statuses().get(0).remaining()).isEqualTo(1);
            assertThat(bed.keysWithoutExpiry()).isZero();
            refund(store, first);
            refund(store, second);
            store.settleAsync(third, charge -> 1).join();
            assertThat(store.tryAcquire(List.of(jobs.withCost(0)))
                            .statuses()
                            .get(0)
                            .remaining())
                    .as("another cost leaves a ticket as it is")
                    .isEqualTo(3);
            store.resetAsync(List.of(jobs)).join();
            assertThat(store.renewAsync(third).join()).isFalse();
            assertThat(bed.keys()).isEmpty();

            bed.server().set(key, "5", SetArgs.Builder.ex(60));
            assertThatThrownBy(() -> store.tryAcquire(List.of(jobs))).hasMessageContaining("WRONGTYPE");
        }
    }
}
