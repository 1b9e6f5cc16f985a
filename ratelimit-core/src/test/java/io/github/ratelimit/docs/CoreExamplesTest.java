package io.github.ratelimit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Decision;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.LimiterSpec.Rule;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.contract.TestClock;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpKeys;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The examples of docs/getting-started.md and docs/concepts.md. */
class CoreExamplesTest {

    record Mail(String sender, int recipients) {}

    @Test
    void firstRefusal() {
        // region first-refusal
        LimiterSpec<Mail> spec =
                LimiterSpec.of("mail", Limit.of("per-minute", 3, Duration.ofMinutes(1)), mail -> Key.of(mail.sender()));
        Limiters<Mail> limiters =
                Limiters.<Mail>builder(InProcessStore.create()).add(spec).build();
        Limiter<Mail> limiter = limiters.get("mail");

        Mail mail = new Mail("ann@example.org", 1);
        for (int i = 0; i < 3; i++) {
            assertThat(limiter.tryAcquire(mail).allowed()).isTrue();
        }
        Decision fourth = limiter.tryAcquire(mail);
        assertThat(fourth.allowed()).isFalse();
        assertThat(fourth.retryAfter()).isPresent(); // the rest of the minute
        // endregion
    }

    @Test
    void severalLimitsAsOne() {
        // region several-limits
        LimiterSpec<HttpCall> spec = new LimiterSpec<>(
                "api",
                List.of(
                        new Rule<>(
                                Limit.of("burst", 1_000, Duration.ofMinutes(1)),
                                HttpKeys.clientAddress().and(HttpKeys.userAgent())),
                        new Rule<>(Limit.of("hourly", 30_000, Duration.ofHours(1)), HttpKeys.clientAddress())),
                OnStoreFailure.LOCAL,
                false);
        // endregion
        assertThat(spec.rules()).hasSize(2);
    }

    @Test
    void costsAndLooks() {
        TestClock clock = new TestClock();
        // region costs
        Limiters<Mail> limiters = Limiters.<Mail>builder(InProcessStore.create(clock))
                .add(LimiterSpec.of(
                        "mail", Limit.of("recipients", 100, Duration.ofHours(1)), mail -> Key.of(mail.sender())))
                .build();
        Limiter<Mail> limiter = limiters.get("mail");
        Mail newsletter = new Mail("ann@example.org", 80);

        assertThat(limiter.tryAcquire(newsletter, newsletter.recipients()).allowed())
                .isTrue();

        LimitStatus look = limiter.tryAcquire(newsletter, 0).statuses().get(0); // takes nothing
        assertThat(look.remaining()).isEqualTo(20);

        Decision later = limiter.tryAcquire(newsletter, 80); // fits again when the hour is over
        assertThat(later.retryAfter()).contains(Duration.ofHours(1));

        Decision never = limiter.tryAcquire(newsletter, 101); // fits no window
        assertThat(never.allowed()).isFalse();
        assertThat(never.retryAfter()).isEmpty();
        // endregion
    }

    @Test
    void timeByHand() {
        // region test-clock
        TestClock clock = new TestClock();
        Limiter<String> limiter = Limiters.<String>builder(InProcessStore.create(clock))
                .add(LimiterSpec.of("login", Limit.of("per-minute", 1, Duration.ofMinutes(1)), Key::of))
                .build()
                .get("login");
        assertThat(limiter.tryAcquire("ann").allowed()).isTrue();
        assertThat(limiter.tryAcquire("ann").allowed()).isFalse();

        clock.advance(Duration.ofMinutes(1));
        assertThat(limiter.tryAcquire("ann").allowed()).isTrue();
        // endregion
    }
}
