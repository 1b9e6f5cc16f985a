package io.github.ratelimit.redis;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Store;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.TimeSource;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts in Redis, so that many nodes share one exact budget: one script call per decision, whatever the number of limiters and limits.
 *
 * <ul>
 *   <li>Redis' clock alone decides; a window starts with its first request, and its key's expiry is its end.
 *   <li>Requests for one busy key travel together and are decided in order of arrival; a window that is known to be used up refuses
 *       without asking.
 *   <li>A decision waits no longer than the timeout, connecting included. A request is counted at most once: nothing is ever sent
 *       twice, and what was on its way when a connection broke fails.
 *   <li>While Redis does not answer, decisions fail at once, but for one at a time that tries.
 * </ul>
 *
 * <p>Redis 7.0 or newer; single, behind Sentinel, or a Cluster. On a Cluster, keys with the same first part are in one slot. A decision on
 * keys of several slots takes from one slot after the other; where a later one refuses or fails, it gives back what it took before it
 * answers. So it never grants too much, and for a moment others may see too little.
 *
 * <p>Completes decisions on a thread of the client: what is chained to them must not block. Safe for concurrent use. Whoever made it closes
 * it; that closes its connection and the client it made, not one that it was given.
 */
public final class RedisStore implements Store {

    private final TimeSource time;
    private final CounterDigests digests;
    private final Deadlines deadlines;
    private final Standings standings;
    private final Lanes lanes;
    private final Wire wire;
    private final Server server;
    private final Health health;
    private final int maximumPending;
    private final Script refund = Script.named("refund.lua");
    private final AtomicInteger pending = new AtomicInteger();
    private final LongAdder localRefusals = new LongAdder();
    private volatile boolean closed;

    private RedisStore(Builder builder, Server server) {
        // Deadlines run on while a test's clock stands still.
        TimeSource system = TimeSource.system();
        this.server = server;
        this.time = builder.time;
        this.digests = new CounterDigests(builder.keyPrefix, builder.secret);
        this.standings = new Standings(builder.time, builder.rememberRefusals, builder.maximumKnownCounters);
        this.maximumPending = builder.maximumPending;
        this.health = new Health(builder.time, server.toString(), builder.onHealthChange);
        this.deadlines = new Deadlines(system, builder.timeout);
        this.wire = new Wire(system, server, deadlines, health, builder.timeout.toNanos());
        this.lanes = new Lanes(Script.named("acquire.lua"), server.isCluster(), deadlines, standings, wire::send);
    }

    /** Starts to describe a store: on {@value Builder#DEFAULT_URI} if nothing else is said. */
    public static Builder builder() {
        return new Builder();
    }

    /** Makes a store at an address, with everything else as it is by default. */
    public static RedisStore create(String uri) {
        return builder().uri(uri).build();
    }

    @Override
    public Decision tryAcquire(List<Charge> charges, long cost) {
        Store.requireValid(charges, cost);
        Counter[] counters = digests.of(charges);
        Decision refusal = refusal(charges, counters, cost);
        if (refusal != null) {
            return refusal;
        }
        try {
            return ask(charges, counters, cost).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new StoreException("Redis failed", e);
        }
    }

    @Override
    public CompletionStage<Decision> tryAcquireAsync(List<Charge> charges, long cost) {
        Store.requireValid(charges, cost);
        Counter[] counters = digests.of(charges);
        Decision refusal = refusal(charges, counters, cost);
        return refusal != null ? CompletableFuture.completedFuture(refusal) : ask(charges, counters, cost);
    }

    private @Nullable Decision refusal(List<Charge> charges, Counter[] counters, long cost) {
        Decision refusal = standings.refusal(charges, counters, cost);
        if (refusal != null) {
            localRefusals.increment();
        }
        return refusal;
    }

    private CompletableFuture<Decision> ask(List<Charge> charges, Counter[] counters, long cost) {
        if (server.isCluster() && !Slots.isOne(counters)) {
            SlotBySlot decision = new SlotBySlot(
                    charges,
                    counters,
                    cost,
                    Slots.of(counters),
                    deadlines.next(),
                    standings,
                    lanes::submit,
                    this::undo);
            if (admits(decision)) {
                deadlines.watch(decision);
                decision.start();
            }
            return decision;
        }
        Request request = new Request(charges, counters, cost, deadlines.next());
        if (admits(request)) {
            deadlines.watch(request);
            lanes.submit(request);
        }
        return request;
    }

