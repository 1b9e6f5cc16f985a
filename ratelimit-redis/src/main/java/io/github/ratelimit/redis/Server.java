package io.github.ratelimit.redis;

import static java.lang.System.Logger.Level.WARNING;
import static java.util.Objects.requireNonNull;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.redis.RedisHealth.State;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A master: its connection, the decisions that gather for it, and whether it answers.
 *
 * <p>All of its state belongs to the store's event loop, and so do all methods, except those that say that any thread may call them. Callers
 * push decisions on a stack and wake the loop. The loop sends them at once while fewer than two calls are on their way; else they gather
 * and travel together when a reply comes.
 *
 * <p>A server is asked only after it has answered a look, which runs each step of a decision. It is down after five of its last ten calls
 * failed; then decisions fail at once, until a look is answered again. A connection that stays silent three times is replaced.
 */
final class Server {

    private static final System.Logger LOG = System.getLogger(RedisStore.class.getName());

    /** Opens a connection. */
    @FunctionalInterface
    interface Connector extends Supplier<CompletionStage<StatefulRedisConnection<byte[], byte[]>>> {}

    /** Hears of what concerns more than this server. Does not throw. */
    interface Owner {
        /** The server answers, or does not any more. */
        void stateChanged(Server server);

        /** Remembered counters of it may be stale. */
        void connected(Server server);

        /** The error names another server, which is to run the call. */
        void redirected(Server from, Call call, String error);

        /** A key that no caller has, in a slot that the server has now; null if it has none. */
        byte @Nullable [] lookKey(Server server);
    }

    /** A link of the stack of those that the event loop has not taken yet. The last link is no decision. Written before it is pushed. */
    static class Link {

        @Nullable
        Link older;

        /** How many decisions wait with this one: the stack's and those that the loop has. */
        int waiting;
    }

    /** Measured: with a second call on its way client and server do not wait for each other; more of them gather less. */
    private static final int CALLS_ON_THE_WAY = 2;

    /** Chosen: calls that are full, and calls to a server that is far away, leave until so many are on their way. */
    private static final int MOST_CALLS_ON_THE_WAY = 16;

    /** Chosen: a script with so many counters holds the server for some 300 microseconds, and more of them save little. */
    private static final int COUNTERS_PER_CALL = 128;

    /** Chosen: five failures are no accident. */
    private static final int FAILURES = 5;

    private static final int LAST_CALLS = (1 << 10) - 1;

    /** Chosen: one lost reply is a hiccup. After three in a row, and silence for three timeouts, the connection is gone. */
    private static final int SILENT = 3;

    /** Chosen: what a first look may take while a busy process still loads its classes. */
    private static final long FIRST_LOOK_NANOS = 500_000_000;

    private static final long IDLE_NANOS = 1_000_000_000;
    private static final long LOOK_AGAIN_NANOS = 250_000_000;
    private static final long RENEWAL_PAUSE_NANOS = 1_000_000_000;
    private static final TimeSource TIME = TimeSource.system(); // runs on while a test's clock stands still

    private final String address;
    private final Connector connector;
    private final boolean oneSlotPerCall;
    private final Settings settings;
    private final Owner owner;
    private final EventLoop loop;
    private final ServerCheck check;
    private final Backoff backoff = new Backoff();

    /** The newest decision that the loop has not taken yet, or the link that it left. */
    private final AtomicReference<Link> newest = new AtomicReference<>(new Link());

    // Written by the loop, read by any thread.
    private volatile State state = State.STARTING;
    private volatile String trouble = "nothing was tried yet";

    /** Whether a caller whose decision is the only new one wakes the loop; else the loop looks by itself soon enough. */
    private volatile boolean wakes = true;

    private final LongAdder sent = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder decisions = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final LongAdder connections = new LongAdder();

