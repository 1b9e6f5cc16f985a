package io.github.ratelimit.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.ratelimit.Charge;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a counter takes of the heap, each figure in a process of its own: {@code java -cp benchmarks.jar
 * io.github.ratelimit.benchmarks.CounterMemory}.
 *
 * <p>Beside it a cache that expires and has a bound, of a text and an {@link AtomicLong} for each key: the least that an object for each key
 * takes.
 */
public final class CounterMemory {

    private static final int[] COUNTS = {100_000, 1_000_000, 2_000_000};
    private static final Duration WINDOW = Duration.ofHours(1);
    private static final int COLLECTIONS = 4;

    private CounterMemory() {}

    /** Without arguments: measures and prints a table. With a kind and a count: prints one row of it. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 2) {
            System.out.println(row(arguments[0], Integer.parseInt(arguments[1])));
            return;
        }
        System.out.println(
                "| kept by | keys | counters open | heap | bytes a counter |%n|---|---|---|---|---|".formatted());
        for (String kind : List.of("store", "cache")) {
            for (int count : COUNTS) {
                runAlone(kind, count);
            }
        }
    }

    private static void runAlone(String kind, int count) throws Exception {
        int status = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CounterMemory.class.getName(),
                        kind,
                        Integer.toString(count))
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) {
            throw new IllegalStateException("%s of %d keys ended with status %d".formatted(kind, count, status));
        }
    }

    private static String row(String kind, int count) {
        fill(kind, 1000); // what is loaded and made once is no counter's
        heap(); // so is what its first call frees and loads
        long before = heap();
        Filled filled = fill(kind, count);
        long used = heap() - before;
        long open = filled.open();
        return "| %s | %d | %d | %.1f MiB | %.1f |"
                .formatted(kind, count, open, used / 1024.0 / 1024.0, used / (double) open);
    }

    /** What is filled, and how many counters it has open. */
    private interface Filled {
        long open();
    }

    private static Filled fill(String kind, int count) {
        return switch (kind) {
            case "store" -> store(count);
            case "cache" -> cache(count);
            default -> throw new IllegalArgumentException("kind must be store or cache, was " + kind);
        };
    }

    private static Filled store(int count) {
        InProcessStore store = InProcessStore.create();
        Limit limit = Limit.of("limit", 100, WINDOW);
        for (int i = 0; i < count; i++) {
            store.tryAcquire(List.of(new Charge("limiter", limit, Key.of(text(i)))));
        }
        return store::counters;
    }

    private static Filled cache(int count) {
        Cache<String, AtomicLong> cache = Caffeine.newBuilder()
                .expireAfterWrite(WINDOW)
                .maximumSize(4L * count)
                .build();
        for (int i = 0; i < count; i++) {
            cache.get(text(i), key -> new AtomicLong()).incrementAndGet();
        }
        return cache::estimatedSize;
    }

    private static String text(int i) {
        return "203." + (i >> 16 & 255) + "." + (i >> 8 & 255) + "." + (i & 255);
    }

    private static long heap() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        for (int i = 0; i < COLLECTIONS; i++) {
            memory.gc();
        }
        return memory.getHeapMemoryUsage().getUsed();
    }
}
