package io.github.ratelimit.spring.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeriesTest {

    private final Series series = new Series();

    private void add(long second, int times) {
        for (int i = 0; i < times; i++) {
            series.add(second);
        }
    }

    @Test
    void tenSecondsAreAPointAndNinetyPointsAreKept() {
        add(1, 3);
        add(9, 4);
        add(10, 5);
        assertThat(series.points(10)).containsExactly(7, 5);

        add(899, 1);
        assertThat(series.points(899)).hasSize(90).startsWith(7, 5, 0).endsWith(0, 1);
        assertThat(series.points(900)).hasSize(90).startsWith(5, 0).endsWith(1, 0);
        add(900, 1);
        assertThat(series.points(900)).hasSize(90).startsWith(5, 0).endsWith(1, 1);
        assertThat(series.points(2000)).isEmpty();
    }

    @Test
    void rateIsThatOfTheLastFiveSeconds() {
        add(10, 20);
        assertThat(series.rate(10)).isEqualTo(4.0);
        add(14, 5);
        assertThat(series.rate(14)).isEqualTo(5.0);
        assertThat(series.rate(15)).isEqualTo(1.0);
        assertThat(series.rate(1_000_000)).isEqualTo(0.0);
    }

    @Test
    void whoComesLateFromAnEarlierRoundChangesNothing() {
        add(1000, 2);
        add(100, 1);
        assertThat(series.points(1000)).containsExactly(2);
    }

    @Test
    void noCountIsLostBetweenThreads() throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(new Thread(() -> add(5, 10_000)));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(series.points(5)).containsExactly(40_000);
    }
}
