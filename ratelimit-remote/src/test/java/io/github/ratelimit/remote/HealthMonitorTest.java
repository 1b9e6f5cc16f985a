package io.github.ratelimit.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.remote.StoreHealth.State;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What is told of servers that answer or do not. */
class HealthMonitorTest {

    private static HealthMonitor monitor(Executor executor, Consumer<StoreHealth> listener) {
        System.Logger log = System.getLogger(HealthMonitorTest.class.getName());
        return new HealthMonitor(log, TimeSource.system(), "server", executor, listener);
    }

    private static StoreHealth.Shard shard(State state) {
        return new StoreHealth.Shard("server", state, Optional.empty());
    }

    private static StoreHealth.Shard down(String reason) {
        return new StoreHealth.Shard("server", State.DOWN, Optional.of(reason));
    }

    /** One executor thread told DOWN after another had told UP. */
    @Test
    void listenerHearsTheChangesInTheirOrder() throws InterruptedException {
        List<State> told = new CopyOnWriteArrayList<>();
        CountDownLatch both = new CountDownLatch(2);
        Executor reversed = new Executor() {
            private final CountDownLatch second = new CountDownLatch(1);
            private int tasks;

            @Override
            public synchronized void execute(Runnable task) {
                boolean first = tasks++ == 0;
                new Thread(() -> {
                            if (first) {
                                try {
                                    boolean unused = second.await(200, TimeUnit.MILLISECONDS);
                                } catch (InterruptedException e) {
                                    Thread.currentThread().interrupt();
                                }
                            }
                            task.run();
                            if (!first) {
                                second.countDown();
                            }
                        })
                        .start();
            }
        };
        HealthMonitor health = monitor(reversed, changed -> {
            told.add(changed.state());
            both.countDown();
        });
        health.update(List.of(shard(State.DOWN)));
        health.update(List.of(shard(State.UP)));
        assertThat(both.await(45, TimeUnit.SECONDS)).isTrue();
        assertThat(told).containsExactly(State.DOWN, State.UP);
    }

    /** The first attempt to connect may know less than the next one: a closed connection, and then a wrong password. */
    @Test
    void reasonOfAnOutageIsTheNewestOne() {
        HealthMonitor health = monitor(Runnable::run, changed -> {});
        health.update(List.of(down("the connection was closed")));
        health.update(List.of(down("WRONGPASS")));
        assertThat(health.current(List.of(down("WRONGPASS"))).reason()).contains("WRONGPASS");
    }
}
