package io.github.ratelimit.content.load;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.harness.Accounts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;

/**
 * Attacks a server in each way by itself, one after the other, while two readers ask for light things all the time, and prints a row for each.
 *
 * <p>The server is a process of its own with a heap of 512 MB and a database on the disk. Light requests have to be answered within a second
 * throughout; two seconds after each attack they have to take what they took before it, and the server has to hold what it held then. Where
 * that is not so, the attack is made once more, as a pause of the machine falls upon one of them; a row that is red twice makes the status 1.
 * Arguments: for how many seconds each attack goes on, 3 if it is not given, and a pattern that the names of the attacks hold.
 */
public final class EachAttackMain {
    private static final int READERS = 2;
    private static final Duration AFTERMATH = Duration.ofSeconds(2);
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final int ROUNDS = 5;

    private static final double SLOWEST_MILLIS = 1_000;
    /** What the median may be after an attack, times the one before it, and beside that. Chosen: below that is what else a machine does. */
    private static final double TIMES = 2;

    private static final double BESIDE_MILLIS = 10;

    /** Bytes of the heap that an attack may leave. Chosen: the answers that are kept for everybody, 32 MB, and as much of other things. */
    private static final long HEAP_LEFT = 64 << 20;
    /** The same, of all attacks together. */
    private static final long HEAP_LEFT_BY_ALL = 160 << 20;

    private static final long DIRECT_LEFT = 16 << 20;
    /**
     * Bytes of the disk, beside what the attack sent. Chosen: earlier wordings are kept, and the database's file becomes shorter by 4 MB a
     * second once nobody writes. That it does is what {@link SiegeMain} waits for.
     */
    private static final long DISK_LEFT = 64 << 20;
    /** Of threads that are no workers: those of the database, of the indexes and of the virtual machine come and go. */
    private static final long THREADS_LEFT = 8;

    /** What has to be none again, and is printed as it is after an attack. */
    private static final List<String> IN_USE = List.of("workers", "waiting", "queued", "held", "answered", "pooled");

    private final BesiegedServer server;
    private final Duration length;
    private final long post;
    private final TimeSource time = TimeSource.system();
    private final CountDownLatch never = new CountDownLatch(1);
    private final Map<String, Long> atFirst;
    private int readers;
    private State last;

    private EachAttackMain(BesiegedServer server, Duration length, long post) throws InterruptedException {
        this.server = server;
        this.length = length;
        this.post = post;
        long end = time.nanoTime() + WARM_UP.toNanos();
        readersUntil(() -> time.nanoTime() - end > 0);
        this.last = state();
        this.atFirst = last.inUse();
    }

    /** How the server stands while nobody attacks it: the median of light requests, bytes, and what is in use. */
    private record State(
            double millis,
            LightReader.Asked slowest,
            List<String> complaints,
            long heap,
            long disk,
            int faults,
            Map<String, Long> inUse) {}

    /** What an attack did. */
    private record Row(
            Attack attack, int asked, LightReader.Asked slowest, State before, State after, List<String> problems) {}

