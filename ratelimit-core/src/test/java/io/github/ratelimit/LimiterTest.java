package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.TestStores.Failing;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class LimiterTest {

    private final TestClock clock = new TestClock();
    private final List<String> heard = new ArrayList<>();

    private final DecisionListener listener = new DecisionListener() {
        @Override
        public void onDecision(String limiter, Decision decision, boolean shadow, long nanos) {
            heard.add("%s %s by %s in %d ns%s"
                    .formatted(
                            limiter,
                            decision.allowed() ? "allowed" : "rejected",
                            decision.source(),
                            nanos,
                            shadow ? ", shadow" : ""));
        }

        @Override
        public void onStoreFailure(String limiter, StoreException cause) {
            heard.add(limiter + " failed: " + cause.getMessage());
        }
    };

    private static LimiterSpec<String> spec(long permits) {
        return LimiterSpec.of("mail", Limit.of("burst", permits, Duration.ofMinutes(1)), Key::of);
    }

    private Limiter<String> limiter(Store store, LimiterSpec<String> spec) {
        return Limiters.<String>builder(store)
                .listener(listener)
                .add(spec)
                .build()
                .get(spec.name());
    }

    private static <T> T now(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    @Test
    void everyRequestHasItsOwnCount() {
        Limiter<String> limiter = limiter(InProcessStore.create(clock), spec(1));
        assertThat(limiter.tryAcquire("ann").allowed()).isTrue();
        assertThat(limiter.tryAcquire("ann").allowed()).isFalse();
        assertThat(limiter.tryAcquire("bob").allowed()).isTrue();
        assertThat(heard)
                .containsExactly(
                        "mail allowed by STORE in 0 ns",
                        "mail rejected by STORE in 0 ns",
                        "mail allowed by STORE in 0 ns");
    }

    @Test
    void limiterIsMadeInOneLine() {
        Limiter<String> search = Limiter.of("search", Limit.of(2, Duration.ofDays(1)), Key::of);
        assertThat(search.tryAcquire("ann").allowed()).isTrue();
        assertThat(now(search.tryAcquireAsync("ann")).allowed()).isTrue();
        assertThat(search.tryAcquire("ann").allowed()).isFalse();
        assertThat(search.tryAcquire("bob").allowed()).isTrue();
        assertThat(search).hasToString("Limiter[search: 2 per 1d (default)]");
    }

    @Test
    void limiterWithoutKeysCountsEverythingTogether() {
        Limiter<Void> all = Limiter.of("all", Limit.of(2, Duration.ofDays(1)));
        assertThat(all.tryAcquire().allowed()).isTrue();
        assertThat(all.tryAcquire().allowed()).isTrue();
        assertThat(all.tryAcquire().allowed()).isFalse();
    }

    @Test
    void limiterWithoutKeysCountsOverAnyStore() {
        Limiter<Object> all = Limiter.of(
                LimiterSpec.of("all", Limit.of(1, Duration.ofMinutes(1)), KeyResolver.everybody()),
                InProcessStore.create(clock));
        assertThat(all.tryAcquire().allowed()).isTrue();
        assertThat(all.tryAcquire().allowed()).isFalse();
    }

    @Test
    void limiterThatCountsByAKeyWantsToKnowOfWhom() {
        Limiter<String> limiter = limiter(InProcessStore.create(clock), spec(1));
        assertThatIllegalStateException()
                .isThrownBy(limiter::tryAcquire)
                .withMessage(
                        "limiter 'mail' needs the request for its key, plan or condition; call tryAcquire(request)");
    }

    @Test
    void limiterByPlanWithoutKeysNeedsTheRequest() {
        Rule<String> rule =
                Rule.byPlan("calls", Duration.ofMinutes(1), Map.of("free", 1L), Key::of, KeyResolver.everybody());
        Limiter<String> limiter = limiter(InProcessStore.create(clock), LimiterSpec.of("plan", rule));
        assertThatIllegalStateException()
                .isThrownBy(limiter::tryAcquire)
                .withMessageStartingWith("limiter 'plan' needs the request");
        assertThat(limiter.tryAcquire("free").allowed()).isTrue();
    }

    @Test
    void limitersOfOneNameAndDefaultStoreShareNoCounts() {
        Limit once = Limit.of(1, Duration.ofDays(1));
        Limiter<String> one = Limiter.of("search", once, Key::of);
        Limiter<String> other = Limiter.of("search", once, Key::of);
        assertThat(one.tryAcquire("ann").allowed()).isTrue();
        assertThat(other.tryAcquire("ann").allowed()).isTrue();
        assertThat(one.tryAcquire("ann").allowed()).isFalse();
        assertThat(other.tryAcquire("ann").allowed()).isFalse();
    }

    @Test
    void looksAndResetsTakeNothing() {
        Limiter<String> limiter = limiter(InProcessStore.create(clock), spec(2));
        limiter.tryAcquire("ann");
        heard.clear();
        assertThat(limiter.look("ann").statuses().get(0).remaining()).isEqualTo(1);
        assertThat(limiter.look("bob").statuses().get(0).remaining()).isEqualTo(2);
        limiter.reset("ann").join();
        assertThat(limiter.look("ann").statuses().get(0).remaining()).isEqualTo(2);
        assertThat(heard).isEmpty();
    }

    @Test
    void severalRulesAreDecidedAsOne() {
        LimiterSpec<String> spec = new LimiterSpec<>(
                "mail",
                List.of(
                        Rule.of(Limit.of("own", 2, Duration.ofMinutes(1)), Key::of),
                        Rule.of(Limit.of("all", 3, Duration.ofHours(1)), request -> Key.absent())));
        Limiter<String> limiter = limiter(InProcessStore.create(clock), spec);
        assertThat(limiter.tryAcquire("ann", 2).allowed()).isTrue();
        assertThat(limiter.tryAcquire("bob", 2).allowed()).isFalse();
        assertThat(limiter.tryAcquire("bob", 0).statuses())
                .extracting(LimitStatus::remaining)
                .containsExactly(2L, 1L);
    }

    @Test
    void fallbackDecidesWhileTheStoreIsAway() {
        Limiter<String> limiter = limiter(new Failing(clock), spec(1));
        assertThat(limiter.tryAcquire("ann").source()).isEqualTo(Decision.Source.LOCAL);
        assertThat(limiter.tryAcquire("ann").allowed()).isFalse();
        assertThat(heard)
                .containsExactly(
                        "mail failed: the backend is away",
                        "mail allowed by LOCAL in 0 ns",
                        "mail failed: the backend is away",
                        "mail rejected by LOCAL in 0 ns");
    }

    @Test
    void fallbackCountsByTheStoresClock() {
        Limiter<String> limiter = limiter(new Failing(clock), spec(1));
        assertThat(limiter.tryAcquire("ann").allowed()).isTrue();
        clock.advance(Duration.ofMinutes(1));
        assertThat(limiter.tryAcquire("ann").allowed()).isTrue();
    }

    @Test
    void nobodyDecidesWhereThatWasSaid() {
        Decision allowed = limiter(new Failing(clock), spec(1).withOnStoreFailure(OnStoreFailure.ALLOW))
                .tryAcquire("ann", 5);
        Decision rejected = limiter(new Failing(clock), spec(1).withOnStoreFailure(OnStoreFailure.REJECT))
                .tryAcquire("ann");
        assertThat(List.of(allowed, rejected))
                .extracting(Decision::source)
                .containsExactly(Decision.Source.NONE, Decision.Source.NONE);
        assertThat(allowed.allowed()).isTrue();
        assertThat(rejected.allowed()).isFalse();
    }

    @Test
    void asynchronousCallMeetsAFailureAlike() {
        Limiter<String> limiter = limiter(new Failing(clock), spec(1));
        assertThat(now(limiter.tryAcquireAsync("ann", 1)).source()).isEqualTo(Decision.Source.LOCAL);
        assertThat(heard).containsExactly("mail failed: the backend is away", "mail allowed by LOCAL in 0 ns");
    }

    /** What a store's own stages have wrapped is the same failure. */
    @Test
    void failureThatAStagePassedOnIsAnOutageAsWell() {
        Failing away = new Failing(clock) {
            @Override
            public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
                return super.tryAcquireAsync(charges).thenApply(decision -> decision);
            }
        };
        Limiter<String> limiter = limiter(away, spec(1));
        assertThat(now(limiter.tryAcquireAsync("ann")).source()).isEqualTo(Decision.Source.LOCAL);
        assertThat(limiter.tryAcquire("ann").source()).isEqualTo(Decision.Source.LOCAL);
        assertThat(heard).contains("mail failed: the backend is away");
    }

    @Test
    void defectOfAStoreIsNoOutage() {
        IllegalStateException defect = new IllegalStateException("a defect");
        Limiter<String> limiter = limiter(new Failing(clock).with(defect), spec(1));
        assertThatThrownBy(() -> limiter.tryAcquire("ann")).isSameAs(defect);
        assertThatThrownBy(() -> now(limiter.tryAcquireAsync("ann", 1)))
                .isInstanceOf(CompletionException.class)
                .hasCause(defect);
        assertThat(heard).isEmpty();
    }

    @Test
    void listenerIsToldHowLongTheStoreTook() {
        Store slow = new TestStores.Recording(InProcessStore.create(clock)) {
            @Override
            public Decision tryAcquire(List<Charge> charges) {
                clock.advance(Duration.ofNanos(7));
                return super.tryAcquire(charges);
            }

            @Override
            public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
                clock.advance(Duration.ofNanos(9));
                return super.tryAcquireAsync(charges);
            }
        };
        Limiter<String> limiter = limiter(slow, spec(9));
        limiter.tryAcquire("ann");
        now(limiter.tryAcquireAsync("ann"));
        assertThat(heard).containsExactly("mail allowed by STORE in 7 ns", "mail allowed by STORE in 9 ns");
    }

    @Test
    void negativeCostIsRejectedWhereNoLimitAppliesToo() {
        Limiter<String> limiter = limiter(
                InProcessStore.create(clock),
                new LimiterSpec<>(
                        "mail",
                        List.of(Rule.of(Limit.of(1, Duration.ofMinutes(1)), (KeyResolver<String>) Key::of)
                                .unless(request -> request.equals("free")))));
        for (String request : List.of("ann", "free")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> limiter.tryAcquire(request, -1))
                    .withMessageContaining("cost must be 0 or more, was -1");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> limiter.tryAcquireAsync(request, -1))
                    .withMessageContaining("cost must be 0 or more, was -1");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> limiter.acquire(request, -1, Duration.ZERO))
                    .withMessageContaining("cost must be 0 or more, was -1");
        }
    }

    @Test
    void withoutAListenerDecisionsAreTheSame() {
        Limiter<String> limiter = Limiter.of(spec(1).withShadow(true), InProcessStore.create(clock));
        assertThat(limiter.tryAcquire("ann").allowed()).isTrue();
        assertThat(limiter.tryAcquire("ann").allowed()).isTrue();
    }

    @Test
    void resolverThatAnswersNullIsNamed() {
        @SuppressWarnings("NullAway") // what is tested
        KeyResolver<String> broken = request -> null;
        Limiter<String> limiter = limiter(
                InProcessStore.create(clock),
                LimiterSpec.of("mail", Limit.of("burst", 1, Duration.ofMinutes(1)), broken));
        assertThatNullPointerException()
                .isThrownBy(() -> limiter.tryAcquire("ann"))
                .withMessage("limiter 'mail': the key resolver of limit 'burst' returned null; return Key.absent()");
    }

    @SuppressWarnings("NullAway") // what is tested
    @Test
    void nullIsRejectedByName() {
        assertThatNullPointerException()
                .isThrownBy(() -> Limit.of("burst", 1, null))
                .withMessage("limit 'burst': window must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> Limit.of(null, 1, Duration.ofSeconds(1)))
                .withMessage("limit: name must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> LimiterSpec.<String>of("mail", (Limit) null, Key::of))
                .withMessage("a rule's limit must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> LimiterSpec.<String>of("mail", Limit.of(1, Duration.ofSeconds(1)), null))
                .withMessageStartingWith("a rule's key must not be null");
        assertThatNullPointerException()
                .isThrownBy(
                        () -> Limiter.of(spec(1), InProcessStore.create(clock)).refund(null))
                .withMessageStartingWith("decision must not be null");
    }

    @Test
    void unknownNameListsTheKnownOnes() {
        Limiters<String> limiters = Limiters.<String>builder(InProcessStore.create(clock))
                .add(spec(1))
                .add(LimiterSpec.of("login", Limit.of("burst", 1, Duration.ofMinutes(1)), Key::of))
                .build();
        assertThat(limiters.names()).containsExactly("mail", "login");
        assertThatThrownBy(() -> limiters.get("mial"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no such limiter: 'mial'; known: mail, login");
        assertThatThrownBy(() -> limiters.of(List.of("mail", "mial")).tryAcquire("ann"))
                .hasMessage("no such limiter: 'mial'; known: mail, login");
        assertThatThrownBy(() -> Limiters.<String>builder(InProcessStore.create())
                        .build()
                        .get("mail"))
                .hasMessage("no such limiter: 'mail'; known: ");
    }

    @Test
    void malformedSpecsAreRejectedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LimiterSpec<String>("mail", List.of()))
                .withMessage("limiter 'mail': rules must not be empty; give at least one");
        Rule<String> rule = Rule.of(Limit.of("burst", 1, Duration.ofMinutes(1)), Key::of);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LimiterSpec<>("mail", List.of(rule, rule)))
                .withMessage("limiter 'mail': two rules are called 'burst'; give each its own name");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LimiterSpec<>("ma il", List.of(rule)))
                .withMessageStartingWith("limiter 'ma il': name must be");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limiters.<String>builder(InProcessStore.create(clock))
                        .add(spec(1))
                        .add(spec(2))
                        .build())
                .withMessage("two limiters are called 'mail'; give each its own name");
    }

    @Test
    void listenersAllHearInOrder() {
        DecisionListener both = DecisionListener.all(List.of(listener, listener));
        both.onStoreFailure("mail", new StoreException("away", null));
        both.onDecision("mail", Decision.withoutStore(true), false, 7);
        assertThat(heard)
                .containsExactly(
                        "mail failed: away",
                        "mail failed: away",
                        "mail allowed by NONE in 7 ns",
                        "mail allowed by NONE in 7 ns");
        assertThat(DecisionListener.all(List.of())).isSameAs(DecisionListener.NONE);
        assertThat(DecisionListener.all(List.of(listener))).isSameAs(listener);
        DecisionListener.NONE.onStoreFailure("mail", new StoreException("away", null));
        DecisionListener.NONE.onDecision("mail", Decision.unlimited(), false, 7);
    }
}
