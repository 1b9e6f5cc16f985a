package io.github.ratelimit;

import static io.github.ratelimit.contract.StoreContract.costing;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.InProcessStore.WhenFull;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Floods of fresh keys, in processes of their own with as little memory as is promised to be enough. */
@Tag("load")
class AttackTest {

    private static final boolean FULL = Boolean.getBoolean("full");

    private static String run(String memory, Class<?> main, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(memory.split(" ")));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
            System.out.print(output);
            assertThat(process.exitValue()).as(output).isZero();
            return output;
        } finally {
            process.destroyForcibly();
        }
    }

    /** 10^6 keys into 100,000 counters in 64 MB here; {@code -Dfull} sends 10^7 into a store of the default size in 256 MB. */
    @Test
    void freshKeysGiveNoUsedUpCounterANewBudgetAndAreNotRejected() throws Exception {
        String output = FULL
                ? run("-Xmx256m", Flood.class, "10000000", "EVICT", "2097152")
                : run("-Xmx64m", Flood.class, "1000000", "EVICT", "100000");
        assertThat(output)
                .contains("came back: 0 of 1000; fresh keys rejected: 0 of")
                .doesNotContain("evicted: 0\n");
    }

    @Test
    void storeThatRejectsFreshKeysEvictsNothing() throws Exception {
        String output = FULL
                ? run("-Xmx256m", Flood.class, "10000000", "REJECT", "2097152")
                : run("-Xmx64m", Flood.class, "1000000", "REJECT", "100000");
        assertThat(output).contains("came back: 0 of 1000").endsWith("evicted: 0\n");
    }

    /** The row "memory at -Xmx160m, 12 limits": a count was lost. Full of counters of twelve limits, each of them exact. */
    @Test
    void littleMemoryAndManyLimitsLoseNoCount() throws Exception {
        assertThat(run("-Xmx160m", ManyLimits.class, FULL ? "140000" : "40000")).contains("lost: 0 of");
    }

    /** Memory ends in the midst of a table's growth: the caller of a fresh key is told so, and every count that was there stays. */
    @Test
    @EnabledIfSystemProperty(named = "full", matches = "true")
    void memoryThatDoesNotSufficeToGrowLosesNoCount() throws Exception {
        // The serial collector moves what is left together: what fails are the tables, not a request's small objects.
        assertThat(run("-Xmx48m -XX:+UseSerialGC", TooLittleMemory.class))
                .contains("failures: 10; lost: 0 of")
                .endsWith("evicted 0\n");
    }

    private static List<Charge> charges(Limit limit, String key) {
        return List.of(new Charge("flood", limit, Key.of(key)));
    }

    /** Uses up 1000 counters, sends fresh keys, and asks the used-up ones again. */
    static final class Flood {

        public static void main(String[] args) {
            int keys = Integer.parseInt(args[0]);
            Limit limit = Limit.of("burst", 60, Duration.ofHours(1));
            InProcessStore store = InProcessStore.builder()
                    .maximumCounters(Integer.parseInt(args[2]))
                    .whenFull(WhenFull.valueOf(args[1]))
                    .build();
            for (int i = 0; i < 1000; i++) {
                store.tryAcquire(costing(charges(limit, "hot-" + i), 60));
            }
            long before = heap();
            int rejected = 0;
            for (int i = 0; i < keys; i++) {
                if (!store.tryAcquire(charges(limit, "fresh-" + i)).allowed()) {
                    rejected++;
                }
            }
            long grown = heap() - before;
            int back = 0;
            for (int i = 0; i < 1000; i++) {
                if (store.tryAcquire(charges(limit, "hot-" + i)).allowed()) {
                    back++;
                }
            }
            System.out.printf(
                    "%s: heap grown by %d MiB; used-up counters that came back: %d of 1000; fresh keys rejected: %d of %d; evicted: %d%n",
                    args[1], grown >> 20, back, rejected, keys, store.evicted());
        }

        private static long heap() {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            return runtime.totalMemory() - runtime.freeMemory();
        }
    }

    /** Counts many keys by twelve limits each and looks at every count. */
    static final class ManyLimits {

        public static void main(String[] args) {
            int keys = Integer.parseInt(args[0]);
            List<Limit> limits = IntStream.range(0, 12)
                    .mapToObj(i -> Limit.of("limit-" + i, 100 + i, Duration.ofHours(1 + i)))
                    .toList();
            InProcessStore store = InProcessStore.create();
            for (int round = 1; round <= 2; round++) {
                for (int i = 0; i < keys; i++) {
                    store.tryAcquire(costing(all(limits, i), round));
                }
            }
            long lost = 0;
            for (int i = 0; i < keys; i++) {
                for (LimitStatus status :
                        store.tryAcquire(costing(all(limits, i), 0)).statuses()) {
                    lost += status.remaining() == status.limit().permits() - 3 ? 0 : 1;
                }
            }
            System.out.printf(
                    "twelve limits: lost: %d of %d; counters %d; evicted %d%n",
                    lost, 12L * keys, store.counters(), store.evicted());
        }

        private static List<Charge> all(List<Limit> limits, int key) {
            Key of = Key.of("key-" + key);
            return limits.stream().map(limit -> new Charge("many", limit, of)).toList();
        }
    }

    /** Counts fresh keys until tables have failed to grow, and looks at every count. */
    static final class TooLittleMemory {

        public static void main(String[] args) {
            Limit limit = Limit.of("burst", 60, Duration.ofHours(1));
            InProcessStore store =
                    InProcessStore.builder().maximumCounters(1 << 24).build();
            List<byte[]> reserve = new ArrayList<>(); // given up bit by bit: without it, nothing at all could be done
            for (int i = 0; i < 12; i++) {
                reserve.add(new byte[900 * 1024]);
            }
            BitSet counted = new BitSet();
            int failures = 0;
            for (int i = 0; failures < 10 && i < 1 << 24; i++) {
                try {
                    store.tryAcquire(costing(charges(limit, "key-" + i), 7));
                    counted.set(i);
                } catch (OutOfMemoryError e) {
                    reserve.remove(reserve.size() - 1);
                    failures++;
                }
            }
            reserve.clear();
            int lost = 0;
            for (int i = counted.nextSetBit(0); i >= 0; i = counted.nextSetBit(i + 1)) {
                for (LimitStatus status :
                        store.tryAcquire(charges(limit, "key-" + i)).statuses()) {
                    lost += status.remaining() == 52 ? 0 : 1;
                }
            }
            System.out.printf(
                    "too little memory: failures: %d; lost: %d of %d; evicted %d%n",
                    failures, lost, counted.cardinality(), store.evicted());
        }
    }

    /**
     * A stack that is full where the counter is locked. Compiled callers with interpreted callees are the worst of what a JVM does: what is
     * needed to go on may then be more than what has been had before.
     */
    @Test
    void overflownStackLocksNobodyOut() throws Exception {
        String interpreted = List.of(
                        "Segment::words",
                        "CounterAccess::take",
                        "CounterAccess::write",
                        "FixedWindow::take",
                        "Limit::permits")
                .stream()
                .map(method -> " -XX:CompileCommand=exclude,io.github.ratelimit.internal.memory." + method)
                .collect(joining());
        String output =
                run("-XX:+UseSerialGC -XX:CompileCommand=quiet" + interpreted, Overflow.class, FULL ? "4000" : "300");
        assertThat(output).contains("counts still");
    }

    /** A window that begins where the stack is full has in it what was counted in it, and nothing of the one before. */
    @Test
    void overflownStackTakesNoCountIntoTheNextWindow() throws Exception {
        String interpreted = " -XX:CompileCommand=exclude,io.github.ratelimit.internal.memory.Segment::begin";
        String output = run(
                "-XX:+UseSerialGC -XX:CompileCommand=quiet" + interpreted,
                OverflowAtTheEnd.class,
                FULL ? "4000" : "300");
        assertThat(output).contains("from windows before: 0");
    }

    /** Overflows a stack again and again by decisions each of which begins a window. */
    static final class OverflowAtTheEnd {

        private static final Duration WINDOW = Duration.ofSeconds(1);
        private static volatile long moment;
        private static volatile int cost;

        public static void main(String[] arguments) throws InterruptedException {
            InProcessStore store = InProcessStore.builder()
                    .time(new TimeSource() {
                        @Override
                        public long nanoTime() {
                            return moment;
                        }

                        @Override
                        public Instant instant() {
                            return Instant.EPOCH.plusNanos(moment);
                        }
                    })
                    .build();
            List<Charge> charges = List.of(new Charge("a", Limit.of(7, WINDOW), Key.of("ann")));
            int before = 0;
            for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
                int frame = i % 64;
                Thread deep = new Thread(null, () -> shifted(frame, store, charges), "deep", 256 * 1024L);
                deep.start();
                deep.join();
                long used = 7
                        - store.tryAcquire(costing(charges, 0))
                                .statuses()
                                .get(0)
                                .remaining();
                before += used == 0 || used == cost ? 0 : 1;
            }
            System.out.println("from windows before: " + before);
        }

        /** So that the stack does not end at the same place each time. */
        private static void shifted(int frames, InProcessStore store, List<Charge> charges) {
            if (frames > 0) {
                shifted(frames - 1, store, charges);
                return;
            }
            try {
                deeper(store, charges);
            } catch (StackOverflowError e) {
                // that is the point
            }
        }

        @SuppressWarnings({"InfiniteRecursion", "NonAtomicVolatileUpdate"}) // one thread at a time
        private static void deeper(InProcessStore store, List<Charge> charges) {
            moment += WINDOW.toNanos();
            cost = 7 - cost == 7 ? 3 : 7 - cost;
            store.tryAcquire(costing(charges, cost));
            deeper(store, charges);
        }
    }

    /** Overflows a stack again and again while it counts, alone, together with another limit, and giving back. */
    static final class Overflow {

        public static void main(String[] arguments) throws InterruptedException {
            InProcessStore store = InProcessStore.create();
            Limit limit = Limit.of(Limit.MAX_PERMITS, Duration.ofHours(1));
            List<Charge> one = List.of(new Charge("a", limit, Key.of("ann")));
            List<Charge> two = List.of(one.get(0), new Charge("b", limit, Key.of("ann")));
            int overflows = Integer.parseInt(arguments[0]);
            for (int i = 0; i < overflows; i++) {
                List<Charge> charges = i % 2 == 0 ? one : two;
                boolean givesBack = i % 4 > 1;
                Thread deep = new Thread(null, () -> overflow(store, charges, givesBack), "deep", 256 * 1024L);
                deep.setDaemon(true);
                deep.start();
                deep.join(60_000);
                if (deep.isAlive()) {
                    System.out.println("waits for a lock after overflow " + i);
                    System.exit(1);
                }
            }
            System.out.println("counts still: " + store.tryAcquire(two).allowed());
        }

        private static void overflow(InProcessStore store, List<Charge> charges, boolean givesBack) {
            try {
                deeper(store, charges, givesBack);
            } catch (StackOverflowError e) {
                // that is the point
            }
        }

        @SuppressWarnings("InfiniteRecursion")
        private static void deeper(InProcessStore store, List<Charge> charges, boolean givesBack) {
            Decision decision = store.tryAcquire(charges);
            if (givesBack) {
                store.refundAsync(decision);
            }
            deeper(store, charges, givesBack);
        }
    }
}
