package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A caller whose stack ends within a decision loses that decision, and nobody else one. */
class StackEndTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final List<Charge> CHARGES =
            List.of(new Charge("api", Limit.of("only", Limit.MAX_PERMITS, Duration.ofHours(1)), Key.of("client")));

    /** How many decisions a thread gets on its way up, before it stops. */
    private static final int DECISIONS = 20;

    private static final int THREADS = 8;

    /** Calls counted as on their way that never were, a connection that was never told what to write: no more answers, and health UP. */
    @Test
    void storeDecidesAsBeforeAfterStacksOfCallersHaveEnded() throws Exception {
        try (RedisProcess process = RedisProcess.start();
                RedisStore store =
                        RedisStore.builder().uri(process.uri()).timeout(TIMEOUT).build()) {
            assertThat(store.awaitReady(Duration.ofSeconds(45))).isTrue();
            Deque<Decision> taken = new ArrayDeque<>();
            for (int i = 0; i <= THREADS * DECISIONS; i++) {
                taken.add(store.tryAcquire(CHARGES));
            }
            List<Runnable> asked = List.of(
                    () -> store.tryAcquire(CHARGES),
                    () -> store.tryAcquireAsync(CHARGES).toCompletableFuture().join(),
                    () -> {
                        // A decision is refunded once: one whose refund had no room is there for the next.
                        store.refundAsync(taken.element()).toCompletableFuture().join();
                        taken.remove();
                    },
                    () -> store.resetAsync(CHARGES).toCompletableFuture().join());
            asked.forEach(Runnable::run); // linking the code for the first time takes ten times the room
            int overflows = 0;
            for (int i = 0; i < THREADS; i++) {
                Diver diver = new Diver(asked.get(i % asked.size()));
                // Of another size each, so that the stacks end at other places.
                Thread deep = new Thread(null, diver, "deep", (1 << 18) + i * 4096L);
                deep.setDaemon(true);
                deep.start();
                deep.join();
                assertThat(diver.others).isEmpty();
                // None, now and then: where the virtual machine has not guarded the stack's end anew.
                overflows += diver.overflows;
                assertThat(diver.decisions).isEqualTo(DECISIONS);

                assertThat(store.tryAcquire(CHARGES).allowed()).isTrue();
                assertThat(store.statistics().pending()).isZero();
            }
            assertThat(overflows).as("decisions that had no room").isPositive();
            assertThat(store.statistics().total().failedCalls()).isZero();
        }
    }

    /** Dives to the end of the stack, and asks at every depth on the way up. */
    private static final class Diver implements Runnable {

        private final Runnable ask;
        private final List<RuntimeException> others = new ArrayList<>();
        private int overflows;
        private int decisions;

        Diver(Runnable ask) {
            this.ask = ask;
        }

        @Override
        @SuppressWarnings("InfiniteRecursion") // that is the point
        public void run() {
            try {
                run();
            } catch (StackOverflowError e) {
                overflows = 0;
            }
            if (decisions < DECISIONS) {
                try {
                    ask.run();
                    decisions++;
                } catch (StackOverflowError e) {
                    overflows++;
                } catch (RuntimeException e) {
                    others.add(e);
                    decisions++;
                }
            }
        }
    }
}
