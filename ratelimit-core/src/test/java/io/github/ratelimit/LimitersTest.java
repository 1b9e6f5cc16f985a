package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.TestStores.Failing;
import io.github.ratelimit.TestStores.Recording;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** What a request meets is one decision: several limiters, rules that do not apply, plans, shadows, a store that is away, refunds. */
class LimitersTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final TestClock clock = new TestClock();
    private final Recording store = new Recording(InProcessStore.create(clock));
    private final Recording fallback = new Recording(InProcessStore.create(clock));
    private final List<String> heard = new ArrayList<>();

    private final DecisionListener listener = new DecisionListener() {
        @Override
        public void onDecision(String limiter, Decision decision, boolean shadow, long nanos) {
            heard.add(limiter + (decision.allowed() ? " allowed" : " rejected") + (shadow ? ", shadow" : ""));
        }

        @Override
        public void onStoreFailure(String limiter, StoreException cause) {
            heard.add(limiter + " failed");
        }

        @Override
        public void onSettlement(String limiter, Decision part, long actual) {
            Charge charge = part.charges().get(0);
            heard.add("%s of %s took %d, settled by %d"
                    .formatted(limiter, charge.key().firstPresent().orElse("nobody"), charge.cost(), actual));
        }
    };

    private static LimiterSpec<String> spec(String name, long permits) {
        return LimiterSpec.of(name, Limit.of("of-" + name, permits, MINUTE), Key::of);
    }

    @SafeVarargs
    private Limiters<String> limiters(Store store, LimiterSpec<String>... specs) {
        Limiters.Builder<String> builder =
                Limiters.<String>builder(store).fallback(fallback).listener(listener);
        for (LimiterSpec<String> spec : specs) {
            builder.add(spec);
        }
        return builder.build();
    }

    private static <T> T now(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static Map<String, Long> remaining(Decision decision) {
        Map<String, Long> remaining = new TreeMap<>();
        decision.statuses().forEach(status -> remaining.put(status.limiter(), status.remaining()));
        return remaining;
    }

    // ---- several limiters

    @Test
    void severalLimitersAreOneQuestionToTheStore() {
        Limiters<String> limiters = limiters(store, spec("a", 5), spec("b", 2), spec("c", 9));
        Decision decision = limiters.of(List.of("a", "b", "a")).tryAcquire("ann");
        assertThat(store.asked).hasSize(1);
        assertThat(store.asked.get(0)).extracting(Charge::limiter).containsExactly("a", "b");
        assertThat(decision.charges()).isEqualTo(store.asked.get(0));
        assertThat(remaining(decision)).isEqualTo(Map.of("a", 4L, "b", 1L));
        now(limiters.of(List.of("b", "c")).tryAcquireAsync("ann"));
        assertThat(store.asked).hasSize(2);
        assertThat(store.asked.get(1)).extracting(Charge::limiter).containsExactly("b", "c");
    }

    @Test
    void rejectionByOneTakesNothingFromTheOthers() {
        Limiters<String> limiters = limiters(store, spec("a", 5), spec("b", 1));
        assertThat(limiters.of(List.of("a", "b")).tryAcquire("ann").allowed()).isTrue();
        for (int i = 0; i < 10; i++) {
            assertThat(limiters.of(List.of("a", "b")).tryAcquire("ann").allowed())
                    .isFalse();
            assertThat(now(limiters.of(List.of("b", "a")).tryAcquireAsync("ann"))
                            .allowed())
                    .isFalse();
        }
        assertThat(remaining(limiters.of(List.of("a", "b")).tryAcquire("ann", 0)))
                .isEqualTo(Map.of("a", 4L, "b", 0L));
        assertThat(store.refunded).as("nothing is made good afterwards").isEmpty();
    }

    /** The row "several limiters, before and after sign-in": whatever the paths, the shared budget is granted once. */
    @Test
    void limiterThatSeveralPathsShareGrantsItsBudgetOnce() {
        Limiters<String> limiters = limiters(store, spec("shared", 10), spec("search", 3), spec("list", 4));
        int allowed = 0;
        for (int i = 0; i < 100; i++) {
            String path = i % 2 == 0 ? "search" : "list";
            allowed += limiters.of(List.of("shared", path)).tryAcquire("ann").allowed() ? 1 : 0;
            allowed += i % 10 == 9
                            && limiters.of(List.of("shared")).tryAcquire("ann").allowed()
                    ? 1
                    : 0;
        }
        assertThat(allowed).isEqualTo(10);
    }

    @Test
    void eachLimiterHearsOfItsDecisionOnce() {
        Limiters<String> limiters = limiters(store, spec("a", 5), spec("b", 1));
        limiters.of(List.of("a", "b")).tryAcquire("ann");
        now(limiters.of(List.of("a", "b")).tryAcquireAsync("ann"));
        assertThat(heard).containsExactly("a allowed", "b allowed", "a rejected", "b rejected");
    }

    @Test
    void whereNoLimiterIsNamedTheRequestGoesOn() {
        Decision decision = limiters(store, spec("a", 5)).of(List.of()).tryAcquire("ann");
        assertThat(decision).isSameAs(Decision.unlimited());
        assertThat(decision.allowed()).isTrue();
        assertThat(store.asked).isEmpty();
    }

    @Test
    void costZeroIsAllowedThoughTheLimitWasLoweredBelowWhatIsUsed() {
        limiters(store, spec("a", 5)).of(List.of("a")).tryAcquire("ann", 5);
        Decision look = limiters(store, spec("a", 2)).of(List.of("a")).tryAcquire("ann", 0);
        assertThat(look.allowed()).isTrue();
        assertThat(look.statuses().get(0).exceeded()).isFalse();
        assertThat(remaining(look)).isEqualTo(Map.of("a", 0L));
    }

    // ---- rules that do not apply, plans

    private static LimiterSpec<String> unlessFree(String name, long permits) {
        Rule<String> own = Rule.of(Limit.of("own", permits, MINUTE), Key::of);
        Rule<String> all = Rule.of(Limit.of("all", 100, MINUTE), KeyResolver.everybody());
        return LimiterSpec.of(
                name,
                own.unless(request -> request.startsWith("free")),
                all.unless(request -> request.equals("free-of-all")));
    }

    @Test
    void ruleThatDoesNotApplyTakesNoPart() {
        Limiters<String> limiters = limiters(store, unlessFree("a", 1), spec("b", 1));
        assertThat(limiters.get("a").tryAcquire("ann").statuses())
                .extracting(status -> status.limit().name())
                .containsExactly("own", "all");
        for (int i = 0; i < 3; i++) {
            assertThat(limiters.get("a").tryAcquire("free").statuses())
                    .extracting(status -> status.limit().name())
                    .containsExactly("all");
        }
        heard.clear();
        store.asked.clear();

        Decision none = limiters.get("a").tryAcquire("free-of-all");
        assertThat(none.allowed()).isTrue();
        assertThat(none.source()).isEqualTo(Decision.Source.NONE);
        assertThat(none.statuses()).isEmpty();
        assertThat(now(limiters.get("a").tryAcquireAsync("free-of-all"))).isSameAs(Decision.unlimited());
        assertThat(store.asked).isEmpty();
        assertThat(heard).as("no metric either").isEmpty();

        assertThat(limiters.of(List.of("a", "b")).tryAcquire("free-of-all").charges())
                .extracting(Charge::limiter)
                .containsExactly("b");
        assertThat(heard).containsExactly("b allowed");
    }

    private static Rule<String> byPlan() {
        return Rule.byPlan(
                "calls",
                MINUTE,
                Map.of("pro", 50L, "free", 3L, "team", 20L),
                request -> request.contains(":") ? Key.of(request.substring(0, request.indexOf(':'))) : Key.absent(),
                caller());
    }

    private static KeyResolver<String> caller() {
        return request -> Key.of(request.substring(request.indexOf(':') + 1));
    }

    @Test
    void planSaysHowMuchAndWhoHasNoneHasTheSmallest() {
        for (Map.Entry<String, Long> each : Map.of(
                        "pro:x", 50L, "free:x", 3L, "team:x", 20L, "gold:x", 3L, "x", 3L, ":x", 3L)
                .entrySet()) {
            assertThat(byPlan().limit(each.getKey()))
                    .as(each.getKey())
                    .contains(Limit.of("calls", each.getValue(), MINUTE));
        }
        assertThat(byPlan().limits()).extracting(Limit::permits).containsExactlyInAnyOrder(50L, 3L, 20L);
        assertThat(byPlan().unless(request -> true).limits()).hasSize(3);
        assertThat(byPlan().afterAuthentication().limits()).hasSize(3);
        assertThat(byPlan().phase()).isEqualTo(Phase.BEFORE_AUTHENTICATION);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Rule.<String>byPlan("calls", MINUTE, Map.of(), Key::of, Key::of))
                .withMessage("limit 'calls': plans must not be empty; give permits by plan");
    }

    @Test
    void namesOfPlansAreComparedWithoutLetterCaseAndBlanks() {
        for (String plan : List.of("pro", "PRO", " Pro ", "pro ")) {
            Rule<String> rule =
                    Rule.byPlan("calls", MINUTE, Map.of("Pro ", 50L, "free", 3L), call -> Key.of(plan), Key::of);
            assertThat(rule.limit("ann")).as(plan).map(Limit::permits).contains(50L);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Rule.<String>byPlan("calls", MINUTE, Map.of("pro", 1L, "PRO", 2L), Key::of, Key::of))
                .withMessageStartingWith("limit 'calls': two plans are called ");
    }

    @Test
    void planIsTheFirstPartOfItsKeyThatIsPresent() {
        Map<Key, Long> permits = Map.of(
                Key.of("pro"), 50L,
                Key.of("pro").and(Key.of("team")), 50L,
                Key.absent().and(Key.of("team")), 20L,
                Key.absent().and(Key.absent()).and(Key.of("pro")), 50L,
                Key.absent().and(Key.absent()), 3L);
        permits.forEach((plan, expected) -> {
            Rule<String> rule =
                    Rule.byPlan("calls", MINUTE, Map.of("pro", 50L, "free", 3L, "team", 20L), call -> plan, Key::of);
            assertThat(rule.limit("x")).contains(Limit.of("calls", expected, MINUTE));
        });
    }

    @Test
    void changedPlanAppliesToTheCountThatIsThere() {
        Limiter<String> limiter =
                limiters(store, new LimiterSpec<>("api", List.of(byPlan()))).get("api");
        assertThat(limiter.tryAcquire("team:ann", 18).allowed()).isTrue();
        assertThat(limiter.tryAcquire("team:ann", 3).allowed()).isFalse();
        Decision upgraded = limiter.tryAcquire("pro:ann", 30);
        assertThat(upgraded.allowed()).isTrue();
        assertThat(remaining(upgraded)).isEqualTo(Map.of("api", 2L));
        Decision lowered = limiter.tryAcquire("free:ann", 1);
        assertThat(lowered.allowed()).isFalse();
        assertThat(remaining(lowered)).isEqualTo(Map.of("api", 0L));
        assertThat(lowered.retryAfter()).contains(MINUTE);
    }

    // ---- a store that is away

    private static LimiterSpec<String> on(OnStoreFailure policy, long permits) {
        return spec(policy.name(), permits).withOnStoreFailure(policy);
    }

    @Test
    void withoutAStoreEachLimiterHasItsSayInOneDecision() {
        Failing away = new Failing(clock);
        Limiters<String> limiters =
                limiters(away, on(OnStoreFailure.LOCAL, 2), on(OnStoreFailure.ALLOW, 1), on(OnStoreFailure.REJECT, 9));

        Decision local = limiters.of(List.of("LOCAL", "ALLOW")).tryAcquire("ann");
        assertThat(local.source()).isEqualTo(Decision.Source.LOCAL);
        assertThat(remaining(local)).isEqualTo(Map.of("LOCAL", 1L));
        assertThat(heard).containsExactly("LOCAL failed", "ALLOW failed", "LOCAL allowed", "ALLOW allowed");

        Decision rejected = limiters.of(List.of("LOCAL", "ALLOW", "REJECT")).tryAcquire("ann");
        assertThat(rejected.allowed()).isFalse();
        assertThat(rejected.source()).isEqualTo(Decision.Source.NONE);
        assertThat(now(limiters.of(List.of("REJECT", "LOCAL")).tryAcquireAsync("ann"))
                        .allowed())
                .isFalse();
        assertThat(remaining(limiters.of(List.of("LOCAL", "ALLOW")).tryAcquire("ann", 0)))
                .as("a rejection took nothing from the fallback")
                .isEqualTo(Map.of("LOCAL", 1L));
        assertThat(fallback.asked).hasSize(2);

        Decision allowed = limiters.of(List.of("ALLOW")).tryAcquire("ann", 7);
        assertThat(allowed.allowed()).isTrue();
        assertThat(allowed.statuses()).isEmpty();
    }

    // ---- refunds and resets

    /** The row "refund after a fallback's decision": 10 grants of a window of 1. */
    @Test
    void whatTheFallbackTookGoesBackToTheFallback() {
        Failing flaky = new Failing(clock);
        Limiters<String> limiters = limiters(flaky, spec("a", 1));
        Limiter<String> limiter = limiters.get("a");
        int granted = 0;
        for (int i = 0; i < 10; i++) {
            flaky.away = true;
            Decision local = limiter.tryAcquire("ann");
            assertThat(local.source()).isEqualTo(Decision.Source.LOCAL);
            assertThat(local.allowed())
                    .as("the fallback got it back, time %d", i)
                    .isTrue();
            flaky.away = false;
            now(limiter.refund(local));
            granted += limiter.tryAcquire("ann").allowed() ? 1 : 0;
        }
        assertThat(granted).as("by the store, of its one permit").isEqualTo(1);
        assertThat(fallback.refunded).hasSize(10);
    }

    @Test
    void decisionIsGivenBackOnceHoweverOften() {
        Limiters<String> limiters = limiters(store, spec("a", 9), spec("b", 9));
        limiters.of(List.of("a", "b")).tryAcquire("ann", 4);
        Decision decision = limiters.of(List.of("a", "b")).tryAcquire("ann", 3);
        for (int i = 0; i < 3; i++) {
            now(limiters.refund(decision));
            now(limiters.get("a").refund(decision));
        }
        assertThat(remaining(limiters.of(List.of("a", "b")).tryAcquire("ann", 0)))
                .isEqualTo(Map.of("a", 5L, "b", 5L));
    }

    @Test
    void eachLimiterOfADecisionIsSettledOnceByItsName() {
        Limiters<String> limiters = limiters(store, spec("requests", 100), spec("tokens", 1_000));
        Limiter<String> both = limiters.of("requests", "tokens");
        Decision decision = both.tryAcquire("ann", name -> name.equals("tokens") ? 500 : 1);

        now(limiters.settle(decision, "tokens", 730));
        now(limiters.settle(decision, "tokens", 0));
        assertThat(remaining(both.look("ann"))).isEqualTo(Map.of("requests", 99L, "tokens", 270L));

        now(limiters.get("requests").settle(decision, 3));
        assertThat(remaining(both.look("ann"))).isEqualTo(Map.of("requests", 97L, "tokens", 270L));

        now(limiters.refund(decision));
        assertThat(remaining(both.look("ann"))).isEqualTo(Map.of("requests", 97L, "tokens", 270L));
    }

    /** So an application can write down who used how much of which limit. */
    @Test
    void settlementIsToldWithTheLimitersPartOfTheDecision() {
        Limiters<String> limiters = limiters(
                store,
                spec("requests", 100),
                spec("tokens", 1_000),
                spec("shadow", 5).withShadow(true));
        Decision decision =
                limiters.of("requests", "tokens", "shadow").tryAcquire("ann", name -> name.equals("tokens") ? 500 : 1);
        heard.clear();

        now(limiters.settle(decision, "tokens", 730));
        now(limiters.settle(decision, "tokens", 0));
        now(limiters.refund(decision));

        assertThat(heard)
                .containsExactlyInAnyOrder(
                        "tokens of ann took 500, settled by 730",
                        "requests of ann took 1, settled by 0",
                        "shadow of ann took 1, settled by 0");
    }

    @Test
    void refundGivesBackWhatIsNotSettledYet() {
        Limiters<String> limiters = limiters(store, spec("requests", 100), spec("tokens", 1_000));
        Limiter<String> both = limiters.of("requests", "tokens");
        Decision decision = both.tryAcquire("ann", name -> 10);

        now(limiters.settle(decision, "tokens", 30));
        now(limiters.refund(decision));

        assertThat(remaining(both.look("ann"))).isEqualTo(Map.of("requests", 100L, "tokens", 970L));
    }

    @Test
    void settlementOfAnUnknownLimiterOrOfAUnionIsRejectedAndLeavesTheDecisionAsItWas() {
        Limiters<String> limiters = limiters(store, spec("requests", 100), spec("tokens", 1_000));
        Limiter<String> both = limiters.of("requests", "tokens");
        Decision decision = both.tryAcquire("bob", name -> name.equals("tokens") ? 500 : 1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiters.settle(decision, "tokenz", 700))
                .withMessage("no such limiter: 'tokenz'; known: requests, tokens");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> both.settle(decision, 730))
                .withMessageContaining("settle each by its name");

        now(limiters.settle(decision, "tokens", 700));
        assertThat(remaining(both.look("bob"))).isEqualTo(Map.of("requests", 99L, "tokens", 300L));
    }

    @Test
    void refundAndResetThatFailedCanBeRepeated() {
        Failing flaky = new Failing(clock);
        Limiter<String> limiter = limiters(flaky, spec("a", 5)).get("a");
        flaky.away = false;
        Decision decision = limiter.tryAcquire("ann", 3);
        flaky.away = true;
        assertThat(limiter.refund(decision)).isCompletedExceptionally();
        assertThat(limiter.refund(decision)).isCompletedExceptionally();
        assertThat(limiter.reset("ann")).isCompletedExceptionally();
        flaky.away = false;
        now(limiter.refund(decision));
        now(limiter.refund(decision));
        assertThat(remaining(limiter.tryAcquire("ann", 0))).isEqualTo(Map.of("a", 5L));
    }

    @Test
    void resetOfAStoreThatThrowsFailsItsStage() {
        Limiter<String> limiter = limiters(
                        new Failing(clock) {
                            @Override
                            public CompletableFuture<Void> resetAsync(List<Charge> charges) {
                                throw new StoreException("away", null);
                            }
                        },
                        spec("a", 5))
                .get("a");
        assertThat(limiter.reset("ann")).isCompletedExceptionally();
    }

    @Test
    void rejectedAndUnaskedDecisionsGiveNothingBack() {
        Limiters<String> limiters = limiters(store, unlessFree("a", 4), on(OnStoreFailure.ALLOW, 1));
        limiters.get("a").tryAcquire("ann", 3);
        now(limiters.refund(limiters.get("a").tryAcquire("ann", 2)));
        now(limiters.refund(limiters.get("a").tryAcquire("ann", 0)));
        now(limiters.refund(limiters.get("a").tryAcquire("free-of-all", 3)));
        now(limiters.refund(Decision.withoutStore(true)));
        now(limiters.refund(Decision.unlimited()));
        assertThat(limiters.get("a").tryAcquire("ann", 0).statuses())
                .extracting(LimitStatus::remaining)
                .containsExactly(1L, 97L);
    }

    @Test
    void nothingIsGivenBackToALaterWindow() {
        Limiter<String> limiter = limiters(store, spec("a", 5)).get("a");
        Decision old = limiter.tryAcquire("ann", 4);
        clock.advance(MINUTE);
        limiter.tryAcquire("ann", 3);
        now(limiter.refund(old));
        assertThat(remaining(limiter.tryAcquire("ann", 0))).isEqualTo(Map.of("a", 2L));
        now(limiter.refund(old));
        assertThat(remaining(limiter.tryAcquire("ann", 0))).isEqualTo(Map.of("a", 2L));

        Decision beforeReset = limiter.tryAcquire("ann", 2);
        now(limiter.reset("ann"));
        limiter.tryAcquire("ann", 5); // begins and ends at the same moments as the one that was reset
        now(limiter.refund(beforeReset));
        assertThat(limiter.tryAcquire("ann").allowed()).isFalse();
    }

    @Test
    void partOfADecisionWhoseWindowIsStillOpenIsGivenBack() {
        Limit day = Limit.of("day", 9, Duration.ofDays(1));
        Limiters<String> limiters = limiters(store, spec("a", 9), LimiterSpec.of("b", day, Key::of));
        Decision decision = limiters.of(List.of("a", "b")).tryAcquire("ann", 4);
        clock.advance(MINUTE);
        limiters.of(List.of("a", "b")).tryAcquire("ann");
        now(limiters.refund(decision));
        assertThat(remaining(limiters.of(List.of("a", "b")).tryAcquire("ann", 0)))
                .isEqualTo(Map.of("a", 8L, "b", 8L));
    }

    /** Somebody who is told that it failed must not have opened a window. */
    @Test
    void resetThatTheStoreDoesNotDoChangesNothing() {
        Limiter<String> limiter = limiters(new Failing(clock), spec("a", 1)).get("a");
        assertThat(limiter.tryAcquire("ann").allowed()).isTrue();
        assertThat(limiter.reset("ann")).isCompletedExceptionally();
        assertThat(fallback.reset).isEmpty();
        assertThat(limiter.tryAcquire("ann").allowed()).isFalse();
    }

    @Test
    void resetReachesTheStoreAndTheFallback() {
        Failing flaky = new Failing(clock);
        Limiter<String> limiter = limiters(flaky, spec("a", 1)).get("a");
        limiter.tryAcquire("ann");
        flaky.away = false;
        limiter.tryAcquire("ann");
        now(limiter.reset("ann"));
        assertThat(limiter.tryAcquire("ann").allowed()).isTrue();
        flaky.away = true;
        assertThat(limiter.tryAcquire("ann").allowed()).isTrue();
        assertThat(fallback.reset).hasSize(1);
        now(limiters(store, unlessFree("a", 1)).get("a").reset("free-of-all"));
        assertThat(store.reset).as("there is nothing to forget").isEmpty();
    }

    @Test
    void countersAreFoundAndForgottenByTheirKeys() {
        Failing flaky = new Failing(clock);
        flaky.away = false;
        Limiters<String> limiters = limiters(flaky, spec("a", 5), spec("b", 9));
        limiters.of(List.of("a", "b")).tryAcquire("ann", 3);
        heard.clear();
        List<Charge> ann = List.of(charge("b", 9, "ann"), charge("a", 5, "ann"));
        for (int i = 0; i < 2; i++) {
            assertThat(limiters.look(ann).statuses())
                    .as("in their order, and nothing is taken")
                    .extracting(LimitStatus::remaining)
                    .containsExactly(6L, 2L);
        }
        assertThat(limiters.look(List.of(charge("a", 5, "bob"))).statuses())
                .extracting(LimitStatus::remaining)
                .containsExactly(5L);
        now(limiters.reset(List.of(charge("a", 5, "ann"))));
        assertThat(limiters.look(ann).statuses())
                .extracting(LimitStatus::remaining)
                .containsExactly(6L, 5L);
        now(limiters.reset(List.of()));
        assertThat(heard).as("no request was decided about").isEmpty();

        flaky.away = true;
        assertThatThrownBy(() -> limiters.look(ann))
                .as("what stands in knows nothing of the shared count")
                .isInstanceOf(StoreException.class);
    }

    private static Charge charge(String limiter, long permits, String client) {
        return new Charge(limiter, Limit.of("of-" + limiter, permits, MINUTE), Key.of(client));
    }

    // ---- shadow

    /** The row "a shadow limiter beside a real one": 3600 s were told, and it was served after 10. */
    @Test
    void shadowNeverSpeaks() {
        LimiterSpec<String> shadow = LimiterSpec.<String>of(
                        "shadow", Limit.of("hourly", 1, Duration.ofHours(1)), Key::of)
                .withShadow(true);
        LimiterSpec<String> real = LimiterSpec.of("real", Limit.of("short", 2, Duration.ofSeconds(10)), Key::of);
        Limiters<String> limiters = limiters(store, shadow, real);
        List<String> both = List.of("shadow", "real");
        for (int i = 0; i < 2; i++) {
            Decision decision = limiters.of(both).tryAcquire("ann");
            assertThat(decision.allowed()).isTrue();
            assertThat(decision.statuses()).extracting(LimitStatus::limiter).containsExactly("real");
            assertThat(decision.charges()).extracting(Charge::limiter).containsExactly("real");
        }
        Decision rejected = limiters.of(both).tryAcquire("ann");
        assertThat(rejected.allowed()).isFalse();
        assertThat(rejected.retryAfter()).contains(Duration.ofSeconds(10));
        clock.advance(Duration.ofSeconds(10));
        assertThat(now(limiters.of(both).tryAcquireAsync("ann")).allowed()).isTrue();
        assertThat(heard)
                .containsExactly(
                        "real allowed",
                        "shadow allowed, shadow",
                        "real allowed",
                        "shadow rejected, shadow",
                        "real rejected",
                        "real allowed",
                        "shadow rejected, shadow");
    }

    @Test
    void shadowAloneAllowsAndIsMetered() {
        Limiters<String> limiters =
                limiters(store, spec("a", 1).withShadow(true), spec("b", 2).withShadow(true));
        for (int i = 0; i < 2; i++) {
            Decision decision = limiters.of(List.of("a", "b")).tryAcquire("ann");
            assertThat(decision.allowed()).isTrue();
            assertThat(decision.statuses()).isEmpty();
        }
        assertThat(now(limiters.of(List.of("a", "b")).tryAcquireAsync("ann")).allowed())
                .isTrue();
        assertThat(heard)
                .containsExactly(
                        "a allowed, shadow",
                        "b allowed, shadow",
                        "a rejected, shadow",
                        "b allowed, shadow",
                        "a rejected, shadow",
                        "b rejected, shadow");
    }

    @Test
    void rejectedRequestTakesNothingFromAShadow() {
        Limiters<String> limiters = limiters(store, spec("a", 9).withShadow(true), spec("b", 1));
        limiters.of(List.of("a", "b")).tryAcquire("ann");
        limiters.of(List.of("a", "b")).tryAcquire("ann");
        now(limiters.of(List.of("a", "b")).tryAcquireAsync("ann"));
        assertThat(remaining(limiters(store, spec("a", 9)).of(List.of("a")).tryAcquire("ann", 0)))
                .isEqualTo(Map.of("a", 8L));
    }

    @Test
    void refundGivesTheShadowsCountBackToo() {
        Limiters<String> limiters = limiters(
                store, spec("a", 9).withShadow(true), spec("b", 9), spec("c", 1).withShadow(true));
        List<String> all = List.of("a", "b", "c");
        Decision first = limiters.of(all).tryAcquire("ann");
        Decision second = limiters.of(all).tryAcquire("ann"); // c would have rejected it: it took nothing there
        Decision third = now(limiters.of(all).tryAcquireAsync("ann"));
        now(limiters.refund(second));
        now(limiters.refund(second));
        now(limiters.refund(third));
        Limiters<String> open = limiters(store, spec("a", 9), spec("b", 9), spec("c", 1));
        assertThat(remaining(open.of(all).tryAcquire("ann", 0))).isEqualTo(Map.of("a", 8L, "b", 8L, "c", 0L));
        now(limiters.refund(first));
        assertThat(remaining(open.of(all).tryAcquire("ann", 0))).isEqualTo(Map.of("a", 9L, "b", 9L, "c", 1L));
    }

    @Test
    void shadowBesideAFallbackIsGivenBackWhereItWasTaken() {
        Failing flaky = new Failing(clock);
        Limiters<String> limiters = limiters(flaky, spec("a", 9).withShadow(true), spec("b", 9));
        Decision local = limiters.of(List.of("a", "b")).tryAcquire("ann", 4);
        flaky.away = false;
        now(limiters.refund(local));
        assertThat(fallback.refunded).hasSize(2);
        flaky.away = true;
        assertThat(remaining(limiters.of(List.of("b")).tryAcquire("ann", 0))).isEqualTo(Map.of("b", 9L));
    }

    @Test
    void unionWithCostsOfItsOwnIsOneDecision() {
        Limiters<String> limiters = limiters(store, spec("a", 3), spec("b", 5));
        Limiter<String> both = limiters.of("a", "b");
        Decision first = both.tryAcquire("ann", name -> name.equals("a") ? 1 : 4);
        assertThat(remaining(first)).isEqualTo(Map.of("a", 2L, "b", 1L));
        assertThat(both.tryAcquire("ann", name -> name.equals("a") ? 1 : 2).allowed())
                .isFalse();
        assertThat(remaining(both.look("ann"))).isEqualTo(Map.of("a", 2L, "b", 1L));
        now(both.refund(first));
        assertThat(remaining(both.look("ann"))).isEqualTo(Map.of("a", 3L, "b", 5L));
        assertThat(both).hasToString("Limiter[a: 3 per 1m (of-a); b: 5 per 1m (of-b)]");
    }

    @Test
    void changeToShadowDuringADecisionTakesOnePermit() {
        List<Limiters<String>> changed = new ArrayList<>();
        LimiterSpec<String> shadow = spec("a", 9).withShadow(true);
        KeyResolver<String> changes = request -> {
            changed.get(0).change(shadow);
            return Key.of(request);
        };
        changed.add(limiters(store, LimiterSpec.of("a", Limit.of("of-a", 9, MINUTE), changes)));
        changed.get(0).get("a").tryAcquire("ann");
        assertThat(changed.get(0).get("a").look("ann").statuses().get(0).remaining())
                .isEqualTo(8);
    }

    // ---- phases

    @Test
    void phaseFollowsFromWhatIsAsked() {
        KeyResolver<String> late = Key::of;
        KeyResolver<String> principal = late.afterAuthentication();
        Limit limit = Limit.of("burst", 1, MINUTE);
        Rule<String> plan = Rule.byPlan("plan", MINUTE, Map.of("free", 1L), principal, late);

        assertThat(spec("a", 1).phase()).isEqualTo(Phase.BEFORE_AUTHENTICATION);
        assertThat(LimiterSpec.of("a", limit, principal).phase()).isEqualTo(Phase.AFTER_AUTHENTICATION);
        assertThat(principal.afterAuthentication()).isSameAs(principal);
        assertThat(late.and(principal).phase()).isEqualTo(Phase.AFTER_AUTHENTICATION);
        assertThat(principal.orElse(late).phase()).isEqualTo(Phase.AFTER_AUTHENTICATION);
        assertThat(late.orElse(late).phase()).isEqualTo(Phase.BEFORE_AUTHENTICATION);
        assertThat(late.and(late).phase()).isEqualTo(Phase.BEFORE_AUTHENTICATION);
        assertThat(principal.resolve("ann")).isEqualTo(Key.of("ann"));
        assertThat(plan.unless(request -> false).phase()).isEqualTo(Phase.AFTER_AUTHENTICATION);
        Rule<String> constant = Rule.of(Limit.of(1, MINUTE), late);
        assertThat(constant.phase()).isEqualTo(Phase.BEFORE_AUTHENTICATION);
        assertThat(constant.afterAuthentication().phase()).isEqualTo(Phase.AFTER_AUTHENTICATION);
        assertThat(constant.afterAuthentication().limit("any")).isEqualTo(constant.limit("any"));
        assertThat(new LimiterSpec<>("a", List.of(Rule.of(limit, late), plan)).phase())
                .isEqualTo(Phase.AFTER_AUTHENTICATION);
        assertThat(new LimiterSpec<>("a", List.of(plan, Rule.of(limit, late))).phase())
                .isEqualTo(Phase.AFTER_AUTHENTICATION);
        assertThat(spec("a", 1).withPhase(Phase.AFTER_AUTHENTICATION).phase()).isEqualTo(Phase.AFTER_AUTHENTICATION);
        assertThat(spec("a", 1)
                        .withPhase(Phase.AFTER_AUTHENTICATION)
                        .withShadow(true)
                        .phase())
                .isEqualTo(Phase.AFTER_AUTHENTICATION);
    }

    @Test
    void limiterThatCannotDecideBeforeIsRejectedByName() {
        KeyResolver<String> late = Key::of;
        LimiterSpec<String> spec = LimiterSpec.of("posts", Limit.of(1, MINUTE), late.afterAuthentication());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> spec.withPhase(Phase.BEFORE_AUTHENTICATION))
                .withMessageStartingWith("limiter 'posts': a rule needs the user, a role or an attribute,");
    }

    @Test
    void shadowWhoseKeyFailsTakesNothingFromTheOthers() {
        InProcessStore store = InProcessStore.create();
        LimiterSpec<String> real = LimiterSpec.of("real", Limit.of(5, Duration.ofHours(1)), Key::of);
        KeyResolver<String> failing = request -> {
            throw new IllegalStateException("no key");
        };
        LimiterSpec<String> shadow = LimiterSpec.<String>of("shadow", Limit.of(5, Duration.ofHours(1)), failing)
                .withShadow(true);
        Limiters<String> limiters =
                Limiters.<String>builder(store).add(real).add(shadow).build();
        List<String> both = List.of("real", "shadow");

        assertThatThrownBy(() -> limiters.of(both).tryAcquire("ann")).hasMessage("no key");
        assertThatThrownBy(() -> limiters.of(both).tryAcquireAsync("ann")).hasMessage("no key");
        assertThat(limiters.get("real").tryAcquire("ann", 0).statuses().get(0).remaining())
                .isEqualTo(5);
    }

    /** Some stores throw what others answer. */
    private record ThrowingStore() implements Store {

        @Override
        public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
            throw new StoreException("the backend is away", null);
        }

        @Override
        public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
            throw new StoreException("the backend is away", null);
        }

        @Override
        public CompletableFuture<Void> resetAsync(List<Charge> charges) {
            throw new StoreException("the backend is away", null);
        }
    }

    @Test
    void storeThatThrowsItsFailureIsStoodInFor() {
        Limiter<String> limiter =
                Limiter.of(LimiterSpec.of("a", Limit.of(1, Duration.ofMinutes(1)), Key::of), new ThrowingStore());
        assertThat(limiter.tryAcquire("ann").source()).isEqualTo(Decision.Source.LOCAL);
        Decision second = limiter.tryAcquireAsync("ann").toCompletableFuture().join();
        assertThat(second.source()).isEqualTo(Decision.Source.LOCAL);
        assertThat(second.allowed()).isFalse();
    }

    @Test
    void limiterIsNotCreatedOverAStoreThatDoesNotKnowItsShape() {
        Store fixedOnly = new ThrowingStore();
        Limit hour = Limit.of("hour", 5, Duration.ofHours(1));
        String message = "limiter 'login': limit 'hour' has the shape BLOCKING, which the store "
                + "io.github.ratelimit.LimitersTest$ThrowingStore does not support; use another shape or store, "
                + "or override Store.supports";
        LimiterSpec<String> fixed = LimiterSpec.of("login", hour, Key::of);
        LimiterSpec<String> blocking = LimiterSpec.of("login", hour.blocking(Duration.ofHours(1)), Key::of);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limiter.of(blocking, fixedOnly))
                .withMessage(message);
        Limiters.Builder<String> withFallback =
                Limiters.<String>builder(store).fallback(fixedOnly).add(blocking);
        assertThatIllegalArgumentException().isThrownBy(withFallback::build).withMessage(message);
        Limiters<String> limiters =
                Limiters.<String>builder(fixedOnly).add(fixed).build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiters.change(blocking))
                .withMessage(message);
        assertThat(limiters.spec("login")).isSameAs(fixed);
    }

    // ---- described anew

    @Test
    void changedLimiterDecidesByWhatIsCountedAlready() {
        Limiters<String> limiters = limiters(store, spec("a", 2), spec("b", 9));
        assertThat(limiters.of(List.of("a")).tryAcquire("ann", 2).allowed()).isTrue();
        limiters.change(spec("a", 5));
        Decision decision = limiters.of(List.of("a", "b")).tryAcquire("ann");
        assertThat(remaining(decision)).isEqualTo(Map.of("a", 2L, "b", 8L));
        limiters.change(spec("a", 1));
        assertThat(limiters.of(List.of("a")).tryAcquire("ann").allowed()).isFalse();
        assertThat(limiters.of(List.of("a")).tryAcquire("bob").allowed()).isTrue();
    }

    @Test
    void limiterKeepsItsNameAndItsPhase() {
        Limiters<String> limiters = limiters(store, spec("a", 2));
        assertThatThrownBy(() -> limiters.change(spec("z", 2))).isInstanceOf(IllegalArgumentException.class);
        Phase other = spec("a", 2).phase() == Phase.BEFORE_AUTHENTICATION
                ? Phase.AFTER_AUTHENTICATION
                : Phase.BEFORE_AUTHENTICATION;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiters.change(spec("a", 7).withPhase(other)))
                .withMessageContaining("limiter 'a': its phase must stay");
        assertThat(remaining(limiters.of(List.of("a")).tryAcquire("ann", 0))).isEqualTo(Map.of("a", 2L));
    }
}
