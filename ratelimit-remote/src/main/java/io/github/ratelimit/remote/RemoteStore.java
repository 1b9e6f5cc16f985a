package io.github.ratelimit.remote;

import static java.lang.System.Logger.Level.WARNING;
import static java.util.Objects.requireNonNull;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.SharedSettings;
import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.internal.Durations;
import io.github.ratelimit.remote.Request.Operation;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A store on servers behind a network, so that many nodes share one exact budget.
 *
 * <ul>
 *   <li>Windows open and end by the server's clock.
 *   <li>Requests that come while calls are on their way travel together in the next one; a window that is known to be used up rejects without
 *       asking.
 *   <li>A decision waits no longer than the timeout, connecting included. A request counts at most once: nothing is repeated that may have
 *       been carried out.
 *   <li>While a server does not answer, decisions fail at once, and the store finds out for itself when it answers again.
 * </ul>
 *
 * <p>Asynchronous decisions complete on {@link Builder#executor}. A synchronous one fails at once on the engine's thread, where an executor
 * that runs tasks directly completes them. Safe for concurrent use. Close the store at the end.
 */
public abstract class RemoteStore implements Store {

    /** Chosen: what the pool of the JDK allows. One for each continuation that waits would be as many as requests may wait. */
    private static final int MOST_THREADS = 256;

    /** Chosen: an application needs a few stores; a hundred are a store for each request or test that nothing closes. */
    private static final int MANY_STORES = 100;

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final AtomicInteger OPEN_STORES = new AtomicInteger();

    private final TimeSource time;
    private final CounterNames names;
    private final Executor executor;
    private final @Nullable ForkJoinPool ownExecutor;
    private final EngineSettings settings;
    private final HealthMonitor health;
    private final String name;
    private final LongAdder localRejections = new LongAdder();

    /** Of decisions whose settlement has failed. */
    private final Map<Decision, Settlement> failedSettlements = Collections.synchronizedMap(new WeakHashMap<>());

    private volatile boolean closed;

    /**
     * Makes it.
     *
     * @param product the product's name in messages
     * @param addresses of the servers, without a password
     * @param engine carries out tasks one after the other, and all servers' state belongs to them; ended by {@link #shutDown}
     * @param isEngine whether the calling thread carries out a task
     * @param maximumCalls how many calls may be on their way to one server
     */
    protected RemoteStore(
            Builder<?> builder,
            String product,
            String addresses,
            ScheduledExecutorService engine,
            BooleanSupplier isEngine,
            int maximumCalls) {
        System.Logger log = System.getLogger(getClass().getName());
        OwedTickets tickets = new OwedTickets(this::server, builder.maximumPending, builder.timeout.toNanos());
        RememberedRejections rejections = new RememberedRejections(builder.time, builder.rememberRejections);
        this.name = "%s (%s)".formatted(product, addresses);
        this.time = builder.time;
        this.names = new CounterNames(builder.secret);
        this.ownExecutor = builder.executor == null ? ownExecutor(product) : null;
        this.executor = builder.executor == null ? requireNonNull(ownExecutor) : builder.executor;
        this.health = new HealthMonitor(log, builder.time, name, executor, builder.onHealthChange);
        this.settings = new EngineSettings(
                product,
                log,
                builder.time,
                engine,
                isEngine,
                builder.timeout.toNanos(),
                builder.maximumPending,
                maximumCalls,
                rejections,
                tickets,
                new PermitsAhead(
                        builder.permitsAhead, this::submitAhead, builder.timeout.toNanos(), TimeSource.system()));
        if (!builder.permitsAhead.isEmpty()) {
            engine.scheduleWithFixedDelay(settings.ahead()::sweep, 5, 5, TimeUnit.MILLISECONDS);
        }
        engine.scheduleWithFixedDelay(rejections::sweep, 1, 1, TimeUnit.SECONDS);
        if (OPEN_STORES.incrementAndGet() == MANY_STORES) {
            log.log(
                    WARNING,
                    "{0} stores are open in this process, each with a connection and a thread: create one for the process,"
                            + " and close unused ones",
                    MANY_STORES);
        }
    }

    /** First come, first served. If a stage of one decision waits for another decision, a further thread steps in. */
    private static ForkJoinPool ownExecutor(String product) {
        AtomicInteger threads = new AtomicInteger();
        // Stages chained to a decision, and threads that they start, find the application's classes.
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        return new ForkJoinPool(
                Math.max(2, Runtime.getRuntime().availableProcessors()),
                pool -> {
                    ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
                    thread.setName(
                            "ratelimit-%s-%d".formatted(product.toLowerCase(Locale.ROOT), threads.incrementAndGet()));
                    thread.setContextClassLoader(loader);
                    return thread;
                },
                null,
                true,
                0,
                MOST_THREADS,
                1,
                pool -> true, // no more threads then: a wait for a server ends with the timeout
                1,
                TimeUnit.MINUTES);
    }

    // ---- for backends

    EngineSettings settings() {
        return settings;
    }

    /** Forgets known rejections: counters were lost, or are on other servers now. Any thread may call it. */
    protected final void forgetRejections() {
        settings.rejections().clear();
    }

    /** Knows whether the servers answer. Servers report each change to it. */
    protected final void healthChanged() {
        if (!closed) {
            health.update(healths());
        }
    }

    /** The servers that decide now. Any thread may call it. */
    protected abstract List<Server> serving();

    /** The traffic of servers that decided earlier. */
    protected StoreStatistics.Traffic formerTraffic() {
        return new StoreStatistics.Traffic(0, 0, 0, 0, 0);
    }

    /** How often a server was found to have lost counters. */
    protected long losses() {
        return 0;
    }

    /** The server that decides about a counter now. Any thread may call it. */
    protected abstract Server server(Counter counter);

    private void submit(Request request) {
        if (isOnePart(request.counters())) {
            server(request.counters()[0]).submit(request);
            return;
        }
        RequestInParts inParts = new RequestInParts(
                request, parts(request.counters()), this::submit, settings.rejections(), this::deadline);
        try {
            settings.executor().execute(inParts::start);
        } catch (RejectedExecutionException e) {
            request.completeExceptionally(new UnansweredException("the store was closed"));
        }
    }

    /** Those of several parts take no part. */
    private void submitAhead(Request request) {
        if (request.operation() == Operation.SETTLE) { // what comes back ends what was remembered
            request.whenComplete((answer, failure) -> settings.rejections().drop(request.counters()));
        }
        if (!closed && isOnePart(request.counters())) {
            server(request.counters()[0]).submit(request);
        } else {
            request.fail(new UnansweredException("its counters are on several servers now"));
        }
    }

    private int part(Counter counter) {
        return server(counter).partOf(counter);
    }

    private boolean isOnePart(Counter[] counters) {
        for (Counter counter : counters) { // without a stream: each decision comes by
            if (counter.group() != counters[0].group() && part(counter) != part(counters[0])) {
                return false;
            }
        }
        return true;
    }

    /** The places of the counters of each part, in ascending order of the parts. */
    private List<int[]> parts(Counter[] counters) {
        return IntStream.range(0, counters.length)
                .boxed()
                .collect(Collectors.groupingBy(i -> part(counters[i]), TreeMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(places -> places.stream().mapToInt(i -> i).toArray())
                .toList();
    }

    /** Stops asking the servers. On the engine's thread. */
    protected abstract void stop();

    /** Ends the engine's executor and all connections. May block for some seconds. */
    protected abstract void shutDown();

    /** Waits for a first answer, as {@link Builder#startTimeout} says. To be called by the backend's builder, after it has begun to connect. */
    protected final void awaitKnown(Builder<?> builder) {
        try {
            health.awaitKnown(builder.startTimeout().toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The names of the charges' counters. */
    protected final Counter[] counters(List<Charge> charges) {
        return names.of(charges);
    }

    /**
     * Settings on one server. For {@link Store#sharedSettings} of a backend whose connections keep settings.
     *
     * @param server of the settings; asked on the engine's thread
     */
    protected final SharedSettings settingsOn(Supplier<Server> server) {
        return new RemoteSettings(server, settings, executor, charge -> nameOf(counters(List.of(charge))[0]));
    }

    /** A counter's name in the backend, for its own tools. */
    protected String nameOf(Counter counter) {
        return new UUID(counter.high(), counter.low()).toString();
    }

    private long deadline() {
        return TimeSource.system().nanoTime() + settings.timeoutNanos();
    }

    // ---- decisions

    @Override
    public final Decision tryAcquire(List<Charge> charges) {
        Counter[] counters = validCounters(charges);
        Decision known = known(charges, counters);
        if (known != null) {
            return known;
        }
        if (settings.isEngine().getAsBoolean()) {
            throw new UnansweredException(
                    "the thread that reads %s' replies cannot wait for one; use tryAcquireAsync there"
                            .formatted(settings.product()));
        }
        Request request = Request.of(Operation.TAKE, charges, counters, ticket(charges), deadline());
        request.waiting = platformThread();
        submit(request);
        return decision(request, request.await(settings.product()));
    }

    /** The calling thread; null if it is a virtual one, which an interrupt would take from a socket. */
    private static @Nullable Thread platformThread() {
        Thread current = Thread.currentThread();
        return current.getClass().getName().equals("java.lang.VirtualThread") ? null : current;
    }

    @Override
    public final CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
        Counter[] counters = validCounters(charges);
        Decision known = known(charges, counters);
        if (known != null) {
            return CompletableFuture.completedFuture(known);
        }
        Request request = Request.of(Operation.TAKE, charges, counters, ticket(charges), deadline());
        CompletableFuture<Decision> decision = new CompletableFuture<>();
        request.whenComplete((answer, failure) -> tell(decision, failure, () -> decision(request, answer)));
        decision.whenComplete((done, failure) -> {
            if (failure != null && !request.cancel(false) && !request.isCompletedExceptionally()) {
                // Its caller has stopped waiting before it was told of the answer.
                settleAsync(decision(request, request.join()), c -> Request.takesTicket(c) ? 0 : c.cost());
            }
        });
        submit(request);
        return decision;
    }

    private Decision decision(Request request, Request.Answer answer) {
        return Decision.of(this, answer.states(), request.ticket());
    }

    private static @Nullable UUID ticket(List<Charge> charges) {
        for (Charge charge : charges) { // without a stream: each decision comes by
            if (Request.takesTicket(charge)) {
                return new UUID(RANDOM.nextLong(), RANDOM.nextLong());
            }
        }
        return null;
    }

    /** Completes a future on the executor: the code chained to it may take its time. */
    private <T> void tell(CompletableFuture<T> future, @Nullable Throwable failure, Supplier<T> value) {
        Runnable telling = () -> {
            if (failure == null) {
                future.complete(value.get());
            } else {
                future.completeExceptionally(failure instanceof CompletionException ? failure.getCause() : failure);
            }
        };
        try {
            executor.execute(telling);
        } catch (RuntimeException e) { // it rejects, or is broken
            telling.run(); // better here than never
        }
    }

    private Counter[] validCounters(List<Charge> charges) {
        requireOpen();
        Store.requireValid(charges);
        return names.of(charges);
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(
                    "the store on %s was closed; close it after everything that uses it".formatted(name));
        }
    }

    /** The decision that needs no call; null if there is none. */
    private @Nullable Decision known(List<Charge> charges, Counter[] counters) {
        Decision ahead = settings.ahead().decision(this, charges, counters);
        if (ahead != null) {
            return ahead;
        }
        List<LimitStatus> states = settings.rejections().rejecting(charges, counters);
        if (states == null) {
            return null;
        }
        localRejections.increment();
        return Decision.of(this, states, null);
    }

    // ---- settlements and resets

    @Override
    public final CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
        requireOpen();
        return decision.settleOnce(this, () -> {
            Settlement settlement = failedSettlements.getOrDefault(decision, new Settlement());
            CompletableFuture<Void> done = settlement.isKnown()
                    ? settle(decision, actual, settlement)
                    : known(settlement).thenComposeAsync(nothing -> settle(decision, actual, settlement), executor);
            return done.whenComplete((nothing, failure) -> {
                if (failure == null) {
                    failedSettlements.remove(decision);
                } else {
                    failedSettlements.put(decision, settlement);
                }
            });
        });
    }

    /** What is known of a decision's settlement: a second try does not send again what was answered, however late. */
    private static final class Settlement {

        private final Set<Counter> settled = ConcurrentHashMap.newKeySet();
        private final List<CompletableFuture<?>> answers = new CopyOnWriteArrayList<>();

        void watch(Request request) {
            answers.add(request.last().thenAccept(answer -> settled.addAll(List.of(request.counters()))));
        }

        boolean isKnown() {
            return answers.stream().allMatch(CompletableFuture::isDone);
        }
    }

    /** Waits for the answers to an earlier try, no longer than the timeout. */
    private CompletableFuture<Void> known(Settlement settlement) {
        CompletableFuture<Void> known = CompletableFuture.allOf(settlement.answers.stream()
                .map(answer -> answer.handle((ok, failure) -> ok))
                .toArray(CompletableFuture[]::new));
        TimeSource.system()
                .runAfter(
                        settings.timeoutNanos(),
                        () -> executor.execute(
                                () -> known.completeExceptionally(UnansweredException.late(settings.product()))));
        return known;
    }

    private CompletableFuture<Void> settle(Decision decision, ToLongFunction<Charge> actual, Settlement settlement) {
        List<Charge> all = decision.charges();
        Counter[] names = counters(all);
        int[] changed = IntStream.range(0, all.size())
                .filter(i -> isChanged(all.get(i), actual) && !settlement.settled.contains(names[i]))
                .toArray();
        List<LimitStatus> from =
                decision.statuses().stream().map(LimitStatus::leavingOpen).toList();
        Request taken = Request.of(Operation.TAKE, all, names, decision.ticket().orElse(null), deadline());
        Request settling = taken.settling(c -> actual.applyAsLong(c) - c.cost(), from, deadline());
        return change(settling.part(changed, Operation.SETTLE), settlement::watch)
                .thenAccept(allowed -> {});
    }

    /** A ticket ends or stays as it is. */
    private static boolean isChanged(Charge charge, ToLongFunction<Charge> actual) {
        long cost = actual.applyAsLong(charge);
        return cost != charge.cost() && (cost == 0 || !charge.limit().shape().isConcurrent());
    }

    @Override
    public final CompletableFuture<Boolean> renewAsync(Decision decision) {
        requireOpen();
        List<Charge> held =
                decision.charges().stream().filter(Request::takesTicket).toList();
        UUID ticket = decision.ticket().orElse(null);
        return ticket == null
                ? CompletableFuture.completedFuture(false)
                : change(Request.of(Operation.RENEW, held, counters(held), ticket, deadline()), part -> {});
    }

    @Override
    public final CompletableFuture<Void> resetAsync(List<Charge> charges) {
        Counter[] counters = validCounters(charges);
        CompletableFuture<Boolean> done =
                change(Request.of(Operation.RESET, charges, counters, null, deadline()), part -> {});
        // In the next millisecond: a refund tells windows apart by their ends and begins, and a window that begins
        // after the reset has others.
        return done.thenCompose(nothing -> {
            CompletableFuture<Void> later = new CompletableFuture<>();
            TimeSource.system().runAfter(1_000_000, () -> executor.execute(() -> later.complete(null)));
            return later;
        });
    }

    /**
     * Sends one request for each part, and answers whether all were allowed. Remembered counters are stale after that, even if the requests
     * fail.
     */
    private CompletableFuture<Boolean> change(Request whole, Consumer<Request> beforeEach) {
        settings.rejections().drop(whole.counters());
        settings.ahead().end(whole.counters());
        List<Request> requests = parts(whole.counters()).stream()
                .map(places -> whole.part(places, whole.operation()))
                .toList();
        requests.forEach(request -> {
            beforeEach.accept(request);
            submit(request);
        });
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        CompletableFuture.allOf(requests.toArray(CompletableFuture[]::new)).whenComplete((answers, failure) -> {
            settings.rejections().drop(whole.counters());
            tell(
                    done,
                    failure,
                    () -> requests.stream().allMatch(request -> request.join().allowed()));
        });
        return done;
    }

    @Override
    public boolean supports(Shape.Kind kind) {
        return true;
    }

    // ---- reports

    /** The clock that used-up windows are remembered by. */
    @Override
    public final TimeSource time() {
        return time;
    }

    private List<StoreHealth.Shard> healths() {
        return serving().stream().map(Server::health).toList();
    }

    /** Whether the servers answer, and since when. Asks nothing. */
    public final StoreHealth health() {
        return health.current(healths());
    }

    /**
     * Waits until every server has answered a first probe: a decision after that finds the connection made and the code loaded. An
     * application that calls it before it takes requests answers the first one in time.
     *
     * @param longest how long it waits at most
     * @return whether they have answered
     */
    public final boolean awaitReady(Duration longest) throws InterruptedException {
        return health.awaitUp(longest.toNanos());
    }

    /** The work of the store so far. */
    public final StoreStatistics statistics() {
        List<Server> servers = serving();
        List<StoreStatistics.Shard> traffic =
                servers.stream().map(Server::statistics).toList();
        return new StoreStatistics(
                localRejections.sum(),
                servers.stream().mapToLong(Server::pending).sum(),
                settings.rejections().size(),
                traffic,
                traffic.stream()
                        .map(StoreStatistics.Shard::traffic)
                        .reduce(formerTraffic(), StoreStatistics.Traffic::plus),
                losses(),
                settings.ahead().statistics());
    }

    @Override
    public final String toString() {
        return name;
    }

    /**
     * Fails waiting decisions, and closes the connections. Waits for some seconds at most; not at all on the engine's thread, as closing
     * would wait for that thread. Later decisions fail with {@link IllegalStateException}.
     */
    @Override
    public final void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        OPEN_STORES.decrementAndGet();
        settings.executor().execute(this::stop);
        Runnable shuttingDown = () -> {
            shutDown();
            if (ownExecutor != null) {
                ownExecutor.shutdown();
            }
        };
        if (settings.isEngine().getAsBoolean()) {
            new Thread(shuttingDown, "ratelimit-close").start();
        } else {
            shuttingDown.run();
        }
    }

    /**
     * Gathers what a store needs. Not safe for concurrent use.
     *
     * @param <B> the store's own builder
     */
    public abstract static class Builder<B extends Builder<B>> {

        /** Chosen: a decision is worth no longer wait than a page takes to be felt as slow. */
        public static final Duration DEFAULT_TIMEOUT = Duration.ofMillis(100);

        private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(1);
        private static final int SHORTEST_SECRET = 16;

        /** Chosen: several times what a busy process takes to connect. */
        private static final Duration DEFAULT_START_TIMEOUT = Duration.ofSeconds(5);

        private @Nullable Executor executor;
        private Duration timeout = DEFAULT_TIMEOUT;
        private byte @Nullable [] secret;
        private int maximumPending = 16_384; // chosen: what 160 000 requests a second let gather in the default timeout
        private Duration rememberRejections = Duration.ofSeconds(1); // chosen: soon enough for who gives back elsewhere
        private TimeSource time = TimeSource.system();
        private Set<String> permitsAhead = Set.of();
        private Consumer<StoreHealth> onHealthChange = health -> {};
        private @Nullable Duration startTimeout;

        /** For stores. */
        protected Builder() {}

        /** This builder. */
        protected abstract B self();

        /** How long a decision may wait. */
        protected final Duration timeout() {
            return timeout;
        }

        /**
         * Completes asynchronous decisions, refunds and resets, and runs listeners to the health. By default a pool of the store's own, with
         * one thread for each processor and two at least.
         */
        public final B executor(Executor executor) {
            this.executor = executor;
            return self();
        }

        /** How long a decision may wait, connecting and queueing included: 1 ms to 1 minute. */
        public final B timeout(Duration timeout) {
            if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
                throw new IllegalArgumentException("timeout must be 1ms to 1m, was " + Durations.text(timeout));
            }
            this.timeout = timeout;
            return self();
        }

        /**
         * The key of the digests that counters are named by, 16 bytes or more and the same on all nodes. Without one, a reader of the
         * server who guesses an address can find its counter. Changing it starts all counts anew.
         */
        public final B secret(byte[] secret) {
            if (secret.length < SHORTEST_SECRET) {
                throw new IllegalArgumentException("secret must be 16 bytes or more, was " + secret.length);
            }
            this.secret = secret.clone();
            return self();
        }

        /** How many requests may wait at one moment before further ones fail at once: 1 or more. */
        public final B maximumPending(int maximumPending) {
            if (maximumPending < 1) {
                throw new IllegalArgumentException("maximumPending must be 1 or more, was " + maximumPending);
            }
            this.maximumPending = maximumPending;
            return self();
        }

        /**
         * How long a rejection is repeated without asking. A refund or reset by another node is seen that late at most. 0 always asks; 1
         * second by default.
         *
         * @throws IllegalArgumentException if it is negative
         */
        public final B rememberRejections(Duration rememberRejections) {
            this.rememberRejections = notNegative("rememberRejections", rememberRejections);
            return self();
        }

        /**
         * The limiters whose permits may be taken ahead where many identical requests come at once, so that a hot key needs few calls. The limit holds
         * exactly. Other nodes may be rejected for up to 50 ms, or as long as they remember rejections, for permits that a node took and did not use: a sixteenth of those left at most. Fixed
         * and calendar windows take part, alone or together in one decision; none by default.
         *
         * @param limiters the limiters' names
         */
        public final B permitsAhead(Set<String> limiters) {
            this.permitsAhead = Set.copyOf(limiters);
            return self();
        }

        /** The clock for remembered rejections, waiting and the calendar. No count depends on it. */
        public final B time(TimeSource time) {
            this.time = time;
            return self();
        }

        /** Hears, once each time, that the servers answer or do not; on a thread that must not be held up. */
        public final B onHealthChange(Consumer<StoreHealth> onHealthChange) {
            this.onHealthChange = onHealthChange;
            return self();
        }

        /**
         * How long {@code build} waits for a first answer: by default 5 seconds, or the {@link #timeout} if that is longer. 0 does not wait:
         * the application waits by {@link #awaitReady}.
         *
         * @throws IllegalArgumentException if it is negative
         */
        public final B startTimeout(Duration startTimeout) {
            this.startTimeout = notNegative("startTimeout", startTimeout);
            return self();
        }

        final Duration startTimeout() {
            Duration longer = timeout.compareTo(DEFAULT_START_TIMEOUT) > 0 ? timeout : DEFAULT_START_TIMEOUT;
            return startTimeout == null ? longer : startTimeout;
        }

        private static Duration notNegative(String name, Duration value) {
            if (value.isNegative()) {
                throw new IllegalArgumentException(
                        "%s must be 0 or more, was %s".formatted(name, Durations.text(value)));
            }
            return value;
        }
    }
}
