package io.github.ratelimit.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.Rule;
import io.github.ratelimit.Store;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

class HttpRateLimiterTest {

    /** 2026-11-20T10:00:00.250Z. */
    private static final long START = 1_795_168_800L;

    private static final List<String> API = List.of("api");
    private static final List<String> STRICT = List.of("strict");
    private static final List<String> BOTH = List.of("api", "strict");

    private final TestClock clock = new TestClock();
    private final List<List<Charge>> asked = new ArrayList<>();
    private final LimiterSpec<HttpCall> api = new LimiterSpec<>(
            "api",
            List.of(
                    Rule.of(Limit.of("burst", 3, Duration.ofMinutes(1)), HttpKeys.clientAddress()),
                    Rule.of(Limit.of("hourly", 4, Duration.ofHours(1)), HttpKeys.clientAddress())));
    private final LimiterSpec<HttpCall> strict =
            LimiterSpec.of("strict", Limit.of("once", 1, Duration.ofMillis(90_500)), HttpKeys.clientAddress());

    /** Counts what it is asked; its refunds may fail. */
    private final class Watched implements Store {

        private final InProcessStore store = InProcessStore.create(clock);
        private boolean losesRefunds;

        @Override
        public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
            asked.add(charges);
            return store.tryAcquireAsync(charges);
        }

