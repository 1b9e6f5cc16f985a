package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.redis.RedisHealth.State;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is told of several masters that change at once. */
class HealthTest {

    private static final int MASTERS = 4;

    private final AtomicReferenceArray<State> states =
            new AtomicReferenceArray<>(Collections.nCopies(MASTERS, State.UP).toArray(State[]::new));

    private List<RedisHealth.Shard> masters() {
        return IntStream.range(0, MASTERS)
                .mapToObj(i -> new RedisHealth.Shard("master-" + i, states.get(i), Optional.empty()))
                .toList();
    }

    /** It was told what somebody had found out before somebody else: DEGRADED, and no change came any more. */
    @Test
    void lastOfSeveralChangesAtOnceHolds() throws Exception {
        Health health = new Health(TimeSource.system(), "some", Runnable::run, told -> {});
        for (int round = 0; round < 200; round++) {
            List<Thread> threads = IntStream.range(0, MASTERS)
                    .mapToObj(i -> new Thread(() -> {
                        for (State state : List.of(State.DOWN, State.UP, State.DOWN, State.UP)) {
                            states.set(i, state);
                            health.update(this::masters);
                        }
                    }))
                    .toList();
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(health.current(masters()).state()).isEqualTo(State.UP);
        }
    }
}
