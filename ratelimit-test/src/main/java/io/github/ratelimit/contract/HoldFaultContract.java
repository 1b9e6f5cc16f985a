package io.github.ratelimit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Hold;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.Store;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.contract.FaultProxy.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Tasks hold permits of a concurrency limit while the network or the server fails. Never do more of them hold one by the store's decision than
 * the limit permits. With nobody holding, all permits are there two seconds after the first answer. Leases last longer than the test.
 *
 * <p>For stores with a timeout of about 100 ms that are reached through a {@link FaultProxy}.
 */
public abstract class HoldFaultContract {

    private static final int PERMITS = 5;
    private static final int TASKS = 12;
    private static final Duration LEASE = Duration.ofHours(1);
    private static final long BEFORE_NANOS = 100_000_000;
    private static final long FAULT_NANOS = 250_000_000;
    private static final long WHOLE_AFTER_NANOS = 2_000_000_000L;
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    /**
     * A fault.
     *
     * @param name in the test's name
     * @param begin lets it begin
     * @param end lets it end
     * @param forgets whether the server may lose its counts by it, and so who holds
     */
    public record Outage(String name, Runnable begin, Runnable end, boolean forgets) {

        /** One that loses no counts. */
        public Outage(String name, Runnable begin, Runnable end) {
            this(name, begin, end, false);
        }

        /** Only its name. */
        @Override
        public String toString() {
            return name;
        }
    }

    /** For subclasses. */
    protected HoldFaultContract() {}

    /** A fresh store, reached through {@link #proxy}. It is closed after each test. */
    protected abstract Store store();

    /** The network between store and server. */
    protected abstract FaultProxy proxy();

    /** The server's own faults. */
    protected abstract List<Outage> outagesOfTheServer();

