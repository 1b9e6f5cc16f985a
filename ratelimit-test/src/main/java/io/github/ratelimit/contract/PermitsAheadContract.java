package io.github.ratelimit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Store;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Stores that take permits ahead, as nodes of one service: not one permit too many, and soon not one too few. */
public abstract class PermitsAheadContract {

    private static final boolean FULL = Boolean.getBoolean("full");

    /** Chosen: together with the threads, enough that calls bring several requests. */
    private static final int THREADS = 8;

    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private static final int PERMITS = 20_000;

    /** Of nodes that stand still: used up in most windows, and so short that leases meet their ends. */
    private static final Limit SHORT = Limit.of("short", 5_000, Duration.ofMillis(400));

    /** Between two requests of a thread. */
    private static final long PAUSE_NANOS = 200_000;

    /** Ends of windows that a tally has room for, one for each millisecond. */
    private static final int MILLIS = 600_000;

    private static final int FEWEST_WINDOWS = 5;

    private static final Duration FAULTS = Duration.ofSeconds(FULL ? 60 : 3);

    /** For subclasses. */
    protected PermitsAheadContract() {}

    /** A store that takes permits of the limiter {@code hot} ahead and remembers no rejection. */
    protected abstract Store node();

    /** How many of its decisions needed no call. */
    protected abstract long servedAhead(Store node);

    /** Lets time pass on the server. */
    protected abstract void advance(Duration duration);

    /** A class whose main method calls {@link #askUntilKilled} with a store that takes permits of {@code hot} ahead, and what it is told. */
    protected abstract List<String> program();

    /** Whether processes are stopped and killed without {@code -Dfull} too, which takes seconds. */
    protected boolean killsProcesses() {
        return FULL;
    }

    /** Loses answers that are on their way, and whatever else the server may forget. */
    protected abstract void disturb();

    /** The charges of one request: all windows begin together. */
    private static List<Charge> charges(int limits) {
        Key key = Key.of(UUID.randomUUID().toString());
        return IntStream.range(0, limits)
                .mapToObj(i -> new Charge("hot", Limit.of("limit-" + i, PERMITS * (i + 1L), Duration.ofHours(1)), key))
                .toList();
    }

    private static void ask(Store node, List<Charge> charges, int rejections, Map<Instant, Long> granted) {
        for (int rejected = 0; rejected < rejections; ) {
            Decision decision = node.tryAcquire(charges);
            if (decision.allowed()) {
                granted.merge(decision.statuses().get(0).resetAt(), 1L, Long::sum);
            } else {
                rejected++;
            }
        }
    }

