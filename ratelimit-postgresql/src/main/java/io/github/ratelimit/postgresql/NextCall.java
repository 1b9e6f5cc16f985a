package io.github.ratelimit.postgresql;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;

/** Has a thread that has just brought an answer make the next call, too: another one would have to wake up. */
final class NextCall {

    /** Of a thread that makes calls. */
    private static final ThreadLocal<@Nullable Deque<Runnable>> NEXT = new ThreadLocal<>();

    private NextCall() {}

    /** Makes a call after the present one, if this thread makes calls, has none to make yet, and no other work waits; else on one of the threads. */
    static void make(Runnable call, ThreadPoolExecutor threads) {
        Deque<Runnable> own = NEXT.get();
        if (own != null && own.isEmpty() && threads.getQueue().isEmpty()) {
            own.add(call);
            return;
        }
        threads.execute(() -> {
            Deque<Runnable> next = new ArrayDeque<>(List.of(call));
            NEXT.set(next);
            try {
                while (!next.isEmpty()) {
                    next.remove().run();
                }
            } finally {
                NEXT.remove();
            }
        });
    }
}