    private List<Outage> outages() {
        List<Outage> outages = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            if (fault != Fault.PASS) {
                outages.add(new Outage(fault.name(), () -> proxy().set(fault), () -> proxy().set(Fault.PASS)));
            }
        }
        outages.add(new Outage("connections are reset", proxy()::reset, proxy()::reset));
        outages.add(new Outage("open connections are forgotten", proxy()::forgetOpenConnections, () -> {}));
        outages.addAll(outagesOfTheServer());
        return outages;
    }

    /** Each fault with one policy; with each one if {@code -Dfull=true}. */
    @TestFactory
    Stream<DynamicTest> faultAdmitsNobodyTooManyAndTakesNoPermitAway() {
        List<Outage> outages = outages();
        OnStoreFailure[] policies = OnStoreFailure.values();
        return IntStream.range(0, outages.size() * policies.length)
                .filter(i -> Boolean.getBoolean("full") || i / policies.length % policies.length == i % policies.length)
                .mapToObj(i -> {
                    Outage outage = outages.get(i / policies.length);
                    OnStoreFailure policy = policies[i % policies.length];
                    return DynamicTest.dynamicTest(outage + ", " + policy, () -> assertHolds(outage, policy));
                });
    }

    private void assertHolds(Outage outage, OnStoreFailure policy) throws Exception {
        Limit limit = Limit.concurrent("jobs", PERMITS, LEASE);
        Charge look = new Charge("jobs", limit, Key.of("tenant-" + UUID.randomUUID()), 0);
        try (Store store = store()) {
            Tasks tasks = new Tasks(store, policy, look, new Holders());
            try {
                assertHolds(outage, store, tasks, look);
            } finally {
                tasks.stop();
            }
        }
    }

    private static void assertHolds(Outage outage, Store store, Tasks tasks, Charge look) throws InterruptedException {
        awaitAnswer(store, look);
        tasks.start();
        LockSupport.parkNanos(BEFORE_NANOS);
        outage.begin.run();
        try {
            LockSupport.parkNanos(FAULT_NANOS);
            if (outage.forgets) {
                tasks.stop();
                tasks.holders.most.set(0); // a server that forgets who holds has their permits for others
            }
        } finally {
            outage.end.run();
        }
        if (outage.forgets) {
            assertWholeSoon(store, look);
            tasks.start();
        }
        awaitAnswer(store, look);
        LockSupport.parkNanos(BEFORE_NANOS);
        tasks.stop();
        assertWholeSoon(store, look);
        assertThat(tasks.thrown).isEmpty();
        tasks.holders.assertAtMost(PERMITS);
    }

    /**
     * Tasks on several nodes share a concurrency limit, and all nodes but two are closed while they hold. Never do more tasks hold a permit than
     * the limit permits. When the leases of closed nodes are over, all permits are there.
     *
     * @param nodes stores on one server; closed in the end
     * @param jobs a charge of the concurrency limit
     * @param elsewhere how many permits a node holds that was killed
     * @param advance moves the server's time
     */
    public static void assertEndedNodesTakeNoPermitForGood(
            List<? extends Store> nodes, Charge jobs, int elsewhere, Consumer<Duration> advance)
            throws InterruptedException {
        Charge look = jobs.withCost(0);
        Holders holders = new Holders();
        List<Tasks> tasks = nodes.stream()
                .map(node -> new Tasks(node, OnStoreFailure.REJECT, look, holders))
                .toList();
        int closed = nodes.size() - 2;
        int permits = Math.toIntExact(jobs.limit().permits());
        Store open = nodes.get(closed);
        try {
            tasks.forEach(Tasks::start);
            LockSupport.parkNanos(BEFORE_NANOS);
            for (Tasks each : tasks.subList(0, closed)) {
                each.hold();
                each.stopped = true; // those that hold go on
            }
            nodes.subList(0, closed).forEach(Store::close);
            LockSupport.parkNanos(BEFORE_NANOS);
            tasks.forEach(each -> each.stopped = true);
            for (Tasks each : tasks) {
                each.stop();
            }
            assertThat(tasks.subList(closed, nodes.size())).allMatch(each -> each.thrown.isEmpty());
            holders.assertAtMost(permits - elsewhere);
            assertThat(remaining(open, look).orElseThrow()).isBetween(0L, (long) permits - elsewhere - closed);
            advance.accept(jobs.limit().window());
            assertThat(remaining(open, look)).hasValue(permits);
        } finally {
            for (Tasks each : tasks) {
                each.stop();
            }
            for (Store node : nodes) {
                node.close();
            }
        }
    }

    private static void assertWholeSoon(Store store, Charge look) {
        OptionalLong now = awaitAnswer(store, look);
        long start = System.nanoTime();
        while (now.orElse(-1) != PERMITS && System.nanoTime() - start < WHOLE_AFTER_NANOS) {
            LockSupport.parkNanos(5_000_000);
            now = remaining(store, look);
        }
        assertThat(now).as("permits 2 s after the first answer").hasValue(PERMITS);
    }

    private static OptionalLong awaitAnswer(Store store, Charge look) {
        long start = System.nanoTime();
        OptionalLong answer = remaining(store, look);
        while (answer.isEmpty() && System.nanoTime() - start < PATIENCE_NANOS) {
            LockSupport.parkNanos(5_000_000);
            answer = remaining(store, look);
        }
        return answer;
    }

    /** Empty if the store does not answer. */
    private static OptionalLong remaining(Store store, Charge look) {
        try {
            return OptionalLong.of(
                    store.tryAcquire(List.of(look)).statuses().get(0).remaining());
        } catch (StoreException e) {
            return OptionalLong.empty();
        }
    }

    /** Counts the tasks that hold a permit by the store's decision. */
    private static final class Holders {

        private final AtomicInteger now = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();

        void enter() {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
        }

        void leave() {
            now.decrementAndGet();
        }

        void assertAtMost(int permits) {
            assertThat(most.get()).as("tasks that held a permit at a time").isBetween(1, permits);
        }
    }

    /** Tasks that run for some milliseconds each, one after the other on some threads; a few of them through the whole fault. */
    private static final class Tasks {

        private final Limiter<Key> limiter;
        private final Store store;
        private final Key key;
        private final List<Thread> threads = new ArrayList<>();
        private final Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
        private final Holders holders;
        private volatile boolean stopped;

        Tasks(Store store, OnStoreFailure policy, Charge look, Holders holders) {
            this.limiter = Limiter.of(
                    LimiterSpec.<Key>of("jobs", look.limit(), key -> key).withOnStoreFailure(policy), store);
            this.store = store;
            this.key = look.key();
            this.holders = holders;
        }

        void start() {
            stopped = false;
            for (int i = 0; i < TASKS; i++) {
                Thread thread = new Thread(this::run, "task-" + i);
                thread.setDaemon(true);
                threads.add(thread);
                thread.start();
            }
        }

        private void run() {
            while (!stopped) {
                try {
                    Decision decision = limiter.tryAcquire(key);
                    if (decision.allowed()) {
                        work(decision);
                    }
                } catch (RuntimeException | Error e) {
                    thrown.add(e);
                }
                LockSupport.parkNanos(2_000_000);
            }
        }

        @SuppressWarnings("try") // the hold is closed, and not used
        private void work(Decision decision) {
            boolean ofStore = decision.source() == Decision.Source.STORE;
            try (Hold hold = limiter.hold(decision)) {
                if (ofStore) {
                    holders.enter();
                    if (ThreadLocalRandom.current().nextInt(4) == 0) { // as each third of a lease
                        var unused = store.renewAsync(decision).exceptionally(failure -> true);
                    }
                }
                long millis = ThreadLocalRandom.current().nextInt(8) == 0
                        ? 2 * FAULT_NANOS / 1_000_000
                        : ThreadLocalRandom.current().nextInt(1, 15);
                long end = System.nanoTime() + millis * 1_000_000;
                while (System.nanoTime() - end < 0) {
                    LockSupport.parkNanos(end - System.nanoTime());
                }
                if (ofStore) {
                    holders.leave();
                }
            }
        }

        /** Takes a permit that is never given back. */
        void hold() {
            Decision decision = limiter.tryAcquire(key);
            while (!decision.allowed()) {
                LockSupport.parkNanos(1_000_000);
                decision = limiter.tryAcquire(key);
            }
            holders.enter();
            var unused = limiter.hold(decision);
        }

        void stop() throws InterruptedException {
            stopped = true;
            for (Thread thread : threads) {
                thread.join();
            }
            threads.clear();
        }
    }
}