    // Only for the loop.
    private final Deque<Ask> gathered = new ArrayDeque<>();
    private final Deque<Call> kept = new ArrayDeque<>();
    private final Deque<Call> onTheWay = new ArrayDeque<>();
    private final Runnable send = this::send;
    private final Runnable sweep = this::sweep;
    private Link lastLeft = newest();
    private @Nullable StatefulRedisConnection<byte[], byte[]> connection;
    private Scripts scripts = Scripts.USUAL;
    private boolean ready;
    private boolean closed;
    private boolean sweeping;
    private boolean looking;
    private boolean warnedOfStart;
    private long calls;
    private int shipments;
    private int decisionsOnTheWay;
    private int silent;
    private int lastCalls;
    private long leftAt;
    private long heardAt;
    private long lostAt;
    private long renewedAt;

    /**
     * The parts that all servers of a store share.
     *
     * @param timeoutNanos how long a decision may take
     * @param maximumPending how many decisions may wait
     */
    record Settings(
            EventLoop loop,
            long timeoutNanos,
            int maximumPending,
            Standings remembered,
            Consumer<RedisWarning> onWarning) {}

    Server(String address, Connector connector, boolean oneSlotPerCall, Settings settings, Owner owner) {
        this.address = address;
        this.connector = connector;
        this.oneSlotPerCall = oneSlotPerCall;
        this.settings = settings;
        this.owner = owner;
        this.loop = settings.loop();
        this.check = new ServerCheck(address, oneSlotPerCall, warning -> {
            if (warning.kind() == RedisWarning.Kind.COUNTS_LOST) {
                settings.remembered().clear();
            }
            settings.onWarning().accept(warning);
        });
        this.heardAt = TIME.nanoTime();
        this.renewedAt = heardAt - RENEWAL_PAUSE_NANOS;
    }

    // ---- decisions

    /** Takes a decision, which ends in any case. Any thread may call it. */
    void submit(Ask ask) {
        if (state == State.DOWN) {
            failed.increment();
            ask.fail(notAsked());
            return;
        }
        Link before;
        do {
            before = newest();
            ask.older = before;
            ask.waiting = before.waiting + 1;
            if (ask.waiting > settings.maximumPending()) {
                ask.fail(new Unanswered(
                        "%d requests wait for Redis already, as many as may".formatted(settings.maximumPending())));
                return;
            }
        } while (!newest.compareAndSet(before, ask));
        if (wakes && !(before instanceof Ask)) {
            run(send);
        }
    }

    private Link newest() {
        return requireNonNull(newest.get());
    }

