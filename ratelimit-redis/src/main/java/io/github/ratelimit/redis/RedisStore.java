package io.github.ratelimit.redis;

import static java.lang.System.Logger.Level.WARNING;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Shape;
import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Counts in Redis, so that many nodes share one exact budget. A decision is one script call, with any number of limiters and limits.
 *
 * <ul> <li>Redis' clock alone decides; a window starts with its first request, and its key's expiry is its end. <li>Requests that come
 * while a call is on its way travel together in the next one; a window that is known to be used up rejects without asking. <li>A decision
 * waits no longer than the timeout, connecting included. A request counts at most once: the store repeats no command that may have run.
 * Commands in flight fail when a connection breaks. <li>While Redis does not answer, decisions fail at once, and the store looks for itself
 * whether it answers again.
 * </ul>
 *
 * <p>Redis 6.2 or newer; single, behind Sentinel, a master with replicas, or a Cluster. On a Cluster, keys with the same first part are in
 * one slot. A decision on keys of several slots takes from one slot after the other. If a later slot rejects or fails, the earlier ones get
 * their permits back first. So it never grants too much, and for a moment others may see too little.
 *
 * <p>Asynchronous decisions complete on {@link Builder#executor}. A synchronous one works on any thread but the store's own event loop,
 * where it fails at once. Safe for concurrent use. The store owns its client. Close the store at the end.
 */
public final class RedisStore implements Store {

    /** Chosen: what the pool of the JDK allows. One for each continuation that waits would be as many as requests may wait. */
    private static final int MOST_THREADS = 256;

    /** Chosen: an application needs a few stores; a hundred are a store for each request or test that nothing closes. */
    private static final int MANY_STORES = 100;

    private static final System.Logger LOG = System.getLogger(RedisStore.class.getName());
    private static final AtomicInteger OPEN_STORES = new AtomicInteger();

    private final TimeSource time;
    private final CounterDigests digests;
    private final Standings remembered;
    private final Executor executor;
    private final @Nullable ForkJoinPool ownExecutor;
    private final Connections connections;
    private final Server.Settings settings;
    private final Topology topology;
    private final Health health;
    private final LongAdder localRejections = new LongAdder();
    private volatile boolean closed;

    private RedisStore(Builder builder) {
        List<RedisURI> addresses = builder.uris.isEmpty() ? Connections.addresses(builder.uri) : builder.uris;
        this.connections = new Connections(
                addresses, builder.topology, builder.clientResources, builder.clientOptions, builder.timeout);
        this.time = builder.time;
        this.digests = new CounterDigests(builder.keyPrefix, builder.secret);
        this.remembered = new Standings(builder.time, builder.rememberRejections, builder.maximumKnownCounters);
        this.ownExecutor = builder.executor == null ? ownExecutor() : null;
        this.executor = builder.executor == null ? requireNonNull(ownExecutor) : builder.executor;
        this.health = new Health(builder.time, connections.toString(), executor, builder.onHealthChange);
        this.settings = new Server.Settings(
                connections.loop(), builder.timeout.toNanos(), builder.maximumPending, remembered, builder.onWarning);
        this.topology = new Topology(connections, settings, health, builder.keyPrefix);
        if (OPEN_STORES.incrementAndGet() == MANY_STORES) {
            LOG.log(
                    WARNING,
                    "{0} stores are open in this process, each with a connection and a thread: share one, and close those"
                            + " that are done with",
                    MANY_STORES);
        }
    }

    /** First come, first served; and where what was chained to a decision waits for another one, a further thread steps in. */
    private static ForkJoinPool ownExecutor() {
        AtomicInteger threads = new AtomicInteger();
        // Stages chained to a decision, and threads that they start, find the application's classes.
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        return new ForkJoinPool(
                Math.max(2, Runtime.getRuntime().availableProcessors()),
                pool -> {
                    ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
                    thread.setName("ratelimit-redis-" + threads.incrementAndGet());
                    thread.setContextClassLoader(loader);
                    return thread;
                },
                null,
                true,
                0,
                MOST_THREADS,
                1,
                pool -> true, // no more threads then: who waits for Redis waits no longer than the timeout
                1,
                TimeUnit.MINUTES);
    }

    /** Starts to describe a store, by default on {@value Builder#DEFAULT_URI}. */
    public static Builder builder() {
        return new Builder();
    }

    /** Makes a store at an address, with everything else as it is by default. */
    public static RedisStore create(String uri) {
        return builder().uri(uri).build();
    }

    @Override
    public Decision tryAcquire(List<Charge> charges) {
        Counter[] counters = counters(charges);
        Decision rejection = rejection(charges, counters);
        if (rejection != null) {
            return rejection;
        }
        if (settings.loop().inEventLoop()) {
            throw new Unanswered("the thread that reads Redis' replies cannot wait for one; use tryAcquireAsync there");
        }
        Ask.Blocking ask = new Ask.Blocking(charges, counters, deadline());
        submit(ask);
        return ask.await(this);
    }

    @Override
    public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
        Counter[] counters = counters(charges);
        Decision rejection = rejection(charges, counters);
        if (rejection != null) {
            return CompletableFuture.completedFuture(rejection);
        }
        Ask.Async ask = new Ask.Async(this, charges, counters, deadline(), executor);
        submit(ask);
        return ask.future();
    }

    private Counter[] counters(List<Charge> charges) {
        requireOpen();
        Store.requireValid(charges);
        return digests.of(charges);
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(
                    "the store on Redis (" + connections + ") was closed; close it after everything that uses it");
        }
    }

    private @Nullable Decision rejection(List<Charge> charges, Counter[] counters) {
        Decision rejection = remembered.rejection(this, charges, counters);
        if (rejection != null) {
            localRejections.increment();
        }
        return rejection;
    }

    private long deadline() {
        return TimeSource.system().nanoTime() + settings.timeoutNanos();
    }

    private void submit(Ask ask) {
        if (connections.isCluster() && !SlotBySlot.isOneSlot(ask.counters())) {
            SlotBySlot decision = new SlotBySlot(ask, topology, settings);
            try {
                settings.loop().execute(decision::start);
            } catch (RejectedExecutionException e) {
                ask.fail(new Unanswered("the store was closed", e));
            }
        } else {
            topology.of(ask.counters()[0].redisKey()).submit(ask);
        }
    }

    @Override
    public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
        requireOpen();
        return decision.settleOnce(this, () -> {
            List<Charge> all = decision.charges();
            int[] changed = IntStream.range(0, all.size())
                    .filter(i -> actual.applyAsLong(all.get(i)) != all.get(i).cost())
                    .toArray();
            List<Charge> charges = Arrays.stream(changed).mapToObj(all::get).toList();
            boolean takesMore = charges.stream().anyMatch(charge -> actual.applyAsLong(charge) > charge.cost());
            boolean refunds = !takesMore && !Shapes.any(charges);
            return change(digests.of(charges), refunds, (i, arguments) -> {
                Charge charge = charges.get(i);
                long more = actual.applyAsLong(charge) - charge.cost();
                LimitStatus status = decision.statuses().get(changed[i]);
                long resetAt = status.resetAt().toEpochMilli();
                if (refunds) {
                    arguments.number(-more).number(Standing.window(resetAt));
                } else {
                    long taken = resetAt - status.resetAfter().toMillis();
                    Shapes.writeTo(arguments, charge, more, Standing.window(resetAt), taken);
                }
            });
        });
    }

    @Override
    public CompletableFuture<Void> resetAsync(List<Charge> charges) {
        // In the next millisecond: a refund tells windows apart by the one that they end in, and a window that begins
        // after the reset ends in another one than the window before it.
        return change(
                        counters(charges),
                        true,
                        (i, arguments) -> arguments.number(0).number(0))
                .thenCompose(done -> {
                    CompletableFuture<Void> later = new CompletableFuture<>();
                    TimeSource.system().runAfter(1_000_000, () -> executor.execute(() -> later.complete(null)));
                    return later;
                });
    }

    @Override
    public boolean supports(Shape.Kind kind) {
        return true;
    }

    /** Adds the operation on the counter at that place to a call. */
    private interface Change {
        void addTo(int place, Call.Arguments arguments);
    }

    /**
     * One call for each slot. Remembered counters are stale after that, even if the calls fail.
     *
     * @param refunds whether the script that gives back and resets does it; else the one that settles
     */
    private CompletableFuture<Void> change(Counter[] counters, boolean refunds, Change change) {
        remembered.forget(counters);
        List<int[]> slots = connections.isCluster()
                ? SlotBySlot.slots(counters)
                : counters.length == 0
                        ? List.of()
                        : List.of(IntStream.range(0, counters.length).toArray());
        List<CompletableFuture<?>> answers = new ArrayList<>(1);
        for (int[] slot : slots) {
            Call.Arguments arguments = new Call.Arguments();
            for (int i : slot) {
                change.addTo(i, arguments.key(counters[i].redisKey()));
            }
            Call.Plain call = refunds
                    ? Call.Plain.refund(arguments, deadline())
                    : Call.Plain.settle(slot.length, arguments, deadline());
            answers.add(call.answer());
            topology.of(call.firstKey()).send(call);
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).whenComplete((replies, failure) -> {
            remembered.forget(counters);
            if (failure == null) {
                done.complete(null);
            } else {
                done.completeExceptionally(failure instanceof CompletionException ? failure.getCause() : failure);
            }
        });
        return done.whenCompleteAsync((nothing, failure) -> {}, executor); // what is chained to it may take its time
    }

    /** The clock that used-up windows are remembered by. */
    @Override
    public TimeSource time() {
        return time;
    }

    /** Whether the counters are spread over a Cluster: there, a decision on keys without a common first part takes several calls. */
    public boolean isCluster() {
        return connections.isCluster();
    }

    /** The names of the charges' counters in Redis, in their order, for Redis' own tools. */
    public List<String> keyNames(List<Charge> charges) {
        return Arrays.stream(digests.of(charges))
                .map(counter -> new String(counter.redisKey(), US_ASCII))
                .toList();
    }

    /** Whether Redis answers, and since when. Asks nothing. */
    public RedisHealth health() {
        return health.current(topology.serving().stream().map(Server::health).toList());
    }

    /**
     * Waits until every master has answered a first look with the scripts: a decision after that finds the connection made and the code
     * loaded. An application that calls it before it takes requests answers the first one in time.
     *
     * @param longest how long it waits at most
     * @return whether they have answered
     */
    public boolean awaitReady(Duration longest) throws InterruptedException {
        return health.awaitUp(longest.toNanos());
    }

    /** The work of the store so far. */
    public RedisStatistics statistics() {
        List<Server> servers = topology.serving();
        return new RedisStatistics(
                localRejections.sum(),
                servers.stream().mapToLong(Server::waiting).sum(),
                remembered.size(),
                servers.stream().map(Server::statistics).toList(),
                topology.traffic(),
                topology.losses());
    }

    /**
     * Fails waiting decisions, and closes the client. Waits for some seconds at most; not at all on the thread that reads replies, as
     * closing would wait for that thread. Later decisions fail with {@link IllegalStateException}.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        OPEN_STORES.decrementAndGet();
        settings.loop().execute(topology::close);
        if (settings.loop().inEventLoop()) {
            new Thread(this::shutDown, "ratelimit-redis-close").start();
        } else {
            shutDown();
        }
    }

    private void shutDown() {
        connections.close();
        if (ownExecutor != null) {
            ownExecutor.shutdown();
        }
    }

    /** Gathers what a store needs. Not safe for concurrent use. */
    public static final class Builder {

        /** The default address of Redis. */
        public static final String DEFAULT_URI = "redis://localhost:6379";

        /** The default prefix of counters' names; the 1 is the version of the stored form. */
        public static final String DEFAULT_KEY_PREFIX = "rl:1:";

        /** Chosen: a decision is worth no longer wait than a page takes to be felt as slow. */
        public static final Duration DEFAULT_TIMEOUT = Duration.ofMillis(100);

        private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(1);
        private static final int SHORTEST_SECRET = 16;
        private static final int LONGEST_PREFIX = 64;

        private String uri = DEFAULT_URI;
        private List<RedisURI> uris = List.of();
        private RedisTopology topology = RedisTopology.AUTO;
        private @Nullable ClientResources clientResources;
        private ClientOptions clientOptions = ClientOptions.create();
        private @Nullable Executor executor;
        private String keyPrefix = DEFAULT_KEY_PREFIX;
        private Duration timeout = DEFAULT_TIMEOUT;
        private byte @Nullable [] secret;
        private int maximumPending = 16_384; // chosen: what 160 000 requests a second let gather in the default timeout
        private int maximumKnownCounters = 100_000; // chosen: some 30 MB when full
        private Duration rememberRejections =
                Duration.ofSeconds(1); // chosen: soon enough for who gives back or resets elsewhere
        private TimeSource time = TimeSource.system();
        private Consumer<RedisHealth> onHealthChange = health -> {};
        private Consumer<RedisWarning> onWarning = ServerCheck.LOGGED;
        private Duration startTimeout =
                Duration.ofSeconds(5); // chosen: several times what a busy process takes to connect

        private Builder() {}

        /**
         * Where Redis is: {@code redis://user:password@host:6379/0}, {@code rediss://…} over TLS, {@code
         * redis-sentinel://host:26379,host:26379/0#master}; or, with several addresses, a Cluster:
         * {@code redis://host:6379,host:6379,host:6379}.
         */
        public Builder uri(String uri) {
            this.uri = uri;
            this.uris = List.of();
            return this;
        }

        /** Where Redis is, with credentials, TLS and whatever else an address says; none: as {@link #uri} says. */
        public Builder uris(List<RedisURI> uris) {
            this.uris = List.copyOf(uris);
            return this;
        }

        /** How the addresses belong together, where they do not say so by themselves: a Cluster with one address, replicas. */
        public Builder topology(RedisTopology topology) {
            this.topology = topology;
            return this;
        }

        /** The application's resolvers and customizers. The event loop and the connections are the store's own. */
        public Builder clientResources(ClientResources clientResources) {
            this.clientResources = clientResources;
            return this;
        }

        /** TLS, sockets and protocol as the application has them. Their settings of reconnecting, queues and timeouts are ignored. */
        public Builder clientOptions(ClientOptions clientOptions) {
            this.clientOptions = clientOptions;
            return this;
        }

        /**
         * Where asynchronous decisions, refunds and resets complete, and health is told; if not given, a pool of the store's own, with as many
         * threads as there are processors and two at least.
         */
        public Builder executor(Executor executor) {
            this.executor = executor;
            return this;
        }

        /** How long a decision may wait, connecting and queueing included: 1 ms to 1 minute. */
        public Builder timeout(Duration timeout) {
            if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
                throw new IllegalArgumentException("timeout must be 1 ms to 1 minute, was " + timeout);
            }
            this.timeout = timeout;
            return this;
        }

        /**
         * The prefix of counters' names: up to 64 printable ASCII characters. Braces are rejected, because they would move counters between
         * the slots of a Cluster. Applications that share a server and not their limits need different ones.
         */
        public Builder keyPrefix(String keyPrefix) {
            if (keyPrefix.length() > LONGEST_PREFIX
                    || !keyPrefix.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '{' && c != '}')) {
                throw new IllegalArgumentException(
                        "key prefix must be up to 64 printable ASCII characters without braces, was '%s'"
                                .formatted(keyPrefix.replaceAll("[^\\x21-\\x7e]", "?")));
            }
            this.keyPrefix = keyPrefix;
            return this;
        }

        /**
         * The key of the digests that counters are named by, 16 bytes or more and the same on all nodes. Without one, a reader of Redis who
         * guesses an address can find its counter. Changing it starts all counts anew.
         */
        public Builder secret(byte[] secret) {
            if (secret.length < SHORTEST_SECRET) {
                throw new IllegalArgumentException("secret must be 16 bytes or more, was " + secret.length);
            }
            this.secret = secret.clone();
            return this;
        }

        /** How many requests may wait at one moment before further ones fail at once: 1 or more. */
        public Builder maximumPending(int maximumPending) {
            this.maximumPending = atLeast(1, "maximumPending", maximumPending);
            return this;
        }

        /** How many counters of used-up limits are remembered, some 300 bytes each; 0 asks Redis for every rejection. */
        public Builder maximumKnownCounters(int maximumKnownCounters) {
            this.maximumKnownCounters = atLeast(0, "maximumKnownCounters", maximumKnownCounters);
            return this;
        }

        /**
         * How long a rejection is repeated without asking Redis. A refund or reset by another node is seen that late at most. 0 always asks
         * Redis; 1 second by default.
         *
         * @throws IllegalArgumentException if it is negative
         */
        public Builder rememberRejections(Duration rememberRejections) {
            if (rememberRejections.isNegative()) {
                throw new IllegalArgumentException("rememberRejections must be 0 or more, was " + rememberRejections);
            }
            this.rememberRejections = rememberRejections;
            return this;
        }

        /** The clock for remembered rejections and for waiting; no count depends on it. */
        public Builder time(TimeSource time) {
            this.time = time;
            return this;
        }

        /** Hears, once each time, that Redis answers or does not; on a thread that must not be held up. */
        public Builder onHealthChange(Consumer<RedisHealth> onHealthChange) {
            this.onHealthChange = onHealthChange;
            return this;
        }

        /**
         * Hears, once until it changes, what a server's account of itself gives reason to warn of; on a thread that must not be held up. A
         * line in the log at WARNING if not given.
         */
        public Builder onWarning(Consumer<RedisWarning> onWarning) {
            this.onWarning = onWarning;
            return this;
        }

        private static int atLeast(int least, String name, int value) {
            if (value < least) {
                throw new IllegalArgumentException("%s must be %d or more, was %d".formatted(name, least, value));
            }
            return value;
        }

        /**
         * How long {@link #build} waits for a first answer; 0 does not wait, and is for an application that waits by {@link RedisStore#awaitReady};
         * 5 seconds if not given.
         *
         * @throws IllegalArgumentException if it is negative
         */
        public Builder startTimeout(Duration startTimeout) {
            if (startTimeout.isNegative()) {
                throw new IllegalArgumentException("startTimeout must be 0 or more, was " + startTimeout);
            }
            this.startTimeout = startTimeout;
            return this;
        }

        /**
         * Makes the store, and waits until Redis has answered, or an attempt to connect has failed, or the start timeout has passed. It
         * returns in each case: a server that is down now may be up when the first request comes, and {@link RedisStore#health} tells.
         *
         * @throws IllegalArgumentException if the address is none
         */
        public RedisStore build() {
            RedisStore store = new RedisStore(this);
            store.topology.open();
            try {
                store.health.awaitKnown(startTimeout.toNanos());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return store;
        }
    }
}
