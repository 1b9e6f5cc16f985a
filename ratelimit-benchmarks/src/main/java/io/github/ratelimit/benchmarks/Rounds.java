package io.github.ratelimit.benchmarks;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Takes JMH's benchmarks in turns: every one in its own process once a round, so that whatever else the machine does meets all of them,
 * and compares them within each round.
 *
 * <p>{@code java -cp benchmarks.jar io.github.ratelimit.benchmarks.Rounds 5 boundCaffeine KeyedBenchmark -t 1}: how many rounds, whom to
 * compare with, and what JMH is told.
 */
public final class Rounds {

    /** What was seen of one benchmark with one set of parameters. */
    private static final class Seen {
        final Figures time = new Figures();
        final Figures timeRatio = new Figures();
        final Figures cpu = new Figures();
        final Figures cpuRatio = new Figures();
        final Figures bytes = new Figures();
    }

    private final String baseline;
    private final Map<String, Map<String, Seen>> byParameters = new LinkedHashMap<>();

    private Rounds(String baseline) {
        this.baseline = baseline;
    }

    /** Measures and prints a table for each set of parameters. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length < 3) {
            throw new IllegalArgumentException(
                    "arguments must be: rounds, the method to compare with, and what JMH is told");
        }
        int count = Integer.parseInt(arguments[0]);
        Rounds rounds = new Rounds(arguments[1]);
        String[] told = Arrays.copyOfRange(arguments, 2, arguments.length);
        for (int round = 0; round < count; round++) {
            rounds.add(new Runner(new OptionsBuilder()
                            .parent(new CommandLineOptions(told))
                            .addProfiler(GCProfiler.class)
                            .addProfiler(CpuTime.class)
                            .build())
                    .run());
        }
        rounds.print(count);
    }

    private void add(Collection<RunResult> results) {
        Map<String, RunResult> bounds = new LinkedHashMap<>();
        for (RunResult result : results) {
            if (method(result.getParams()).equals(baseline)) {
                bounds.put(parameters(result.getParams()), result);
            }
        }
        for (RunResult result : results) {
            String parameters = parameters(result.getParams());
            Seen seen = byParameters
                    .computeIfAbsent(parameters, any -> new LinkedHashMap<>())
                    .computeIfAbsent(method(result.getParams()), any -> new Seen());
            seen.time.add(time(result));
            seen.cpu.add(secondary(result, CpuTime.LABEL));
            seen.bytes.add(secondary(result, "gc.alloc.rate.norm"));
            RunResult bound = bounds.get(parameters);
            if (bound != null) {
                seen.timeRatio.add(time(result) / time(bound));
                seen.cpuRatio.add(secondary(result, CpuTime.LABEL) / secondary(bound, CpuTime.LABEL));
            }
        }
    }

    private static double time(RunResult result) {
        return result.getPrimaryResult().getScore();
    }

    @SuppressWarnings("rawtypes") // as JMH gives them
    private static double secondary(RunResult result, String label) {
        for (Map.Entry<String, Result> each : result.getSecondaryResults().entrySet()) {
            if (each.getKey().endsWith(label)) {
                return each.getValue().getScore();
            }
        }
        return Double.NaN;
    }

    private void print(int rounds) {
        byParameters.forEach((parameters, contenders) -> {
            System.out.printf("%n%s, %d rounds: median [quartiles]%n%n", parameters, rounds);
            System.out.printf("| contender | time | ÷ `%s` | CPU ns | ÷ `%s` | bytes |%n", baseline, baseline);
            System.out.println("|---|---|---|---|---|---|");
            contenders.forEach((name, seen) -> System.out.printf(
                    "| `%s` | %s | %s | %s | %s | %s |%n",
                    name,
                    seen.time.text("%.1f"),
                    seen.timeRatio.isEmpty() ? "" : seen.timeRatio.text("%.2f"),
                    seen.cpu.text("%.1f"),
                    seen.cpuRatio.isEmpty() ? "" : seen.cpuRatio.text("%.2f"),
                    String.format(Locale.ROOT, "%.0f", seen.bytes.median())));
        });
    }

    private static String method(BenchmarkParams params) {
        return params.getBenchmark().substring(params.getBenchmark().lastIndexOf('.') + 1);
    }

    private static String parameters(BenchmarkParams params) {
        String given = params.getParamsKeys().stream()
                .sorted()
                .map(key -> key + "=" + params.getParam(key))
                .collect(joining(", "));
        return given + (given.isEmpty() ? "" : ", ") + "threads=" + params.getThreads();
    }
}