        @Override
        public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
            return losesRefunds
                    ? CompletableFuture.failedFuture(new StoreException("away", null))
                    : store.settleAsync(decision, actual);
        }

        @Override
        public CompletableFuture<Void> resetAsync(List<Charge> charges) {
            return store.resetAsync(charges);
        }

        @Override
        public boolean supports(Shape.Kind kind) {
            return store.supports(kind);
        }

        @Override
        public TimeSource time() {
            return clock;
        }
    }

    private HttpRateLimiter limiter(FieldStyle style) {
        return limiter(new Watched(), style, api, strict);
    }

    @SafeVarargs
    private HttpRateLimiter limiter(Store store, FieldStyle style, LimiterSpec<HttpCall>... specs) {
        Limiters.Builder<HttpCall> limiters = Limiters.builder(store);
        for (LimiterSpec<HttpCall> spec : specs) {
            limiters.add(spec);
        }
        return new HttpRateLimiter(limiters.build(), style);
    }

    private static Call call() {
        return Call.from("203.0.113.7");
    }

    private static long remaining(HttpRateLimiter limiter, String name) {
        return limiter.limiters()
                .get(name)
                .tryAcquire(call(), 0)
                .statuses()
                .get(0)
                .remaining();
    }

    private final LimiterSpec<HttpCall> jobs =
            LimiterSpec.of("jobs", Limit.concurrent("jobs", 1, Duration.ofMinutes(1)), HttpKeys.clientAddress());

    @Test
    void callThatEndedWhileTheStoreWasAskedHoldsNothing() {
        HttpRateLimiter limiter = limiter(new Watched(), FieldStyle.X_RATELIMIT, jobs);
        Call gone = call();
        gone.decisions().release();
        assertThat(limiter.check(List.of("jobs"), gone).allowed()).isTrue();
        assertThat(remaining(limiter, "jobs")).isEqualTo(1);

        Call served = call();
        assertThat(limiter.check(List.of("jobs"), served).allowed()).isTrue();
        clock.advance(Duration.ofMinutes(10));
        assertThat(remaining(limiter, "jobs")).as("renewed").isZero();
        served.decisions().release();
        served.decisions().release();
        assertThat(remaining(limiter, "jobs")).isEqualTo(1);
        assertThat(clock.waiting()).isZero();
    }

    @Test
    void limitOfAWindowIsToldBeforeAConcurrencyLimitThatDidNotReject() {
        HttpRateLimiter limiter = limiter(new Watched(), FieldStyle.X_RATELIMIT, api, jobs);
        assertThat(limiter.check(List.of("api", "jobs"), call()).fields())
                .containsExactly(
                        entry("X-RateLimit-Limit", "3"),
                        entry("X-RateLimit-Remaining", "2"),
                        entry("X-RateLimit-Reset", Long.toString(START + 61)));
        assertThat(limiter.check(List.of("api", "jobs"), call()).fields())
                .containsExactly(
                        entry("X-RateLimit-Limit", "1"),
                        entry("X-RateLimit-Remaining", "0"),
                        entry("X-RateLimit-Reset", Long.toString(START + 2)), // of Retry-After
                        entry("Retry-After", "1"),
                        entry("Cache-Control", "no-store"));
    }

    @Test
    void allowedCallTellsWhereItsTightestLimitStands() {
        HttpVerdict verdict = limiter(FieldStyle.X_RATELIMIT).check(API, call());
        assertThat(verdict.allowed()).isTrue();
        assertThat(verdict.status()).isEqualTo(200);
        assertThat(verdict.fields())
                .containsExactly(
                        entry("X-RateLimit-Limit", "3"),
                        entry("X-RateLimit-Remaining", "2"),
                        entry("X-RateLimit-Reset", Long.toString(START + 61)));
    }

    @Test
    void withoutFieldsARejectionstillTellsWhenToComeBack() {
        HttpRateLimiter limiter = limiter(FieldStyle.NONE);
        for (int i = 0; i < 3; i++) {
            assertThat(limiter.check(API, call()).fields()).isEmpty();
        }
        assertThat(limiter.check(API, call()).fields()).containsOnlyKeys("Retry-After", "Cache-Control");
    }

    @Test
    void rejectedCallIsToldWhenToComeBack() {
        HttpRateLimiter limiter = limiter(FieldStyle.X_RATELIMIT);
        for (int i = 0; i < 3; i++) {
            assertThat(limiter.check(API, call()).allowed()).isTrue();
        }
        clock.advance(Duration.ofMillis(59_001));
        HttpVerdict verdict = limiter.check(API, call());
        assertThat(verdict.allowed()).isFalse();
        assertThat(verdict.status()).isEqualTo(429);
        assertThat(verdict.fields())
                .containsExactly(
                        entry("X-RateLimit-Limit", "3"),
                        entry("X-RateLimit-Remaining", "0"),
                        entry("X-RateLimit-Reset", Long.toString(START + 61)),
                        entry("Retry-After", "1"),
                        entry("Cache-Control", "no-store"));

        clock.advance(Duration.ofMillis(999));
        assertThat(limiter.check(API, call()).allowed()).isTrue();
        HttpVerdict hourly = limiter.check(API, call());
        assertThat(hourly.fields())
                .as("now the other limit is exceeded")
                .containsEntry("X-RateLimit-Limit", "4")
                .containsEntry("Retry-After", "3540");
    }

    @Test
    void retryAfterIsNeverZero() {
        HttpRateLimiter limiter = limiter(FieldStyle.X_RATELIMIT);
        limiter.check(STRICT, call());
        clock.advance(Duration.ofMillis(90_499).plusNanos(999_999));
        assertThat(limiter.check(STRICT, call()).fields()).containsEntry("Retry-After", "1");
    }

    @Test
    void costThatNeverFitsIsNotSentAwayToComeBack() {
        HttpVerdict verdict = limiter(FieldStyle.X_RATELIMIT).check(API, call(), name -> 4);
        assertThat(verdict.status()).isEqualTo(429);
        assertThat(verdict.fields()).doesNotContainKey("Retry-After").containsEntry("X-RateLimit-Remaining", "3");
        assertThat(RejectionBody.json().of(verdict, call()).text()).contains("split it");
    }

    @Test
    void callIsChargedOnceByALimiterWhateverItPasses() {
        HttpRateLimiter limiter = limiter(FieldStyle.X_RATELIMIT);
        Call call = call();
        HttpVerdict first = limiter.check(API, call);
        List<String> costs = new ArrayList<>();
        HttpVerdict again = limiter.check(List.of("api", "api"), call, name -> {
            costs.add(name);
            return 1;
        });
        assertThat(again.decision()).isSameAs(first.decision());
        assertThat(costs).isEmpty();
        assertThat(asked).hasSize(1);
        assertThat(remaining(limiter, "api")).isEqualTo(2);
    }

    @Test
    void callMeetsOneLimiterOnceHoweverOftenItIsNamed() {
        HttpRateLimiter limiter = limiter(FieldStyle.X_RATELIMIT);
        Call call = call();
        List<String> costs = new ArrayList<>();
        limiter.check(List.of("api", "strict", "api"), call, name -> {
            costs.add(name);
            return 1;
        });
        assertThat(costs).containsExactly("api", "strict");
        limiter.check(API, call);
        limiter.check(STRICT, call);
        assertThat(asked).hasSize(1);
        assertThat(asked.get(0)).extracting(Charge::limiter).containsExactly("api", "api", "strict");

        Call other = Call.from("203.0.113.8");
        limiter.check(API, other);
        limiter.check(STRICT, other);
        limiter.check(API, other);
        assertThat(asked).as("the one before the last has decided as well").hasSize(3);
    }

    @Test
    void whereNoLimiterIsMetAnEarlierRejectionIsNoAnswer() {
        HttpRateLimiter limiter = limiter(FieldStyle.X_RATELIMIT);
        limiter.check(STRICT, call());
        Call call = call();
        assertThat(limiter.check(STRICT, call).allowed()).isFalse();
        assertThat(limiter.check(List.of(), call).allowed()).isTrue();
        HttpVerdict served = limiter.check(API, call);
        assertThat(served.allowed())
                .as("the application serves it all the same")
                .isTrue();
        assertThat(limiter.check(API, call).decision()).isSameAs(served.decision());
        assertThat(limiter.check(STRICT, call).allowed()).isFalse();
    }

    @Test
    void numbersAreWrittenAsTheyAreWhateverWasWrittenBefore() {
        LimiterSpec<HttpCall> wide =
                LimiterSpec.of("wide", Limit.of("wide", 4097, Duration.ofHours(1)), HttpKeys.clientAddress());
        HttpRateLimiter limiter = limiter(new Watched(), FieldStyle.X_RATELIMIT, wide);
        for (String remaining : List.of("4096", "1", "0")) {
            long cost = remaining.equals("1") ? 4095 : 1;
            assertThat(limiter.check(List.of("wide"), call(), name -> cost).fields())
                    .containsEntry("X-RateLimit-Limit", "4097")
                    .containsEntry("X-RateLimit-Remaining", remaining);
        }
    }

    @Test
    void resetAtAWholeSecondIsThatSecond() {
        TestClock whole = new TestClock(Instant.ofEpochSecond(START));
        assertThat(limiter(InProcessStore.create(whole), FieldStyle.X_RATELIMIT, api)
                        .check(API, call())
                        .fields())
                .containsEntry("X-RateLimit-Reset", Long.toString(START + 60));
    }

    @Test
    void limiterMayBeLookedAtBesideOneThatIsCharged() {
        HttpRateLimiter limiter = limiter(FieldStyle.X_RATELIMIT);
        HttpVerdict verdict = limiter.check(BOTH, call(), name -> name.equals("api") ? 1 : 0);
        assertThat(verdict.allowed()).isTrue();
        assertThat(remaining(limiter, "api")).isEqualTo(2);
        assertThat(remaining(limiter, "strict")).isEqualTo(1);
    }

    @Test
    void allLimitersThatACallMeetsAreOneDecision() {
        HttpRateLimiter limiter = limiter(FieldStyle.BOTH);
        List<String> costs = new ArrayList<>();
        HttpVerdict verdict = limiter.check(BOTH, call(), name -> {
            costs.add(name);
            return 1;
        });
        assertThat(asked).hasSize(1);
        assertThat(asked.get(0)).extracting(Charge::limiter).containsExactly("api", "api", "strict");
        assertThat(costs).as("each is asked for once").containsExactly("api", "strict");
        assertThat(verdict.fields())
                .containsExactly(
                        entry("X-RateLimit-Limit", "1"),
                        entry("X-RateLimit-Remaining", "0"),
                        entry("X-RateLimit-Reset", Long.toString(START + 91)),
                        entry("RateLimit-Policy", "\"burst\";q=3;w=60, \"hourly\";q=4;w=3600, \"once\";q=1;w=91"),
                        entry("RateLimit", "\"burst\";r=2;t=60, \"hourly\";r=3;t=3600, \"once\";r=0;t=91"));
        HttpVerdict rejected = limiter.check(BOTH, call());
        assertThat(rejected.status()).isEqualTo(429);
        assertThat(remaining(limiter, "api")).as("a rejection takes nothing").isEqualTo(2);
    }

    @Test
    void fieldsSpeakOfAllLimitersThatACallHasMet() {
        HttpRateLimiter limiter = limiter(FieldStyle.BOTH);
        Call call = call();
        limiter.check(API, call);
        assertThat(limiter.check(STRICT, call).fields())
                .containsExactly(
                        entry("X-RateLimit-Limit", "1"),
                        entry("X-RateLimit-Remaining", "0"),
                        entry("X-RateLimit-Reset", Long.toString(START + 91)),
                        entry("RateLimit-Policy", "\"burst\";q=3;w=60, \"hourly\";q=4;w=3600, \"once\";q=1;w=91"),
                        entry("RateLimit", "\"burst\";r=2;t=60, \"hourly\";r=3;t=3600, \"once\";r=0;t=91"));
        Call other = call().with("X", "y");
        clock.advance(Duration.ofSeconds(91));
        limiter.check(STRICT, other);
        assertThat(limiter.check(API, other).fields())
                .as("the tighter one came first")
                .containsEntry("X-RateLimit-Limit", "1");
    }

    @Test
    void draftStyleSendsTheDraftsFieldsAlone() {
        assertThat(limiter(FieldStyle.IETF).check(API, call()).fields())
                .containsOnlyKeys("RateLimit-Policy", "RateLimit");
    }

    /** The row "two policies of one name in the draft fields". */
    @Test
    void policiesThatShareANameAreToldApart() {
        LimiterSpec<HttpCall> search =
                LimiterSpec.of("search", Limit.of("burst", 9, Duration.ofSeconds(1)), HttpKeys.clientAddress());
        HttpVerdict verdict =
                limiter(new Watched(), FieldStyle.IETF, api, search).check(List.of("api", "search"), call());
        assertThat(verdict.fields())
                .containsEntry(
                        "RateLimit-Policy", "\"api:burst\";q=3;w=60, \"hourly\";q=4;w=3600, \"search:burst\";q=9;w=1")
                .containsEntry("RateLimit", "\"api:burst\";r=2;t=60, \"hourly\";r=3;t=3600, \"search:burst\";r=8;t=1");
    }

    @Test
    void rejectedCallCostsTheLimitersBeforeNothing() {
        HttpRateLimiter limiter = limiter(FieldStyle.X_RATELIMIT);
        limiter.check(STRICT, call());
        for (int i = 0; i < 5; i++) {
            Call call = call();
            assertThat(limiter.check(API, call, name -> 2).allowed()).isTrue();
            assertThat(limiter.check(STRICT, call).allowed()).isFalse();
            assertThat(call.decisions().isRejected()).as("nobody has told").isFalse();
            call.decisions().tellRejection();
            assertThat(call.decisions().isRejected()).isTrue();
        }
        assertThat(remaining(limiter, "api")).isEqualTo(3);
    }

    /** The row "two rejections on one request": 7 remaining, 6 expected. */
    @Test
    void secondRejectionGivesNothingBackAgain() {
        LimiterSpec<HttpCall> wide =
                LimiterSpec.of("wide", Limit.of("wide", 10, Duration.ofHours(1)), HttpKeys.clientAddress());
        LimiterSpec<HttpCall> other =
                LimiterSpec.of("other", Limit.of("other", 1, Duration.ofHours(1)), HttpKeys.clientAddress());
        HttpRateLimiter limiter = limiter(new Watched(), FieldStyle.X_RATELIMIT, wide, strict, other);
        limiter.check(List.of("strict", "other"), call());
        for (int i = 0; i < 4; i++) {
            limiter.check(List.of("wide"), call());
        }
        Call call = call();
        limiter.check(List.of("wide"), call);
        limiter.check(STRICT, call);
        assertThat(limiter.check(List.of("other"), call).status()).isEqualTo(429);
        assertThat(remaining(limiter, "wide")).isEqualTo(6);
    }

    @Test
    void whatWasGivenBackIsNotToldAsTaken() {
        LimiterSpec<HttpCall> wide =
                LimiterSpec.of("wide", Limit.of("wide", 10, Duration.ofHours(1)), HttpKeys.clientAddress());
        HttpRateLimiter limiter = limiter(new Watched(), FieldStyle.IETF, wide, strict);
        limiter.check(STRICT, call());
        Call call = call();
        limiter.check(List.of("wide"), call);
        assertThat(limiter.check(STRICT, call).fields().get("RateLimit")).doesNotContain("wide");
    }

    @Test
    void rejectionstandsWhateverElseIsAsked() {
        HttpRateLimiter limiter = limiter(FieldStyle.X_RATELIMIT);
        limiter.check(STRICT, call());
        Call call = call();
        HttpVerdict rejected = limiter.check(STRICT, call);
        assertThat(limiter.check(BOTH, call).decision()).isSameAs(rejected.decision());
        assertThat(limiter.check(BOTH, call).status()).isEqualTo(429);
    }

    @Test
    void limitersOfDifferentCostsAreOneDecision() {
        LimiterSpec<HttpCall> wide =
                LimiterSpec.of("wide", Limit.of("wide", 10, Duration.ofHours(1)), HttpKeys.clientAddress());
        HttpRateLimiter limiter = limiter(new Watched(), FieldStyle.IETF, api, strict, wide);
        List<String> costs = new ArrayList<>();
        HttpVerdict verdict = limiter.check(List.of("api", "wide", "strict"), call(), name -> {
            costs.add(name);
            return name.equals("wide") ? 5 : 1;
        });
        assertThat(costs).as("each is asked for once").containsExactly("api", "wide", "strict");
        assertThat(asked).hasSize(1);
        assertThat(asked.get(0)).extracting(Charge::limiter).containsExactly("api", "api", "wide", "strict");
        assertThat(asked.get(0)).extracting(Charge::cost).containsExactly(1L, 1L, 5L, 1L);
        assertThat(verdict.fields().get("RateLimit"))
                .isEqualTo("\"burst\";r=2;t=60, \"hourly\";r=3;t=3600, \"wide\";r=5;t=3600, \"once\";r=0;t=91");
        asked.clear();

        HttpVerdict rejected =
                limiter.check(List.of("wide", "strict", "api"), call(), name -> name.equals("wide") ? 5 : 1);
        assertThat(rejected.status()).isEqualTo(429);
        assertThat(remaining(limiter, "wide")).as("all or nothing").isEqualTo(5);
    }

    @Test
    void whereNoLimiterIsMetTheCallGoesOnWithoutFields() {
        HttpVerdict verdict = limiter(FieldStyle.BOTH).check(List.of(), call());
        assertThat(verdict.allowed()).isTrue();
        assertThat(verdict.fields()).isEmpty();
        assertThat(asked).isEmpty();
    }

    @Test
    void whereNoRuleAppliesThereAreNoFields() {
        Rule<HttpCall> skipped = Rule.of(Limit.of(1, Duration.ofMinutes(1)), HttpKeys.clientAddress())
                .unless(call -> true);
        LimiterSpec<HttpCall> none = LimiterSpec.of("none", skipped);
        HttpVerdict verdict = limiter(new Watched(), FieldStyle.BOTH, none).check(List.of("none"), call());
        assertThat(verdict.status()).isEqualTo(200);
        assertThat(verdict.fields()).isEmpty();
        assertThat(asked).isEmpty();
    }

    @Test
    void shadowTakesNoPartInTheFields() {
        HttpRateLimiter limiter = limiter(new Watched(), FieldStyle.BOTH, api, strict.withShadow(true));
        limiter.check(BOTH, call());
        HttpVerdict verdict = limiter.check(BOTH, call());
        assertThat(verdict.fields())
                .containsEntry("X-RateLimit-Limit", "3")
                .containsEntry("RateLimit-Policy", "\"burst\";q=3;w=60, \"hourly\";q=4;w=3600");
        limiter.check(BOTH, call());
        assertThat(limiter.check(BOTH, call()).fields()).containsEntry("Retry-After", "60");
    }

    private Store away() {
        return new Store() {
            @Override
            public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
                return CompletableFuture.failedFuture(new StoreException("away", null));
            }

            @Override
            public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
                return CompletableFuture.failedFuture(new StoreException("away", null));
            }

            @Override
            public CompletableFuture<Void> resetAsync(List<Charge> charges) {
                return CompletableFuture.failedFuture(new StoreException("away", null));
            }
        };
    }

    @Test
    void limitersOfOneNameOverTwoStoresAreTwoLimiters() {
        HttpRateLimiter wide = limiter(new Watched(), FieldStyle.NONE, api);
        HttpRateLimiter narrow = limiter(
                new Watched(),
                FieldStyle.NONE,
                LimiterSpec.of("api", Limit.of(1, Duration.ofHours(1)), HttpKeys.clientAddress()));

        assertThat(wide.check(API, call()).allowed()).isTrue();
        assertThat(narrow.check(API, call()).allowed()).isTrue();

        Call second = call();
        assertThat(wide.check(API, second).allowed()).isTrue();
        assertThat(narrow.check(API, second).status()).isEqualTo(429);
        assertThat(remaining(wide, "api"))
                .as("the rejected request costs nothing")
                .isEqualTo(2);
    }

    @Test
    void eachLimiterOfARequestIsSettledByItsNameAndTheFieldsAgree() {
        HttpRateLimiter limiter = limiter(new Watched(), FieldStyle.IETF, api, strict);
        Call call = call();
        HttpVerdict verdict = limiter.check(BOTH, call);

        call.decisions().settle("api", 0).join();
        call.decisions().settle("strict", 0).join();

        assertThat(verdict.fields().get("RateLimit")).contains("\"burst\";r=3", "\"once\";r=1");
        assertThat(remaining(limiter, "api")).isEqualTo(3);
        assertThat(remaining(limiter, "strict")).isEqualTo(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> call.decisions().settle("apy", 0))
                .withMessage("no such limiter: 'apy'; known: api, strict");
    }

    @Test
    void outcomeThatIsNotCountedIsGivenBackAtTheEndOnce() {
        HttpRateLimiter limiter = limiter(
                new Watched(), FieldStyle.NONE, api.withCount(Outcomes.of("failures")), strict.withCount(Outcomes.ALL));
        List<String> both = List.of("api", "strict");
        Call right = call();
        limiter.check(both, right);
        right.decisions().ended(200);
        right.decisions().ended(200);
        assertThat(remaining(limiter, "api")).isEqualTo(3);
        assertThat(remaining(limiter, "strict")).isZero();

        for (int status : new int[] {401, 500, HttpDecisions.UNKNOWN}) {
            Call wrong = call();
            limiter.check(List.of("api"), wrong);
            wrong.decisions().ended(status);
        }
        assertThat(remaining(limiter, "api")).isZero();
        Call late = call();
        assertThat(limiter.check(List.of("api"), late).status()).isEqualTo(429);
        late.decisions().ended(200);
        assertThat(remaining(limiter, "api")).isZero();
    }

    /** Its permits are used by few, so that it hid the plan's numbers from everybody. */
    @Test
    void limitThatCountsByOutcomeIsToldOfAloneOrIfItRejects() {
        HttpRateLimiter limiter =
                limiter(new Watched(), FieldStyle.BOTH, api, strict.withCount(Outcomes.of("failures")));
        Call first = call();
        assertThat(limiter.check(BOTH, first).fields())
                .containsEntry("X-RateLimit-Remaining", "2")
                .containsEntry("RateLimit-Policy", "\"burst\";q=3;w=60, \"hourly\";q=4;w=3600");
        first.decisions().ended(401);
        assertThat(limiter.check(BOTH, call()).fields())
                .containsEntry("X-RateLimit-Limit", "1")
                .containsKey("Retry-After");

        HttpVerdict alone = limiter(new Watched(), FieldStyle.BOTH, strict.withCount(Outcomes.of("failures")))
                .check(List.of("strict"), call());
        assertThat(alone.fields()).containsEntry("X-RateLimit-Remaining", "0");
    }

    @Test
    void whatTheApplicationHasSettledStays() {
        HttpRateLimiter limiter = limiter(new Watched(), FieldStyle.NONE, api.withCount(Outcomes.of("5xx")));
        Call call = call();
        limiter.check(API, call);
        call.decisions().settle("api", 2).join();
        call.decisions().ended(200);
        assertThat(remaining(limiter, "api")).isEqualTo(1);
    }

    @Test
    void storeThatIsAwayIsNoFaultOfTheClients() {
        HttpVerdict rejected = limiter(away(), FieldStyle.BOTH, api.withOnStoreFailure(OnStoreFailure.REJECT))
                .check(API, call());
        assertThat(rejected.status()).isEqualTo(503);
        assertThat(rejected.fields()).containsExactly(entry("Retry-After", "1"), entry("Cache-Control", "no-store"));
        assertThat(RejectionBody.json().of(rejected, call()))
                .isEqualTo(
                        new RejectionBody.Content(
                                503,
                                "application/json",
                                "{\"error\":{\"code\":\"unavailable\",\"message\":\"The service is temporarily unavailable; try again in a second.\"}}"));
        assertThat(RejectionBody.problem().of(rejected, call()).text())
                .contains(
                        "#temporary-reduced-capacity",
                        "\"status\":503",
                        "\"violated-policies\":[]",
                        "Service Unavailable");

        HttpRateLimiter mixed = limiter(
                away(),
                FieldStyle.X_RATELIMIT,
                api.withOnStoreFailure(OnStoreFailure.ALLOW),
                strict.withOnStoreFailure(OnStoreFailure.REJECT));
        Call call = call();
        assertThat(mixed.check(API, call).fields()).isEmpty();
        assertThat(mixed.check(STRICT, call).status()).isEqualTo(503);
    }

    @Test
    void refundThatIsLostIsNoFailure() {
        Watched store = new Watched();
        store.losesRefunds = true;
        HttpRateLimiter limiter = limiter(store, FieldStyle.X_RATELIMIT, api, strict);
        limiter.check(STRICT, call());
        Call call = call();
        limiter.check(API, call);
        assertThat(limiter.check(STRICT, call).status()).isEqualTo(429);
    }

    @Test
    void unknownLimiterIsNamedAndNegativeCostRejected() {
        HttpRateLimiter limiter = limiter(FieldStyle.X_RATELIMIT);
        assertThatThrownBy(() -> limiter.check(List.of("apu"), call()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no such limiter: 'apu'; known: api, strict");
        assertThat(limiter.limiters().names()).containsExactly("api", "strict");
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.check(BOTH, call(), name -> -1));
    }

    @Test
    void bodiesAreAsDocumented() {
        HttpRateLimiter limiter = limiter(FieldStyle.X_RATELIMIT);
        limiter.check(STRICT, call());
        HttpVerdict rejected = limiter.check(STRICT, call());
        assertThat(RejectionBody.json().of(rejected, call()))
                .isEqualTo(
                        new RejectionBody.Content(
                                429,
                                "application/json",
                                "{\"error\":{\"code\":\"rate_limited\",\"message\":\"Too many requests; try again in 91 seconds.\"}}"));
        assertThat(RejectionBody.problem().of(rejected, call()))
                .isEqualTo(
                        new RejectionBody.Content(
                                429,
                                "application/problem+json",
                                "{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                                        + "\"title\":\"Too Many Requests\",\"status\":429,"
                                        + "\"detail\":\"Too many requests; try again in 91 seconds.\",\"violated-policies\":[\"once\"]}"));
        clock.advance(Duration.ofMillis(90_400));
        assertThat(RejectionBody.json()
                        .of(limiter.check(STRICT, call()), call())
                        .text())
                .contains("in 1 second.");
    }

    /** Some locales have digits of their own, which no machine reads. */
    @Test
    void textForMachinesIsTheSameInEveryLocale() {
        HttpRateLimiter limiter = limiter(FieldStyle.BOTH);
        limiter.check(STRICT, call());
        Locale before = Locale.getDefault();
        try {
            for (String locale : List.of("ar-EG", "fa", "mr", "bn")) {
                Locale.setDefault(Locale.forLanguageTag(locale + "-u-nu-native"));
                HttpVerdict rejected = limiter.check(STRICT, call());
                assertThat(RejectionBody.problem().of(rejected, call()).text()).contains("\"status\":429");
                assertThat(RejectionBody.json().of(rejected, call()).text()).contains("91 seconds");
                assertThat(rejected.fields().toString()).matches("[ -~]*").contains("Retry-After=91");
            }
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void verdictKeepsItsFieldsToItself() {
        HttpVerdict verdict = limiter(FieldStyle.X_RATELIMIT).check(API, call());
        Map<String, String> fields = verdict.fields();
        assertThatThrownBy(() -> fields.put("a", "b")).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void callersListMayChangeAfterwards() {
        HttpRateLimiter limiter = limiter(FieldStyle.IETF);
        Call call = Call.from("203.0.113.7");
        List<String> names = new ArrayList<>(API);
        limiter.check(names, call);
        names.set(0, "strict");
        limiter.check(names, call);
        assertThat(asked).hasSize(2);
    }

    @Test
    void mistakeInOneCostTakesNothingForAnother() {
        HttpRateLimiter limiter = limiter(FieldStyle.IETF);
        Call call = Call.from("203.0.113.7");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.check(BOTH, call, name -> name.equals("api") ? 1 : -1));
        assertThatThrownBy(() -> limiter.check(List.of("api", "nobody"), call, name -> name.equals("api") ? 1 : 2))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(asked).isEmpty();
    }

    @Test
    void draftFieldsOfABucketTellWhenMoreIsAvailableAsRetryAfterDoes() {
        Limit limit = Limit.of(10, Duration.ofMinutes(1)).bucket();
        HttpRateLimiter limiter =
                limiter(new Watched(), FieldStyle.IETF, LimiterSpec.of("api", limit, HttpKeys.clientAddress()));
        List<String> told = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            told.add(check(limiter, "api").get("RateLimit"));
        }
        assertThat(told)
                .startsWith("\"default\";r=9;t=6", "\"default\";r=8;t=6")
                .endsWith("\"default\";r=0;t=6");
        clock.advance(Duration.ofSeconds(2));
        assertThat(check(limiter, "api"))
                .containsEntry("RateLimit-Policy", "\"default\";q=10;w=60")
                .containsEntry("RateLimit", "\"default\";r=0;t=4")
                .containsEntry("Retry-After", "4");
    }

    @Test
    void draftFieldsOfABucketThatHoldsMoreThanItsPermitsAgree() {
        Limit limit = Limit.of(10, Duration.ofMinutes(1)).bucket(50);
        HttpRateLimiter limiter =
                limiter(new Watched(), FieldStyle.BOTH, LimiterSpec.of("api", limit, HttpKeys.clientAddress()));
        assertThat(check(limiter, "api"))
                .containsEntry("X-RateLimit-Limit", "50")
                .containsEntry("RateLimit-Policy", "\"default\";q=50;w=300")
                .containsEntry("RateLimit", "\"default\";r=49;t=6");
    }

    @Test
    void draftFieldsOfASlidingWindowAgreeWithRetryAfter() {
        Limit limit = Limit.of(2, Duration.ofMinutes(1)).sliding();
        HttpRateLimiter limiter =
                limiter(new Watched(), FieldStyle.IETF, LimiterSpec.of("api", limit, HttpKeys.clientAddress()));
        check(limiter, "api");
        clock.advance(Duration.ofSeconds(30));
        check(limiter, "api");
        assertThat(check(limiter, "api"))
                .containsEntry("RateLimit", "\"default\";r=0;t=50")
                .containsEntry("Retry-After", "50");
    }

    private static Map<String, String> check(HttpRateLimiter limiter, String name) {
        return limiter.check(List.of(name), Call.from("203.0.113.7")).fields();
    }

    @Test
    void numbersOfTheDraftFieldsStayIntegersOfStructuredFields() {
        LimiterSpec<HttpCall> most =
                LimiterSpec.of("most", Limit.of(Limit.MAX_PERMITS, Duration.ofHours(1)), HttpKeys.clientAddress());
        HttpRateLimiter limiter = limiter(new Watched(), FieldStyle.IETF, most);
        assertThat(limiter.check(List.of("most"), Call.from("203.0.113.7")).fields())
                .containsEntry("RateLimit-Policy", "\"default\";q=999999999999999;w=3600")
                .containsEntry("RateLimit", "\"default\";r=999999999999999;t=3600");
    }

    private static HttpVerdict join(CompletionStage<HttpVerdict> stage) {
        return stage.toCompletableFuture().join();
    }

    @Test
    void asyncCheckDecidesAsTheOtherOne() {
        HttpRateLimiter limiter = limiter(FieldStyle.BOTH);
        HttpRateLimiter other = limiter(FieldStyle.BOTH);
        for (int i = 0; i < 6; i++) {
            Call async = call();
            Call waited = call();
            for (List<String> names : List.of(API, BOTH, List.<String>of())) {
                HttpVerdict expected = other.check(names, waited, name -> 1);
                HttpVerdict verdict = join(limiter.checkAsync(names, async, name -> 1));
                assertThat(verdict.status()).isEqualTo(expected.status());
                assertThat(verdict.fields()).isEqualTo(expected.fields());
            }
            clock.advance(Duration.ofSeconds(25));
        }
        assertThat(remaining(limiter, "api")).isEqualTo(remaining(other, "api"));
    }

    @Test
    void asyncCheckOfDifferentCostsIsOneDecision() {
        HttpRateLimiter limiter = limiter(FieldStyle.IETF);
        List<String> costs = new ArrayList<>();
        HttpVerdict allowed = join(limiter.checkAsync(BOTH, call(), name -> {
            costs.add(name);
            return name.equals("api") ? 2 : 1;
        }));
        assertThat(allowed.status()).isEqualTo(200);
        assertThat(costs).containsExactly("api", "strict");
        assertThat(asked).hasSize(1);
        assertThat(allowed.fields())
                .containsEntry("RateLimit", "\"burst\";r=1;t=60, \"hourly\";r=2;t=3600, \"once\";r=0;t=91");

        HttpVerdict rejected = join(limiter.checkAsync(BOTH, call(), name -> name.equals("api") ? 0 : 1));
        assertThat(rejected.status()).as("by the other limiter").isEqualTo(429);
        assertThat(remaining(limiter, "api")).isEqualTo(1);
    }

    @Test
    void asyncCheckGivesBackWhatAnEarlierOneTookWhereItRejects() {
        HttpRateLimiter limiter = limiter(FieldStyle.X_RATELIMIT);
        assertThat(join(limiter.checkAsync(STRICT, call(), name -> 1)).allowed())
                .isTrue();
        Call call = call();
        assertThat(join(limiter.checkAsync(API, call, name -> 1)).allowed()).isTrue();
        assertThat(remaining(limiter, "api")).isEqualTo(2);
        assertThat(join(limiter.checkAsync(BOTH, call, name -> 1)).allowed()).isFalse();
        assertThat(remaining(limiter, "api")).isEqualTo(3);
    }

    @Test
    void asyncCheckWaitsForNoStore() {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        Store slow = new Store() {
            private final InProcessStore store = InProcessStore.create(clock);

            @Override
            public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
                return answer.thenCompose(told -> store.tryAcquireAsync(charges));
            }

            @Override
            public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
                return store.settleAsync(decision, actual);
            }

            @Override
            public CompletableFuture<Void> resetAsync(List<Charge> charges) {
                return store.resetAsync(charges);
            }
        };
        HttpRateLimiter limiter = limiter(slow, FieldStyle.X_RATELIMIT, api);
        CompletableFuture<HttpVerdict> verdict =
                limiter.checkAsync(API, call(), name -> 1).toCompletableFuture();
        assertThat(verdict).isNotDone();
        answer.complete(true);
        assertThat(verdict.join().fields()).containsEntry("X-RateLimit-Remaining", "2");
    }

    @Test
    void asyncCheckTellsAMistakeAtOnceAndTakesNothing() {
        HttpRateLimiter limiter = limiter(FieldStyle.X_RATELIMIT);
        assertThatThrownBy(() -> limiter.checkAsync(List.of("api", "serach"), call(), name -> 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limiter.checkAsync(BOTH, call(), name -> name.equals("api") ? 1 : -1));
        assertThat(asked).isEmpty();
    }

    @Test
    void bodyIsAProblemWhereTheClientAsksForOne() {
        HttpRateLimiter limiter = limiter(FieldStyle.X_RATELIMIT);
        limiter.check(STRICT, call());
        HttpVerdict rejected = limiter.check(STRICT, call());
        Map<String, Boolean> problems = Map.ofEntries(
                entry("application/problem+json", true),
                entry("text/html, Application/Problem+JSON ; charset=utf-8", true),
                entry("application/json;q=0.5, application/problem+json;q=0.5", true),
                entry("application/json, application/problem+json;q=0.9", false),
                entry("application/json;q=0.1, application/problem+json;q=0.25", true),
                entry("application/problem+json;Q=0", false),
                entry("application/problem+json;q=lots", false),
                entry("application/json", false),
                entry("*/*", false),
                entry("", false));
        problems.forEach((accept, problem) -> assertThat(RejectionBody.jsonOrProblem()
                        .of(rejected, call().with("Accept", accept))
                        .type())
                .as(accept)
                .isEqualTo(problem ? "application/problem+json" : "application/json"));
        assertThat(RejectionBody.jsonOrProblem().of(rejected, call()).type()).isEqualTo("application/json");
    }

    @Test
    void decisionMadeOtherwiseIsToldInTheWordsOfHttp() {
        HttpRateLimiter limiter = limiter(FieldStyle.X_RATELIMIT);
        limiter.check(API, call());
        Decision taken = limiter.limiters().get("strict").tryAcquire(call(), 1);
        assertThat(limiter.verdict(taken).allowed()).isTrue();
        Decision rejected = limiter.limiters().get("strict").tryAcquire(call(), 1);
        HttpVerdict verdict = limiter.verdict(rejected);
        assertThat(verdict.decision()).isSameAs(rejected);
        assertThat(verdict.status()).isEqualTo(429);
        assertThat(verdict.fields())
                .containsEntry("X-RateLimit-Limit", "1")
                .containsEntry("X-RateLimit-Remaining", "0")
                .containsEntry("Retry-After", "91");
        assertThat(remaining(limiter, "api")).as("not charged").isEqualTo(2);
    }
}
