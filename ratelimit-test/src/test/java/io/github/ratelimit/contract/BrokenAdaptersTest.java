package io.github.ratelimit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.contract.FakeAdapter.Fault;
import io.github.ratelimit.http.HttpRateLimiter;
import java.time.Duration;
import java.util.function.ToLongFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The adapters' kit catches what it promises to catch: it is run against adapters that are wrong on purpose. */
class BrokenAdaptersTest {

    private static volatile Fault fault = Fault.NONE;

    /** Not found by its name: it fails on purpose. */
    static class BrokenAdapter extends HttpContract {

        @Override
        protected Server serve(HttpRateLimiter limiter) throws Exception {
            return serve(limiter, name -> 1);
        }

        @Override
        protected Server serveBehindAWrapper(HttpRateLimiter limiter) throws Exception {
            return serve(limiter);
        }

        @Override
        protected Server serve(HttpRateLimiter limiter, ToLongFunction<String> cost) throws Exception {
            return new FakeAdapter(limiter, cost, fault);
        }

        @Override
        protected Duration patience() {
            return Duration.ofMillis(200);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void kitSeesWhatIsWrong(Fault wrong) {
        fault = wrong;
        assertThat(KitRun.failing(BrokenAdapter.class, wrong.seenBy)).containsExactlyInAnyOrderElementsOf(wrong.seenBy);
    }
}