    /** Which counters one call may have: on a Cluster those of one slot, else all. */
    private List<int[]> slots(Counter[] counters) {
        return server.isCluster() ? Slots.of(counters) : Slots.all(counters);
    }

    @Override
    public CompletionStage<Void> refundAsync(Decision decision) {
        if (!decision.markRefunded()) {
            return CompletableFuture.completedFuture(null);
        }
        Counter[] counters = digests.of(decision.charges());
        long[] windows = decision.statuses().stream()
                .mapToLong(status -> Standing.window(status.resetAt().toEpochMilli()))
                .toArray();
        return admitted(counters, refunds(counters, windows, decision.cost()));
    }

    @Override
    public CompletionStage<Void> resetAsync(List<Charge> charges) {
        Store.requireValid(charges, 0);
        Counter[] counters = digests.of(charges);
        List<Call> calls = new ArrayList<>(1);
        for (int[] slot : slots(counters)) {
            calls.add(Call.delete(keys(counters, slot), deadlines.next()));
        }
        CompletableFuture<Void> told = new CompletableFuture<>();
        Ends.of(admitted(counters, calls), (done, failure) -> {
            if (failure == null) {
                // In the next millisecond: a window that begins after the reset never ends in the same one as the
                // window before it, by
                // which a refund tells them apart.
                told.completeOnTimeout(null, 1, TimeUnit.MILLISECONDS);
            } else {
                told.completeExceptionally(failure);
            }
        });
        return told;
    }

    /** One call for each slot. */
    private List<Call> refunds(Counter[] counters, long[] windows, long cost) {
        List<Call> calls = new ArrayList<>(1);
        for (int[] slot : slots(counters)) {
            Call.Arguments arguments = keys(counters, slot).number(cost);
            for (int i : slot) {
                arguments.number(windows[i]);
            }
            calls.add(Call.of(refund, arguments, deadlines.next()));
        }
        return calls;
    }

    private static Call.Arguments keys(Counter[] counters, int[] slot) {
        Call.Arguments keys = new Call.Arguments();
        for (int i : slot) {
            keys.key(counters[i].redisKey());
        }
        return keys;
    }

    /** Gives back what a decision took that another slot refused: however many requests wait. */
    private CompletableFuture<Void> undo(Counter[] counters, long[] windows, long cost) {
        List<Call> calls = refunds(counters, windows, cost);
        CompletableFuture<Void> done = changed(counters, calls);
        wire.send(calls);
        return done;
    }

    private CompletableFuture<Void> admitted(Counter[] counters, List<Call> calls) {
        CompletableFuture<Void> done = changed(counters, calls);
        if (admits(done)) {
            wire.send(calls);
        }
        return done;
    }

