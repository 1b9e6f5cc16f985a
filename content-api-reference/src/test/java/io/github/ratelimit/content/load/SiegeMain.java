package io.github.ratelimit.content.load;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.harness.Accounts;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.springframework.util.FileSystemUtils;

/**
 * Attacks a server in every way at once while fifty visitors use it, and prints how they fared.
 *
 * <p>The server is a process of its own with a heap of 512 MB and a database on the disk. Everybody comes from an address of their own. The
 * argument is for how many seconds: 120, if it is not given. Ends with status 1 where a visitor was refused, waited for longer than two seconds,
 * or was told of a failure, and where the disk did not come back: once its owners have deleted what they may delete, and the time is over for which
 * the rest is kept, the running server has as much on the disk as before.
 */
public final class SiegeMain {
    private static final int VISITORS = 50;
    private static final Duration AFTERMATH = Duration.ofSeconds(2);

    /** Longer than anything is kept that strangers leave. */
    private static final int RETENTION_DAYS = 200;

    private static final long MOST_LEFT = 20 << 20;
    private static final int MOST_SECONDS_TO_CLOSE_UP = 120;

    private SiegeMain() {}

    /** Attacks, measures and prints. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Duration length = Duration.ofSeconds(args.length > 0 ? Long.parseLong(args[0]) : 120);
        Path data = Files.createTempDirectory("siege");
        boolean isUnharmed;
        try (BesiegedServer server = BesiegedServer.start(data)) {
            isUnharmed = besiege(server, length);
        } finally {
            FileSystemUtils.deleteRecursively(data);
        }
        System.exit(isUnharmed ? 0 : 1);
    }

    private static boolean besiege(BesiegedServer server, Duration length) throws IOException, InterruptedException {
        URI base = server.base();
        Attacks.Site site = Attacks.prepare(base, Accounts.standard());
        List<Visitor> visitors = new ArrayList<>();
        for (int i = 0; i < VISITORS; i++) {
            visitors.add(new Visitor(base, "127.0.1." + (i + 1), i, TimeSource.system()));
        }
        List<Attack> attacks = new Attacks(base, site).all();
        Duration warmUp = length.dividedBy(6);
        // So that what is measured is the attack, and not what a server does at first.
        run(new ArrayList<>(visitors), warmUp);
        visitors.forEach(Visitor::forget);
        long heapBefore = server.usedHeap();
        long diskBefore = server.usedDisk();

        System.out.println("disk before the siege: " + parts(server));
        List<Attack> all = new ArrayList<>(attacks);
        all.addAll(visitors);
        run(all, length);
        CountDownLatch never = new CountDownLatch(1);
        never.await(AFTERMATH.toMillis(), TimeUnit.MILLISECONDS);

        Visitor.Fate fate = Visitor.together(visitors);
        System.out.printf(
                Locale.ROOT,
                "%d visitors, %d s: %d requests, median %.0f ms, p99 %.0f ms, slowest %.0f ms, %d refused, %d failed%n",
                VISITORS,
                length.toSeconds(),
                fate.requests(),
                fate.median(),
                fate.p99(),
                fate.slowest(),
                fate.refused(),
                fate.failed());
        visitors.stream().flatMap(Visitor::complaints).limit(10).forEach(one -> System.out.println("  " + one));
        System.out.printf(
                Locale.ROOT,
                "heap %.0f MiB before, %.0f after; disk %.0f MiB before, %.0f after; faults in the log: %d%n",
                heapBefore / 1048576.0,
                server.usedHeap() / 1048576.0,
                diskBefore / 1048576.0,
                server.usedDisk() / 1048576.0,
                server.faults().size());
        System.out.println("disk after the siege: " + parts(server));
        attacks.forEach(attack -> System.out.println(attack.report()));
        boolean isUnharmed = fate.isUnharmed() && server.faults().isEmpty();
        Attacks.deleteWhatOwnersDelete(base, Accounts.standard(), site);
        server.doHousekeepingLater(RETENTION_DAYS);
        long disk = server.usedDisk();
        for (int second = 0; second < MOST_SECONDS_TO_CLOSE_UP && disk > diskBefore + MOST_LEFT; second++) {
            never.await(1, TimeUnit.SECONDS);
            disk = server.usedDisk();
        }
        System.out.println("disk after deletion and retention: " + parts(server));
        System.out.printf(Locale.ROOT, "heap %.0f MiB%n", server.usedHeap() / 1048576.0);
        server.faults().stream().limit(10).forEach(line -> System.out.println("  " + line));
        return isUnharmed && server.faults().isEmpty() && disk <= diskBefore + MOST_LEFT;
    }

    private static String parts(BesiegedServer server) {
        return server.usedDiskByPart().entrySet().stream()
                .map(part -> String.format(Locale.ROOT, "%s %.1f MiB", part.getKey(), part.getValue() / 1048576.0))
                .collect(Collectors.joining(", "));
    }

    private static void run(List<? extends Attack> all, Duration length) throws InterruptedException {
        TimeSource time = TimeSource.system();
        long end = time.nanoTime() + length.toNanos();
        ExecutorService threads = Executors.newCachedThreadPool();
        all.forEach(one -> threads.execute(() -> one.until(() -> time.nanoTime() - end > 0)));
        threads.shutdown();
        if (!threads.awaitTermination(length.toSeconds() + 90, TimeUnit.SECONDS)) {
            threads.shutdownNow();
        }
    }
}
