package io.github.ratelimit.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.LimiterSpec.Rule;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.Store;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.UnknownLimiterException;
import io.github.ratelimit.contract.TestClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class HttpRateLimiterTest {

    /** 2026-11-20T10:00:00.250Z. */
    private static final long START = 1_795_168_800L;

    private final TestClock clock = new TestClock();
    private final LimiterSpec<HttpCall> api = new LimiterSpec<>(
            "api",
            List.of(
                    new Rule<>(Limit.of("burst", 3, Duration.ofMinutes(1)), HttpKeys.clientAddress()),
                    new Rule<>(Limit.of("hourly", 4, Duration.ofHours(1)), HttpKeys.clientAddress())));
    private final LimiterSpec<HttpCall> strict =
            LimiterSpec.of("strict", Limit.of("once", 1, Duration.ofMillis(90_500)), HttpKeys.clientAddress());

    private HttpRateLimiter limiter(FieldStyle style) {
        return limiter(InProcessStore.create(clock), style, api, strict);
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

    @Test
    void allowedCallTellsWhereItsTightestLimitStands() {
        HttpVerdict verdict = limiter(FieldStyle.LEGACY).check("api", call());
        assertThat(verdict.allowed()).isTrue();
        assertThat(verdict.status()).isEqualTo(200);
        assertThat(verdict.limiter()).isEqualTo("api");
        assertThat(verdict.fields())
                .containsExactly(
                        entry("X-RateLimit-Limit", "3"),
                        entry("X-RateLimit-Remaining", "2"),
                        entry("X-RateLimit-Reset", Long.toString(START + 61)));
    }

    @Test
    void refusedCallIsToldWhenToComeBack() {
        HttpRateLimiter limiter = limiter(FieldStyle.LEGACY);
        for (int i = 0; i < 3; i++) {
            assertThat(limiter.check("api", call()).allowed()).isTrue();
        }
        clock.advance(Duration.ofMillis(59_001));
        HttpVerdict verdict = limiter.check("api", call());
        assertThat(verdict.allowed()).isFalse();
        assertThat(verdict.status()).isEqualTo(429);
        assertThat(verdict.fields())
                .containsExactly(
                        entry("X-RateLimit-Limit", "3"),
                        entry("X-RateLimit-Remaining", "0"),
                        entry("X-RateLimit-Reset", Long.toString(START + 61)),
                        entry("Retry-After", "1"));

        clock.advance(Duration.ofMillis(999));
        assertThat(limiter.check("api", call()).allowed()).isTrue();
        HttpVerdict hourly = limiter.check("api", call());
        assertThat(hourly.fields())
                .as("now the other limit is exceeded")
                .containsEntry("X-RateLimit-Limit", "4")
                .containsEntry("Retry-After", "3540");
    }

    @Test
    void retryAfterIsNeverZero() {
        HttpRateLimiter limiter = limiter(FieldStyle.LEGACY);
        limiter.check("strict", call());
        clock.advance(Duration.ofMillis(90_499).plusNanos(999_999));
        assertThat(limiter.check("strict", call()).fields()).containsEntry("Retry-After", "1");
    }

    @Test
    void costThatNeverFitsIsNotSentAwayToComeBack() {
        HttpVerdict verdict = limiter(FieldStyle.LEGACY).check("api", call(), 4);
        assertThat(verdict.status()).isEqualTo(429);
        assertThat(verdict.fields()).doesNotContainKey("Retry-After").containsEntry("X-RateLimit-Remaining", "3");
        assertThat(RefusalBody.json().of(verdict).text()).contains("split it");
    }

    @Test
    void callIsChargedOnceByALimiter() {
        HttpRateLimiter limiter = limiter(FieldStyle.LEGACY);
        Call call = call();
        HttpVerdict first = limiter.check("api", call);
        assertThat(limiter.check("api", call)).isEqualTo(first);
        assertThat(limiter.check("api", call(), 0).fields()).containsEntry("X-RateLimit-Remaining", "2");
    }

    @Test
    void fieldsSpeakOfAllLimitersThatACallHasMet() {
        HttpRateLimiter limiter = limiter(FieldStyle.BOTH);
        Call call = call();
        limiter.check("api", call);
        assertThat(limiter.check("strict", call).fields())
                .containsExactly(
                        entry("X-RateLimit-Limit", "1"),
                        entry("X-RateLimit-Remaining", "0"),
                        entry("X-RateLimit-Reset", Long.toString(START + 91)),
                        entry("RateLimit-Policy", "\"burst\";q=3;w=60, \"hourly\";q=4;w=3600, \"once\";q=1;w=91"),
                        entry("RateLimit", "\"burst\";r=2;t=60, \"hourly\";r=3;t=3600, \"once\";r=0;t=91"));
    }

    @Test
    void draftStyleSendsTheDraftsFieldsAlone() {
        assertThat(limiter(FieldStyle.DRAFT).check("api", call()).fields())
                .containsOnlyKeys("RateLimit-Policy", "RateLimit");
    }

    @Test
    void refusedCallCostsTheLimitersBeforeNothing() {
        HttpRateLimiter limiter = limiter(FieldStyle.LEGACY);
        limiter.check("strict", call());
        for (int i = 0; i < 5; i++) {
            Call call = call();
            assertThat(limiter.check("api", call, 2).allowed()).isTrue();
            assertThat(limiter.check("strict", call).allowed()).isFalse();
        }
        assertThat(limiter.check("api", call(), 0).fields()).containsEntry("X-RateLimit-Remaining", "3");
    }

    @Test
    void storeThatIsAwayIsNoFaultOfTheClients() {
        Store away = new Store() {
            @Override
            public CompletionStage<Decision> tryAcquireAsync(String limiter, List<Charge> charges, long cost) {
                return CompletableFuture.failedFuture(new StoreException("away", null));
            }

            @Override
            public CompletionStage<Void> refundAsync(String limiter, List<Charge> charges, long cost) {
                return CompletableFuture.failedFuture(new StoreException("away", null));
            }

            @Override
            public CompletionStage<Void> resetAsync(String limiter, List<Charge> charges) {
                return CompletableFuture.failedFuture(new StoreException("away", null));
            }
        };
        HttpVerdict refused = limiter(away, FieldStyle.BOTH, api.withOnStoreFailure(OnStoreFailure.REFUSE))
                .check("api", call());
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.fields()).containsExactly(entry("Retry-After", "1"));
        assertThat(RefusalBody.json().of(refused).text()).contains("\"code\":\"unavailable\"");
        assertThat(RefusalBody.problem().of(refused).text())
                .contains("#temporary-reduced-capacity", "\"status\":503", "\"violated-policies\":[]");

        HttpRateLimiter mixed = limiter(
                away,
                FieldStyle.LEGACY,
                api.withOnStoreFailure(OnStoreFailure.ALLOW),
                strict.withOnStoreFailure(OnStoreFailure.REFUSE));
        Call call = call();
        assertThat(mixed.check("api", call).fields()).isEmpty();
        assertThat(mixed.check("strict", call).status()).isEqualTo(503);
    }

    @Test
    void refundThatIsLostIsNoFailure() {
        LimiterSpec<HttpCall> local = api.withOnStoreFailure(OnStoreFailure.LOCAL);
        Store refusesRefunds = new Store() {
            private final InProcessStore store = InProcessStore.create(clock);

            @Override
            public CompletionStage<Decision> tryAcquireAsync(String limiter, List<Charge> charges, long cost) {
                return store.tryAcquireAsync(limiter, charges, cost);
            }

            @Override
            public CompletionStage<Void> refundAsync(String limiter, List<Charge> charges, long cost) {
                return CompletableFuture.failedFuture(new StoreException("away", null));
            }

            @Override
            public CompletionStage<Void> resetAsync(String limiter, List<Charge> charges) {
                return store.resetAsync(limiter, charges);
            }
        };
        HttpRateLimiter limiter = limiter(refusesRefunds, FieldStyle.LEGACY, local, strict);
        limiter.check("strict", call());
        Call call = call();
        limiter.check("api", call);
        assertThat(limiter.check("strict", call).status()).isEqualTo(429);
    }

    @Test
    void unknownLimiterIsNamed() {
        HttpRateLimiter limiter = limiter(FieldStyle.LEGACY);
        assertThatThrownBy(() -> limiter.check("apu", call()))
                .isInstanceOf(UnknownLimiterException.class)
                .hasMessage("no such limiter: 'apu'; known: api, strict");
        assertThat(limiter.limiters().names()).containsExactly("api", "strict");
    }

    @Test
    void bodiesAreAsDocumented() {
        HttpRateLimiter limiter = limiter(FieldStyle.LEGACY);
        limiter.check("strict", call());
        HttpVerdict refused = limiter.check("strict", call());
        assertThat(RefusalBody.json().of(refused))
                .isEqualTo(
                        new RefusalBody.Content(
                                "application/json",
                                "{\"error\":{\"code\":\"rate_limited\",\"message\":\"Too many requests; try again in 91 seconds.\"}}"));
        assertThat(RefusalBody.problem().of(refused))
                .isEqualTo(
                        new RefusalBody.Content(
                                "application/problem+json",
                                "{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                                        + "\"title\":\"Too Many Requests\",\"status\":429,"
                                        + "\"detail\":\"Too many requests; try again in 91 seconds.\",\"violated-policies\":[\"once\"]}"));
        clock.advance(Duration.ofMillis(90_400));
        assertThat(RefusalBody.json().of(limiter.check("strict", call())).text())
                .contains("in 1 second.");
    }

    @Test
    void verdictKeepsItsFieldsToItself() {
        HttpVerdict verdict = limiter(FieldStyle.LEGACY).check("api", call());
        Map<String, String> fields = verdict.fields();
        assertThatThrownBy(() -> fields.put("a", "b")).isInstanceOf(UnsupportedOperationException.class);
    }
}