    /** What completes after calls that lower counts, after which nothing that was known of them holds: not even if they may have failed. */
    private CompletableFuture<Void> changed(Counter[] counters, List<Call> calls) {
        standings.forget(counters);
        CompletableFuture<Void> done = new CompletableFuture<>();
        Ends.of(CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)), (replies, failure) -> {
            standings.forget(counters);
            if (failure == null) {
                done.complete(null);
            } else {
                done.completeExceptionally(Ends.cause(failure));
            }
        });
        return done;
    }

    /** Counts what waits. What is too much fails: a queue that only grows answers nobody in time. */
    private boolean admits(CompletableFuture<?> waits) {
        if (closed) {
            throw new IllegalStateException("the store is closed");
        }
        if (pending.incrementAndGet() > maximumPending) {
            pending.decrementAndGet();
            waits.completeExceptionally(
                    new Unanswered("%d requests wait for Redis already, as many as may".formatted(maximumPending)));
            return false;
        }
        Ends.of(waits, (result, failure) -> pending.decrementAndGet());
        return true;
    }

    /** The clock that used-up windows are remembered by. */
    @Override
    public TimeSource time() {
        return time;
    }

    /** Whether the counters are spread over a Cluster: there, a decision on keys without a common first part takes several calls. */
    public boolean isCluster() {
        return server.isCluster();
    }

    /** Whether Redis answers, and since when. Asks nothing. */
    public RedisHealth health() {
        return health.current();
    }

    /** What the store has done so far. */
    public RedisStatistics statistics() {
        return new RedisStatistics(
                wire.sent(), wire.failed(), localRefusals.sum(), pending.get(), wire.connections(), standings.size());
    }

    @Override
    public void close() {
        closed = true;
        wire.close();
        deadlines.close();
        server.close();
    }

    /** Gathers what a store needs. Not safe for concurrent use. */
    public static final class Builder {

        /** Where Redis is if nothing is said. */
        public static final String DEFAULT_URI = "redis://localhost:6379";

        /** What the names of counters begin with if nothing is said; the 1 is the version of the stored form. */
        public static final String DEFAULT_KEY_PREFIX = "rl:1:";

        /** Chosen: a decision is worth no longer wait than a page takes to be felt as slow. */
        public static final Duration DEFAULT_TIMEOUT = Duration.ofMillis(100);

        private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(1);
        private static final int SHORTEST_SECRET = 16;
        private static final int LONGEST_PREFIX = 64;

        private @Nullable Server server;
        private String uri = DEFAULT_URI;
        private String keyPrefix = DEFAULT_KEY_PREFIX;
        private Duration timeout = DEFAULT_TIMEOUT;
        private byte @Nullable [] secret;
        private int maximumPending = 16_384; // chosen: what 160 000 requests a second let gather in the default timeout
        private int maximumKnownCounters = 100_000; // chosen: some 30 MB when full
        private Duration rememberRefusals =
                Duration.ofSeconds(1); // chosen: soon enough for who gives back or resets elsewhere
        private TimeSource time = TimeSource.system();
        private Consumer<RedisHealth> onHealthChange = health -> {};

        private Builder() {}

        /**
         * Where Redis is: {@code redis://user:password@host:6379/0}, {@code rediss://…} over TLS, {@code
         * redis-sentinel://host:26379,host:26379/0#master}; or, with several addresses, a Cluster:
         * {@code redis://host:6379,host:6379,host:6379}.
         */
        public Builder uri(String uri) {
            this.uri = uri;
            this.server = null;
            return this;
        }

        /** The application's own client: the store makes a connection of its own with it, and leaves it open in the end. */
        public Builder client(RedisClient client) {
            this.server = Server.of(client);
            return this;
        }

        /** The application's own client of a Cluster: the store makes connections of its own with it, and leaves it open in the end. */
        public Builder client(RedisClusterClient client) {
            this.server = Server.of(client);
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
         * What the names of counters begin with: up to 64 printable ASCII characters without braces, which would move counters between
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
         * The key of the digests that counters are named by, 16 bytes or more and the same on all nodes. Without one, who can read Redis
         * can find out whether an address he guesses has a counter. Changing it starts all counts anew.
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

        /** How many counters of used-up limits are remembered, some 300 bytes each; 0 asks Redis for every refusal. */
        public Builder maximumKnownCounters(int maximumKnownCounters) {
            this.maximumKnownCounters = atLeast(0, "maximumKnownCounters", maximumKnownCounters);
            return this;
        }

        /**
         * How long a refusal is repeated without asking Redis: so late, at most, is seen what another node gave back or reset. 0 asks Redis
         * each time; 1 second if not given.
         *
         * @throws IllegalArgumentException if it is negative
         */
        public Builder rememberRefusals(Duration rememberRefusals) {
            if (rememberRefusals.isNegative()) {
                throw new IllegalArgumentException("rememberRefusals must be 0 or more, was " + rememberRefusals);
            }
            this.rememberRefusals = rememberRefusals;
            return this;
        }

        /** What used-up windows are remembered by, and limiters over this store wait by; no count depends on it. */
        public Builder time(TimeSource time) {
            this.time = time;
            return this;
        }

        /** Hears, once each time, that Redis answers or does not; on a thread that must not be held up. */
        public Builder onHealthChange(Consumer<RedisHealth> onHealthChange) {
            this.onHealthChange = onHealthChange;
            return this;
        }

        private static int atLeast(int least, String name, int value) {
            if (value < least) {
                throw new IllegalArgumentException("%s must be %d or more, was %d".formatted(name, least, value));
            }
            return value;
        }

        /**
         * Makes the store and begins to connect. Does not wait for that: a server that is down now may be up when the first request
         * comes.
         *
         * @throws IllegalArgumentException if the address is none
         */
        public RedisStore build() {
            RedisStore store = new RedisStore(this, server != null ? server : Server.at(uri));
            store.wire.open();
            return store;
        }
    }
}