    private static void askTogether(List<Store> nodes, List<Charge> charges, Map<Instant, Long> granted)
            throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS * nodes.size());
        try {
            List<Future<?>> asking = new ArrayList<>();
            for (int i = 0; i < THREADS * nodes.size(); i++) {
                Store node = nodes.get(i % nodes.size());
                asking.add(threads.submit(() -> ask(node, charges, 20, granted)));
            }
            for (Future<?> each : asking) {
                each.get(2, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    static Stream<Arguments> nodesAndLimits() {
        Stream<Arguments> all =
                Stream.of(arguments(3, 2), arguments(1, 1), arguments(2, 2), arguments(4, 3), arguments(8, 1));
        return FULL ? all : all.limit(1);
    }

    @ParameterizedTest
    @MethodSource("nodesAndLimits")
    void nodesShareTheLimitExactly(int count, int limits) throws Exception {
        List<Store> nodes = IntStream.range(0, count).mapToObj(i -> node()).toList();
        try {
            List<Charge> charges = charges(limits);
            Map<Instant, Long> granted = new ConcurrentHashMap<>();
            askTogether(nodes, charges, granted);
            assertThat(granted).hasSize(1);
            assertThat(granted.values()).allMatch(all -> all <= PERMITS);

            Store node = nodes.get(0); // others give back what they hold
            long end = node.time().nanoTime() + Duration.ofSeconds(20).toNanos();
            while (granted.values().iterator().next() < PERMITS && node.time().nanoTime() - end < 0) {
                ask(node, charges, 1, granted);
            }
            assertThat(granted.values()).containsExactly((long) PERMITS);
            assertThat(nodes.stream().mapToLong(this::servedAhead).sum()).isGreaterThan(PERMITS / 10);
        } finally {
            nodes.forEach(Store::close);
        }
    }

    @Test
    void windowsThatEndWhilePermitsAreHeldGrantNoneTooMany() throws Exception {
        List<Store> nodes = List.of(node(), node());
        try {
            List<Charge> charges = charges(1);
            Map<Instant, Long> granted = new ConcurrentHashMap<>();
            for (int window = 0; window < (FULL ? 5 : 2); window++) {
                askTogether(nodes, charges, granted);
                advance(Duration.ofHours(1));
            }
            assertThat(granted.values()).allMatch(all -> all <= PERMITS);
            assertThat(granted).hasSizeGreaterThanOrEqualTo(2);
        } finally {
            nodes.forEach(Store::close);
        }
    }

    @Test
    void refundAndResetEndWhatIsHeld() throws Exception {
        try (Store node = node()) {
            List<Charge> charges = charges(1);
            Map<Instant, Long> granted = new ConcurrentHashMap<>();
            askTogether(List.of(node), charges, granted);
            node.resetAsync(charges).get();
            long used = PERMITS - remaining(node, charges);
            assertThat(used).isZero();

            Decision decision = node.tryAcquire(charges);
            node.refundAsync(decision).get();
            assertThat(remaining(node, charges)).isEqualTo(PERMITS);
        }
    }

    /**
     * The program of one of the nodes: asks with a few threads until it is killed, and keeps what it was granted where that survives.
     *
     * @param tally a file of the test
     * @param begun its first millisecond
     */
    public static void askUntilKilled(Store node, Path tally, long begun) throws IOException {
        List<Charge> charges = List.of(new Charge("hot", SHORT, Key.absent()));
        try (FileChannel file = FileChannel.open(tally, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer counts = file.map(FileChannel.MapMode.READ_WRITE, 0, MILLIS * 8L);
            Runnable asking = () -> {
                while (true) {
                    try {
                        Decision decision = node.tryAcquire(charges);
                        if (decision.allowed()) {
                            int end =
                                    (int) (decision.statuses().get(0).resetAt().toEpochMilli() - begun);
                            LONGS.getAndAdd(counts, end * 8, 1L);
                        }
                    } catch (RuntimeException e) {
                        // its connection was cut
                    }
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            };
            IntStream.range(1, THREADS).forEach(i -> new Thread(asking).start());
            asking.run();
        }
    }

    private Process startNode(Path tally, long begun) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", // it ends soon
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))));
        command.addAll(program());
        command.addAll(List.of(tally.toString(), Long.toString(begun)));
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void signal(String name, Process process) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    private static List<Long> tally(Path file) throws IOException {
        long[] counts = new long[MILLIS];
        ByteBuffer.wrap(Files.readAllBytes(file))
                .order(ByteOrder.nativeOrder())
                .asLongBuffer()
                .get(counts);
        return LongStream.of(counts).filter(count -> count > 0).boxed().toList();
    }

    /** Stopped and continued across ends of leases and windows, killed, and cut off from the server while calls are on their way. */
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void nodesThatStandStillOrDieGrantNoneTooMany(@TempDir Path directory) throws Exception {
        assumeTrue(killsProcesses());
        Path tally = Files.write(directory.resolve("tally"), new byte[MILLIS * 8]);
        long begun = Instant.now().toEpochMilli();
        List<Process> nodes = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                nodes.add(startNode(tally, begun));
            }
            Random random = new Random();
            long end = System.nanoTime() + FAULTS.toNanos();
            for (int fault = 1; System.nanoTime() - end < 0 || tally(tally).size() < FEWEST_WINDOWS; fault++) {
                int which = random.nextInt(nodes.size());
                if (fault % 7 == 0) {
                    nodes.get(which).destroyForcibly().waitFor();
                    nodes.set(which, startNode(tally, begun));
                } else if (fault % 3 == 0) {
                    disturb();
                } else {
                    signal("STOP", nodes.get(which));
                    Thread.sleep(random.nextInt(20, 400));
                    signal("CONT", nodes.get(which));
                }
            }
        } finally {
            nodes.forEach(Process::destroyForcibly);
        }
        assertThat(tally(tally)).allMatch(granted -> granted <= SHORT.permits());
    }

    private static long remaining(Store node, List<Charge> charges) {
        return node.tryAcquire(StoreContract.costing(charges, 0))
                .statuses()
                .get(0)
                .remaining();
    }
}
