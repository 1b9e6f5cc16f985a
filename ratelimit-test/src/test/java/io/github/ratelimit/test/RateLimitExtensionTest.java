package io.github.ratelimit.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** A plain test of limited code, and what its extension promises. */
class RateLimitExtensionTest {

    // region plain
    static class Mailer {
        private final Limiter<String> mails;

        Mailer(Limiter<String> mails) {
            this.mails = mails;
        }

        boolean send(String customer) {
            return mails.tryAcquire(customer).allowed();
        }
    }

    @RegisterExtension
    static final RateLimitExtension LIMITS =
            RateLimitExtension.of(LimiterSpec.<String>of("mails", Limit.of(2, Duration.ofHours(1)), Key::of));

    @Test
    void customerGetsTwoMailsAnHour(Limiter<String> mails, TestClock clock) {
        Mailer mailer = new Mailer(mails);
        assertThat(mailer.send("ann")).isTrue();
        assertThat(mailer.send("ann")).isTrue();
        assertThat(mailer.send("ann")).isFalse();

        clock.advance(Duration.ofHours(1));
        assertThat(mailer.send("ann")).isTrue();
    }
    // endregion

    @RepeatedTest(2)
    void eachTestHasWholeBudgets(Limiter<String> mails) {
        assertThat(mails.tryAcquire("ann", 2).allowed()).isTrue();
    }

    @Nested
    class WithSetUp {

        private Limiter<String> given;

        @BeforeEach
        void take(Limiter<String> mails) {
            given = mails;
            assertThat(mails.tryAcquire("ann", 2).allowed()).isTrue();
        }

        @RepeatedTest(2)
        void testAndItsSetUpShareOneStore(
                Limiters<String> limiters, Store store, InProcessStore same, TestClock clock, TimeSource time) {
            assertThat(limiters.get("mails")).isSameAs(given);
            assertThat(limiters.get("mails").tryAcquire("ann").allowed()).isFalse();
            assertThat(store).isSameAs(same);
            assertThat(store.time()).isSameAs(clock).isSameAs(time);
        }
    }

    @Test
    void codeThatMakesItsLimiterIsGivenTheStore() {
        assertThat(failures(StoreCase.class)).isEmpty();
    }

    @Test
    void whatCannotBeGivenIsToldWithTheRemedy() {
        assertThat(failures(ConstructorCase.class))
                .singleElement()
                .asString()
                .contains("TestClock is made for each test: ask for it by a parameter of the test");
        assertThat(failures(TwoLimitersCase.class))
                .singleElement()
                .asString()
                .contains("there are 2 limiters: ask for Limiters and get one by its name");
        LimiterSpec<String> spec = LimiterSpec.of("mails", Limit.of(2, Duration.ofHours(1)), Key::of);
        assertThatThrownBy(() -> RateLimitExtension.of(spec, spec))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("two limiters are called 'mails'");
    }

    /** Why tests of a class failed, run on their own. */
    private static List<String> failures(Class<?> tests) {
        List<String> failures = new ArrayList<>();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass(tests))
                                .build(),
                        new TestExecutionListener() {
                            @Override
                            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                                result.getThrowable().ifPresent(thrown -> failures.add(String.valueOf(thrown)));
                            }
                        });
        return failures;
    }

    @ExtendWith(RateLimitExtension.class)
    static class StoreCase {
        @Test
        void limiterOverTheStoreCountsByTheClock(Store store, TestClock clock) {
            Limiter<String> own = Limiter.of(LimiterSpec.of("own", Limit.of(1, Duration.ofHours(1)), Key::of), store);
            assertThat(own.tryAcquire("ann").allowed()).isTrue();
            assertThat(own.tryAcquire("ann").allowed()).isFalse();
            clock.advance(Duration.ofHours(1));
            assertThat(own.tryAcquire("ann").allowed()).isTrue();
        }
    }

    @ExtendWith(RateLimitExtension.class)
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class ConstructorCase {
        ConstructorCase(TestClock clock) {}

        @Test
        void neverRuns() {}
    }

    static class TwoLimitersCase {
        @RegisterExtension
        static final RateLimitExtension TWO = RateLimitExtension.of(
                LimiterSpec.<String>of("a", Limit.of(1, Duration.ofHours(1)), Key::of),
                LimiterSpec.<String>of("b", Limit.of(1, Duration.ofHours(1)), Key::of));

        @Test
        void asksForOne(Limiter<String> limiter) {}
    }
}
