package io.github.ratelimit.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class TestClockTest {

    @Test
    void everythingDueHasRunWhenAdvanceReturns() {
        for (int i = 0; i < 2000; i++) {
            TestClock clock = new TestClock();
            List<String> ran = Collections.synchronizedList(new ArrayList<>());
            clock.runAfter(0, () -> ran.add("at once"));
            clock.runAfter(5, () -> {
                ran.add("later");
                clock.runAfter(0, () -> ran.add("behind it"));
            });
            clock.runAfter(6, () -> ran.add("too late"));
            clock.advance(Duration.ofNanos(5));
            assertThat(ran).containsExactly("at once", "later", "behind it");
        }
    }

    @Test
    void cancelledTaskDoesNotRunAndIsNotWaiting() {
        TestClock clock = new TestClock();
        List<String> ran = new ArrayList<>();
        Future<?> task = clock.runAfter(5, () -> ran.add("cancelled"));
        clock.runAfter(5, () -> ran.add("other"));
        task.cancel(false);
        assertThat(clock.waiting()).isEqualTo(1);
        clock.advance(Duration.ofNanos(5));
        assertThat(ran).containsExactly("other");
    }
}
