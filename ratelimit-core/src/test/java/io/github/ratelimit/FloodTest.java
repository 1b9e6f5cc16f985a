package io.github.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A flood of fresh keys in a process of its own, with as little memory as is promised to be enough. */
class FloodTest {

    /** 10^6 keys in 96 MB here; {@code -Dfull} sends 10^7 in 256 MB. */
    @Test
    void memoryIsBoundedAndNoHotCounterIsUnderCounted() throws Exception {
        boolean full = Boolean.getBoolean("full");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        full ? "-Xmx256m" : "-Xmx96m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Flood.class.getName(),
                        full ? "10000000" : "1000000")
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
            System.out.print(output);
            assertThat(process.exitValue()).as(output).isZero();
            assertThat(output).contains("under-counted: 0 of 1000", "wrongly refused: 0 of");
        } finally {
            process.destroyForcibly();
        }
    }

    /** Warms 1000 counters, sends fresh keys, and looks at the counters again. */
    static final class Flood {

        public static void main(String[] args) {
            int keys = Integer.parseInt(args[0]);
            Limit limit = Limit.of("burst", 60, Duration.ofHours(1));
            InProcessStore store = InProcessStore.create();
            for (int i = 0; i < 1000; i++) {
                store.tryAcquire("flood", charges(limit, "hot-" + i), 59);
            }
            long before = heap();
            int refused = 0;
            for (int i = 0; i < keys; i++) {
                if (!store.tryAcquire("flood", charges(limit, "fresh-" + i), 1).allowed()) {
                    refused++;
                }
            }
            long grown = heap() - before;
            int underCounted = 0;
            for (int i = 0; i < 1000; i++) {
                if (store.tryAcquire("flood", charges(limit, "hot-" + i), 2).allowed()) {
                    underCounted++;
                }
            }
            System.out.printf(
                    "%d fresh keys; heap grown by %d MiB; under-counted: %d of 1000; wrongly refused: %d of %d%n",
                    keys, grown >> 20, underCounted, refused, keys);
        }

        private static List<Charge> charges(Limit limit, String key) {
            return List.of(new Charge(limit, Key.of(key)));
        }

        private static long heap() {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            return runtime.totalMemory() - runtime.freeMemory();
        }
    }
}
