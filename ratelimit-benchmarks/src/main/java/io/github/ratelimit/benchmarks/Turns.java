package io.github.ratelimit.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/**
 * Contenders in turns of one run on one server. Prints decisions a second, their latency, and calls and time of the server for each, as
 * medians of the turns.
 */
final class Turns {

    /** Asks for one decision on the key and waits for it. */
    @FunctionalInterface
    interface Contender {
        void decide(int key) throws Exception;
    }

    /** One turn of one contender. */
    record Turn(double perSecond, double p50, double p99, double calls, double serverMicros) {}

    private final int turns;
    private final long nanos;
    private final DoubleSupplier serverCpu;
    private final LongSupplier serverCalls;

    /**
     * Makes them.
     *
     * @param seconds how long each takes
     * @param serverCpu seconds that the server has worked
     * @param serverCalls calls that it has answered
     */
    Turns(int turns, int seconds, DoubleSupplier serverCpu, LongSupplier serverCalls) {
        this.turns = turns;
        this.nanos = seconds * 1_000_000_000L;
        this.serverCpu = serverCpu;
        this.serverCalls = serverCalls;
    }

    /** The value of {@code name=value} among the arguments. */
    static int option(String[] args, String name, int otherwise) {
        return Arrays.stream(args)
                .filter(arg -> arg.startsWith(name + "="))
                .map(arg -> Integer.valueOf(arg.substring(name.length() + 1)))
                .findFirst()
                .orElse(otherwise);
    }

    /** A key of so many. */
    static int any(int keys) {
        return keys == 1 ? 0 : ThreadLocalRandom.current().nextInt(keys);
    }

    /** Asks each from so many threads. */
    void together(String title, int threads, int keys, Map<String, Contender> contenders) throws Exception {
        Map<String, Callable<Turn>> all = new LinkedHashMap<>();
        contenders.forEach((name, contender) -> all.put(name, () -> turn(threads, keys, contender)));
        compare(title, all);
    }

    /** Lets each have its turns, and prints their medians. */
    void compare(String title, Map<String, Callable<Turn>> contenders) throws Exception {
        Map<String, List<Turn>> results = new LinkedHashMap<>();
        for (int turn = -1; turn < turns; turn++) { // the first warms up
            for (Map.Entry<String, Callable<Turn>> each : contenders.entrySet()) {
                Turn result = each.getValue().call();
                if (turn >= 0) {
                    results.computeIfAbsent(each.getKey(), name -> new ArrayList<>())
                            .add(result);
                }
            }
        }
        print(title, results);
    }

    private Turn turn(int threads, int keys, Contender contender) throws Exception {
        return turn(end -> {
            List<long[]> latencies = new ArrayList<>();
            List<Thread> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                Thread thread = new Thread(() -> {
                    long[] own = decide(end, keys, contender);
                    synchronized (latencies) {
                        latencies.add(own);
                    }
                });
                running.add(thread);
                thread.start();
            }
            for (Thread thread : running) {
                thread.join();
            }
            return latencies.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        });
    }

    private static long[] decide(long end, int keys, Contender contender) {
        long[] own = new long[1 << 16];
        int count = 0;
        try {
            for (long now = System.nanoTime(); now < end; ) {
                contender.decide(any(keys));
                long after = System.nanoTime();
                if (count == own.length) {
                    own = Arrays.copyOf(own, 2 * count);
                }
                own[count++] = after - now;
                now = after;
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return Arrays.copyOf(own, count);
    }

    /** Decides until a moment. */
    @FunctionalInterface
    interface Work {

        /** Returns how long each decision took, in ascending order; zero if that is not known. */
        long[] until(long end) throws Exception;
    }

    /** One turn. */
    Turn turn(Work work) throws Exception {
        double cpu = serverCpu.getAsDouble();
        long calls = serverCalls.getAsLong();
        long[] all = work.until(System.nanoTime() + nanos);
        double decisions = all.length;
        return new Turn(
                decisions / (nanos / 1e9),
                all[all.length / 2] / 1e3,
                all[(int) (all.length * 0.99)] / 1e3,
                (serverCalls.getAsLong() - calls) / decisions,
                (serverCpu.getAsDouble() - cpu) * 1e6 / decisions);
    }

    private static void print(String title, Map<String, List<Turn>> results) {
        System.out.printf(
                Locale.ROOT,
                "%n%-38s %12s %10s %10s %9s %10s%n",
                title,
                "decisions/s",
                "p50 us",
                "p99 us",
                "calls",
                "server us");
        results.forEach((name, of) -> System.out.printf(
                Locale.ROOT,
                "%-38s %,12.0f %10.1f %10.1f %9.3f %10.2f%n",
                name,
                median(of, Turn::perSecond),
                median(of, Turn::p50),
                median(of, Turn::p99),
                median(of, Turn::calls),
                median(of, Turn::serverMicros)));
    }

    private static double median(List<Turn> turns, ToDoubleFunction<Turn> figure) {
        double[] all = turns.stream().mapToDouble(figure).sorted().toArray();
        return all[all.length / 2];
    }
}