    private void run(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) { // the loop has ended, so that no other thread reads these any more
            for (Link link = newest.getAndSet(new Link()); link instanceof Ask ask; link = link.older) {
                ask.fail(new Unanswered("the store was closed"));
            }
        }
    }

    /** Sends what has gathered, if it is time. */
    private void send() {
        do {
            gather();
            if (state == State.DOWN) {
                failGathered();
            }
            while (ready && mayLeave()) {
                ship();
            }
            sweepLater();
            wakes = !sweeping || (ready && shipments < CALLS_ON_THE_WAY);
        } while (wakes && newest() instanceof Ask); // pushed by a caller that saw the old value
    }

    /** Takes what callers have pushed, in order of arrival. */
    private void gather() {
        Link left = new Link();
        Link link;
        do {
            link = newest();
            left.waiting = gathered.size() + decisionsOnTheWay + link.waiting - lastLeft.waiting;
        } while (!newest.compareAndSet(link, left));
        if (link instanceof Ask ask && ask.older == lastLeft) {
            ask.older = null;
            gathered.add(ask);
        } else {
            Deque<Ask> pushed = new ArrayDeque<>(link.waiting - lastLeft.waiting);
            for (; link instanceof Ask ask; link = ask.older) {
                pushed.addFirst(ask);
            }
            pushed.forEach(each -> each.older = null);
            gathered.addAll(pushed);
        }
        lastLeft = left;
    }

    private boolean mayLeave() {
        return !gathered.isEmpty()
                && (shipments < CALLS_ON_THE_WAY
                        || (shipments < MOST_CALLS_ON_THE_WAY
                                && (gathered.size() >= COUNTERS_PER_CALL
                                        || TIME.nanoTime() - leftAt >= settings.timeoutNanos() / 8)));
    }

    /** Sends as much as one call may bring, on a Cluster one call for each slot, in one flush. */
    private void ship() {
        Map<Integer, Call.Decisions> bySlot = new LinkedHashMap<>(2);
        int counters = 0;
        for (Ask ask = gathered.peek(); ask != null; ask = gathered.peek()) {
            int more = ask.counters().length;
            if (counters > 0 && counters + more > COUNTERS_PER_CALL) {
                break;
            }
            gathered.remove();
            if (!ask.hasEnded()) {
                int slot = oneSlotPerCall ? SlotHash.getSlot(ask.counters()[0].redisKey()) : 0;
                boolean shaped = ask.isShaped(); // another script decides them, in a call of their own
                bySlot.computeIfAbsent(shaped ? ~slot : slot, one -> new Call.Decisions(shaped))
                        .add(ask);
                counters += more;
            }
        }
        if (!bySlot.isEmpty()) {
            shipments++;
            leftAt = TIME.nanoTime();
            AtomicInteger shipment = new AtomicInteger(bySlot.size());
            bySlot.values().forEach(call -> call.joins(shipment));
            dispatch(List.copyOf(bySlot.values()), false);
        }
    }

    private void dispatch(Collection<? extends Call> these, boolean withText) {
        long now = TIME.nanoTime();
        for (Call call : these) {
            call.prepare(this, scripts, withText, ++calls, now);
            onTheWay.add(call);
            decisionsOnTheWay += call.decisions();
            sent.increment();
            decisions.add(call.decisions());
        }
        StatefulRedisConnection<byte[], byte[]> to = connection;
        try {
            if (to == null || !to.isOpen()) {
                throw new Unanswered("there is no connection to Redis");
            }
            if (these.size() == 1) {
                to.dispatch(these.iterator().next());
            } else {
                to.dispatch(these);
            }
        } catch (RuntimeException e) {
            ready = false; // until a look is answered
            these.forEach(call -> call.completeExceptionally(e));
        }
        sweepLater();
    }

    // ---- other calls

    /** Sends a call, or keeps it while the server is not known yet. It ends in any case. Any thread may call it. */
    void send(Call call) {
        try {
            loop.execute(() -> accept(call));
        } catch (RejectedExecutionException e) {
            call.fail(new Unanswered("the store was closed"));
        }
    }

    private void accept(Call call) {
        if (state == State.DOWN) {
            call.fail(notAsked());
        } else if (ready) {
            dispatch(List.of(call), false);
        } else {
            kept.add(call);
            sweepLater();
        }
    }

    /** Sends a call that another server did not run. */
    void sendRedirected(Call call, boolean asking) {
        StatefulRedisConnection<byte[], byte[]> to = connection;
        if (to == null) {
            call.fail(notAsked());
            return;
        }
        if (asking) {
            to.dispatch(new Command<>(CommandType.ASKING, new StatusOutput<>(ByteArrayCodec.INSTANCE), null));
        }
        // ASKING is for one command: a server that does not know the script could not be sent it in another one.
        dispatch(List.of(call), asking);
    }

    /** The server's view of its Cluster; fails if there is no connection. */
    CompletionStage<String> clusterNodes() {
        StatefulRedisConnection<byte[], byte[]> to = connection;
        return to == null
                ? CompletableFuture.failedFuture(notAsked())
                : to.async().clusterNodes();
    }

    // ---- replies

    /** Hears that a call has ended: by a reply, or without one. */
    void ended(Call call, @Nullable Throwable failure) {
        if (!loop.inEventLoop()) {
            run(() -> ended(call, failure));
            return;
        }
        onTheWay.remove(call);
        decisionsOnTheWay -= call.decisions();
        release(call);
        Reply reply = call.reply();
        long now = TIME.nanoTime();
        boolean isOurs = failure == null && (reply.hasError() || reply.answers(call.number()));
        if (isOurs) {
            heardAt = now;
            silent = 0;
        } else if (failure == null) {
            replace("a reply belonged to another call, so the connection is replaced");
        }
        // Send what has gathered before callers are told: their next decisions gather meanwhile and travel together.
        send();
        if (!isOurs) {
            failed.increment();
            call.fail(new Unanswered(
                    "the connection to Redis failed: "
                            + (failure == null ? "a reply to another call" : ServerErrors.words(failure)),
                    failure));
        } else if (reply.hasError()) {
            rejected(call, reply.getError());
        } else {
            answered(call, reply, now - call.leftAt());
        }
    }

    private void release(Call call) {
        if (call.isLastOfShipment()) {
            shipments--;
        }
    }

    private void answered(Call call, Reply reply, long took) {
        nanos.add(took);
        String error = reply.trouble();
        if (error.isEmpty()) {
            lastCalls = call.decisions() == 0 ? lastCalls : (lastCalls << 1) & LAST_CALLS;
        } else {
            countFailure(call, ServerErrors.explained(error));
        }
        try {
            call.answer(reply, took, settings.remembered());
        } catch (Unanswered e) { // the reply is too short
            call.fail(e);
        }
    }

    private void rejected(Call call, String error) {
        if (ServerErrors.isUnknownScript(error) && !call.isAbandoned()) {
            dispatch(List.of(call), true);
        } else if (oneSlotPerCall && ServerErrors.isElsewhere(error) && call.mayBeRedirected() && !call.isAbandoned()) {
            owner.redirected(this, call, error);
        } else if (ServerErrors.isTryAgain(error) && !call.runs().isEmpty()) {
            dispatch(call.runs(), false);
        } else {
            failed.increment();
            // Count the failure before the caller hears of it, so that the caller sees it in the health.
            if (ServerErrors.isTrouble(error) && !call.wasRedirected()) {
                countFailure(call, ServerErrors.explained(error));
            }
            call.fail(Unanswered.rejected(error));
            if (ServerErrors.isReplica(error)) {
                renew(ServerErrors.explained(error));
            }
        }
    }

    // ---- deadlines

    private void sweepLater() {
        if (!sweeping && !(gathered.isEmpty() && onTheWay.isEmpty() && kept.isEmpty())) {
            sweeping = true;
            long tick = Math.min(10_000_000, Math.max(1_000_000, settings.timeoutNanos() / 10));
            loop.schedule(sweep, tick, TimeUnit.NANOSECONDS);
        }
    }

    /** Ends what has passed its deadline. */
    private void sweep() {
        sweeping = false;
        long now = TIME.nanoTime();
        if (gathered.removeIf(ask -> ask.hasEnded() || expires(ask, now))) {
            warnOfStart();
        }
        kept.forEach(call -> call.expire(now));
        kept.removeIf(Call::isAbandoned);
        boolean isSilent = false;
        for (Call call : List.copyOf(onTheWay)) {
            call.expire(now);
            if (!call.isLate() && now - call.leftAt() >= settings.timeoutNanos()) {
                call.markLate();
                release(call);
                failed.increment();
                countFailure(call, "no answer from Redis in time");
                isSilent = true;
            }
        }
        if (isSilent && ++silent >= SILENT && now - heardAt > SILENT * settings.timeoutNanos()) {
            renew("no answer from Redis in time, " + SILENT + " times in a row");
        }
        if (connection == null && state == State.UP && now - lostAt > settings.timeoutNanos()) {
            down("the connection was lost");
        }
        send();
    }

    private static boolean expires(Ask ask, long now) {
        boolean isLate = ask.deadline() - now <= 0;
        if (isLate) {
            ask.expire();
        }
        return isLate;
    }

    private void warnOfStart() {
        if (state == State.STARTING && !warnedOfStart) {
            warnedOfStart = true;
            LOG.log(
                    WARNING,
                    "Redis ({0}) has not answered yet, limiters decide by their on-store-failure: {1}",
                    address,
                    trouble);
        }
    }

    // ---- whether it answers

    /** The look reports its own failure. */
    private void countFailure(Call call, String why) {
        if (call.decisions() == 0) {
            return;
        }
        lastCalls = (lastCalls << 1 | 1) & LAST_CALLS;
        if (state == State.UP && Integer.bitCount(lastCalls) >= FAILURES) {
            down(why);
        }
    }

    private void up() {
        ready = true;
        if (state != State.UP) {
            lastCalls = 0;
            state = State.UP;
            owner.stateChanged(this);
        }
        dispatch(kept);
        send();
    }

    private void dispatch(Deque<Call> these) {
        for (Call call = these.poll(); call != null; call = these.poll()) {
            dispatch(List.of(call), false);
        }
    }

    /** It is not asked any more. */
    void down(String why) {
        trouble = why;
        ready = false;
        if (state != State.DOWN) {
            state = State.DOWN;
            owner.stateChanged(this);
        }
        send();
    }

    private void failGathered() {
        Unanswered why = notAsked();
        failed.add(gathered.size());
        for (Ask ask = gathered.poll(); ask != null; ask = gathered.poll()) {
            ask.fail(why);
        }
        for (Call call = kept.poll(); call != null; call = kept.poll()) {
            call.fail(why);
        }
    }

    private Unanswered notAsked() {
        return new Unanswered("Redis (" + address + ") does not answer and is not asked: " + trouble);
    }

    /** Looks after the connection, several times a second. */
    private void tick() {
        if (closed) {
            return;
        }
        long now = TIME.nanoTime();
        if (!ready || now - heardAt > (silent > 0 ? LOOK_AGAIN_NANOS : IDLE_NANOS)) {
            look();
        }
        StatefulRedisConnection<byte[], byte[]> current = connection;
        if (current != null) {
            check.askIfDue(current, now);
        }
        send(); // also what a caller has pushed whose stack ended before it could wake the loop
        loop.schedule(this::tick, LOOK_AGAIN_NANOS, TimeUnit.NANOSECONDS);
    }

    /** Runs each step of decisions and refunds. */
    private void look() {
        StatefulRedisConnection<byte[], byte[]> on = connection;
        byte[] key = on == null || looking ? null : owner.lookKey(this);
        if (on == null || key == null) {
            return;
        }
        looking = true;
        // Only a first look waits longer: a server that is too slow for decisions would be down again after five of
        // them.
        long patience = settings.timeoutNanos();
        if (state == State.STARTING) {
            patience = Math.max(patience, FIRST_LOOK_NANOS);
        }
        long deadline = TIME.nanoTime() + patience;
        List<Call.Plain> looks = Call.Plain.look(key, deadline);
        CompletableFuture.allOf(looks.stream().map(Call.Plain::answer).toArray(CompletableFuture[]::new))
                .whenComplete((replies, failure) -> {
                    if (on == connection) {
                        looking = false;
                        looked(failure);
                    }
                });
        dispatch(looks, false);
    }

    private void looked(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause == null) {
            up();
            return;
        }
        String error = cause instanceof Unanswered unanswered ? unanswered.error() : "";
        if (ServerErrors.lacksPexpiretime(error) && scripts.equals(Scripts.USUAL)) {
            scripts = Scripts.WITHOUT_PEXPIRETIME;
            look();
            return;
        }
        // One lost reply is no outage, and neither is a slot that moves: the next look is at another one.
        boolean late = cause instanceof Unanswered unanswered && unanswered.isLate();
        if (state != State.UP || !(late || (oneSlotPerCall && ServerErrors.isElsewhere(error)))) {
            down(error.isEmpty() ? String.valueOf(cause.getMessage()) : ServerErrors.explained(error));
        }
        if (ServerErrors.isReplica(error)) {
            renew(trouble);
        }
    }

    // ---- the connection

    /** Begins to connect. Any thread may call it. */
    void open() {
        loop.execute(() -> {
            connect();
            tick();
        });
    }

    private void connect() {
        if (closed) {
            return;
        }
        CompletionStage<StatefulRedisConnection<byte[], byte[]>> attempt;
        try {
            attempt = connector.get();
        } catch (RuntimeException | LinkageError e) { // such as a Netty that this Lettuce cannot run on
            attempt = CompletableFuture.failedFuture(e);
        }
        attempt.whenComplete((made, failure) -> loop.execute(() -> {
            if (made == null) {
                notConnected(failure);
            } else {
                connected(made);
            }
        }));
    }

    private void notConnected(@Nullable Throwable failure) {
        if (!closed) {
            down("cannot connect: " + ServerErrors.words(failure));
            connectLater();
        }
    }

    private void connectLater() {
        loop.schedule(this::connect, backoff.next().toNanos(), TimeUnit.NANOSECONDS);
    }

    private void connected(StatefulRedisConnection<byte[], byte[]> made) {
        if (closed) {
            made.closeAsync();
            return;
        }
        made.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> broken) {
                run(() -> disconnected(made));
            }
        });
        connection = made;
        connections.increment();
        silent = 0;
        looking = false;
        heardAt = TIME.nanoTime();
        scripts = Scripts.USUAL; // the server, or what the user may, can be another one than before
        owner.connected(this);
        check.ask(made, heardAt);
        look();
        if (!made.isOpen()) {
            disconnected(made);
        }
    }

    @SuppressWarnings("ReferenceEquality") // this connection and not another
    private void disconnected(StatefulRedisConnection<byte[], byte[]> broken) {
        if (broken == connection) {
            connection = null;
            ready = false;
            lostAt = TIME.nanoTime();
            broken.closeAsync();
            connectLater();
            sweepLater();
        }
    }

    /** Gives up a connection that does not serve any more, but not again and again. */
    private void renew(String why) {
        if (TIME.nanoTime() - renewedAt >= RENEWAL_PAUSE_NANOS) {
            replace(why);
        }
    }

    private void replace(String why) {
        StatefulRedisConnection<byte[], byte[]> old = connection;
        if (old != null) {
            renewedAt = TIME.nanoTime();
            connection = null;
            silent = 0;
            down(why);
            old.closeAsync();
            connectLater();
        }
    }

    /** It does not answer, and the decisions that nothing was sent for are returned, for the servers that have the keys now. */
    List<Ask> leave(String why) {
        gather();
        List<Ask> rest = List.copyOf(gathered);
        gathered.clear();
        down(why);
        return rest;
    }

    /** Ends it. Closing its connection is left to the client if all of them are closed. */
    List<Ask> stop(String why, boolean closesConnection) {
        closed = true;
        StatefulRedisConnection<byte[], byte[]> old = connection;
        connection = null;
        if (old != null && closesConnection) {
            old.closeAsync();
        }
        return leave(why);
    }

    // ---- what is told of it, to any thread

    String address() {
        return address;
    }

    State state() {
        return state;
    }

    int waiting() {
        return newest().waiting;
    }

    long losses() {
        return check.losses();
    }

    RedisHealth.Shard health() {
        State now = state;
        return new RedisHealth.Shard(address, now, now == State.DOWN ? Optional.of(trouble) : Optional.empty());
    }

    RedisStatistics.Shard statistics() {
        return new RedisStatistics.Shard(
                address,
                state != State.DOWN,
                new RedisStatistics.Traffic(sent.sum(), failed.sum(), decisions.sum(), nanos.sum(), connections.sum()));
    }
}