    /** Attacks, measures and prints. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Duration length = Duration.ofSeconds(args.length > 0 ? Long.parseLong(args[0]) : 3);
        Pattern names = Pattern.compile(args.length > 1 ? args[1] : "");
        Path data = Files.createTempDirectory("attacks");
        boolean isUnharmed;
        try (BesiegedServer server = BesiegedServer.start(data)) {
            URI base = server.base();
            Attacks.Site site = Attacks.prepare(base, Accounts.standard());
            FurtherAttacks.Further further = FurtherAttacks.prepare(base, Accounts.standard());
            isUnharmed = new EachAttackMain(server, length, site.posts().get(1))
                    .attack(new Attacks(base, site), site, further, names);
            server.faults().stream().limit(10).forEach(line -> System.out.println("  " + line));
        } finally {
            FileSystemUtils.deleteRecursively(data);
        }
        System.exit(isUnharmed ? 0 : 1);
    }

    private boolean attack(Attacks attacks, Attacks.Site site, FurtherAttacks.Further further, Pattern names)
            throws IOException, InterruptedException {
        System.out.printf(
                Locale.ROOT,
                "%-45s %6s | %6s %7s | %11s %7s | %9s %9s %9s | %9s %9s %s | %s%n",
                "attack",
                "sent",
                "light",
                "slowest",
                "median ms",
                "slowest",
                "heap MiB",
                "direct",
                "disk",
                "threads",
                "connect.",
                IN_USE,
                "answers");
        State first = last;
        List<Attack> once = all(attacks, site, further);
        // Of other addresses: a limit that the first one used up would make the second one another attack.
        List<Attack> again = all(attacks, site, further);
        boolean isUnharmed = true;
        int made = 0;
        for (int i = 0; i < once.size(); i++) {
            if (!names.matcher(once.get(i).name()).find()) {
                continue;
            }
            made++;
            if (!isBorne(once.get(i))) {
                isUnharmed &= isBorne(again.get(i));
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%d attacks of %d s each; heap %.0f MiB at first, %.0f at last; disk %.0f, %.0f%n",
                made,
                length.toSeconds(),
                mebi(first.heap()),
                mebi(last.heap()),
                mebi(first.disk()),
                mebi(last.disk()));
        return made > 0 && isUnharmed && last.heap() <= first.heap() + HEAP_LEFT_BY_ALL;
    }

    private static List<Attack> all(Attacks attacks, Attacks.Site site, FurtherAttacks.Further further) {
        return Stream.concat(attacks.all().stream(), new FurtherAttacks(attacks, site, further).all().stream())
                .toList();
    }

    private boolean isBorne(Attack attack) throws IOException, InterruptedException {
        Row row = make(attack);
        print(row);
        return row.problems().isEmpty();
    }

    private Row make(Attack attack) throws InterruptedException {
        State before = last;
        long end = time.nanoTime() + length.toNanos();
        Thread attacker = new Thread(() -> attack.until(() -> time.nanoTime() - end > 0));
        attacker.start();
        // As long as anything of the attack is under way.
        List<LightReader> readers = readersUntil(() -> !attacker.isAlive());
        List<LightReader.Asked> during = LightReader.together(readers);
        LightReader.Asked slowest = slowest(during);
        never.await(AFTERMATH.toMillis(), TimeUnit.MILLISECONDS);
        last = state();
        List<String> problems = new ArrayList<>(complaints(readers));
        problems.addAll(last.complaints());
        if (!attack.isMade()) {
            problems.add("the attack did not reach the server");
        }
        require(problems, "slowest light request, " + slowest.what(), slowest.millis(), SLOWEST_MILLIS);
        require(
                problems,
                "slowest light request behind it, " + last.slowest().what(),
                last.slowest().millis(),
                SLOWEST_MILLIS);
        require(problems, "median behind it", last.millis(), before.millis() * TIMES + BESIDE_MILLIS);
        require(problems, "heap", (double) last.heap(), (double) before.heap() + HEAP_LEFT);
        require(problems, "disk", (double) last.disk(), (double) before.disk() + DISK_LEFT + attack.bytes());
        require(problems, "faults in the log", last.faults(), before.faults());
        last.inUse()
                .forEach((name, used) ->
                        require(problems, name, (double) used, (double) atFirst.getOrDefault(name, 0L) + left(name)));
        return new Row(attack, during.size(), slowest, before, last, problems);
    }

    private static long left(String name) {
        return switch (name) {
            case "direct" -> DIRECT_LEFT;
            case "threads" -> THREADS_LEFT;
            // Those of readers who have just left.
            case "connections" -> READERS;
            default -> 0;
        };
    }

    private static void require(List<String> problems, String what, double value, double most) {
        if (value > most) {
            problems.add(String.format(Locale.ROOT, "%s: %.0f, at most %.0f", what, value, most));
        }
    }

    private State state() {
        LightReader reader = reader();
        reader.rounds(ROUNDS);
        List<LightReader.Asked> asked = LightReader.together(List.of(reader));
        long heap = server.usedHeap();
        try {
            return new State(
                    asked.get(asked.size() / 2).millis(),
                    slowest(asked),
                    complaints(List.of(reader)),
                    heap,
                    server.usedDisk(),
                    server.faults().size(),
                    new LinkedHashMap<>(server.inUse()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static LightReader.Asked slowest(List<LightReader.Asked> asked) {
        return asked.isEmpty() ? new LightReader.Asked("nothing", 0) : asked.get(asked.size() - 1);
    }

    private List<LightReader> readersUntil(BooleanSupplier isOver) throws InterruptedException {
        List<LightReader> all = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
            LightReader reader = reader();
            all.add(reader);
            threads.add(new Thread(() -> reader.until(isOver)));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        return all;
    }

    /** Of an address of its own, so that nobody's limit is in its way. */
    private LightReader reader() {
        int number = readers++;
        return new LightReader(server.base(), "127.0." + (8 + number / 250) + "." + (1 + number % 250), time, post);
    }

    private static List<String> complaints(List<LightReader> readers) {
        return readers.stream()
                .flatMap(reader -> reader.complaints().stream())
                .limit(5)
                .toList();
    }

    private static void print(Row row) {
        State before = row.before();
        State after = row.after();
        System.out.printf(
                Locale.ROOT,
                "%-45s %6d | %6d %7.0f | %5.1f %5.1f %7.0f | %4.0f %4.0f %4.1f %4.1f %4.0f %4.0f | %4d %4d %4d %4d %s | %s%n",
                row.attack().name(),
                row.attack().requests(),
                row.asked(),
                row.slowest().millis(),
                before.millis(),
                after.millis(),
                after.slowest().millis(),
                mebi(before.heap()),
                mebi(after.heap()),
                mebi(before.inUse().getOrDefault("direct", 0L)),
                mebi(after.inUse().getOrDefault("direct", 0L)),
                mebi(before.disk()),
                mebi(after.disk()),
                before.inUse().getOrDefault("threads", 0L),
                after.inUse().getOrDefault("threads", 0L),
                before.inUse().getOrDefault("connections", 0L),
                after.inUse().getOrDefault("connections", 0L),
                IN_USE.stream()
                        .map(name -> String.valueOf(after.inUse().getOrDefault(name, 0L)))
                        .toList(),
                row.attack().answers());
        row.problems().forEach(problem -> System.out.println("    BROKEN " + problem));
    }

    private static double mebi(long bytes) {
        return bytes / 1048576.0;
    }
}
