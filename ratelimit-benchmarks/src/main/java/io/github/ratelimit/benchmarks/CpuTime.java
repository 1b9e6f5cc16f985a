package io.github.ratelimit.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * CPU time of the whole process for an operation, other threads that work for it included: what a busy machine changes less than time.
 *
 * <p>{@code -prof io.github.ratelimit.benchmarks.CpuTime}; {@link Rounds} asks for it.
 */
public final class CpuTime implements InternalProfiler {

    static final String LABEL = "cpu.norm";

    private long before;

    /** Made by JMH. */
    public CpuTime() {}

    @Override
    public String getDescription() {
        return "CPU time of the process, divided by operations";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = used();
    }

    @Override
    public Collection<ScalarResult> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double nanos =
                (used() - before) / (double) Math.max(1, result.getMetadata().getAllOps());
        return List.of(new ScalarResult(LABEL, nanos, "ns/op", AggregationPolicy.AVG));
    }

    private static long used() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }
}
