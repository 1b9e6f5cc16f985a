package io.github.ratelimit.redis;

import io.github.ratelimit.redis.RedisHealth.State;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A master: one connection to it, what gathers for it, and whether it answers.
 *
 * <p>It is asked only after it has answered a look with both scripts and a write, and not any more after five of the last ten calls failed: then every
 * call fails at once, until a look is answered again. So no request is ever the one that finds out. Lettuce reconnects what breaks; a
 * connection that stays silent three times is closed and made anew. Nothing blocks; safe for concurrent use.
 */
final class Shard implements AutoCloseable {

    /** Makes a connection to the master, without blocking. */
    @FunctionalInterface
    interface Connector {
        CompletionStage<? extends StatefulConnection<byte[], byte[]>> connect();
    }

    /** Hears of what concerns more than this master. Does not throw. */
    interface Listener {
        /** It answers, or does not any more. */
        void onState(Shard shard);

        /** What was known of its counters may not hold any more. */
        void onConnected(Shard shard);

        /** Another server than this one has the key now, and the call was not run: somebody else is to send it, or to fail it. */
        void onRedirect(Shard from, Call call, String error);
    }

    /** Chosen: five failures are no accident, and a fault that costs fewer is over before anybody could do anything about it. */
    private static final int FAILURES = 5;

    private static final int LAST_CALLS = (1 << 10) - 1;

    /** Chosen: one lost answer is a hiccup; three in a row, and not a word for three timeouts, are a connection that is gone. */
    private static final int SILENT = 3;

    /** Chosen: what the first look may take while a busy process still loads its classes. */
    private static final long FIRST_LOOK_NANOS = 500_000_000;

    private static final long IDLE_NANOS = 1_000_000_000;
    private static final long LOOK_AGAIN_NANOS = 250_000_000;
    private static final long RENEWAL_PAUSE_NANOS = 1_000_000_000;

    /** What one thread fails of others' requests, before the rest becomes somebody else's work. */
    private static final int FAILED_AT_ONCE = 128;

    private final String address;
    private final Connector connector;
    private final boolean findsAnotherMaster;
    private final Function<Shard, byte @Nullable []> lookKeys;
    private final Timer timer;
    private final Executor background;
    private final ServerCheck check;
    private final Listener listener;
    private final Batcher batcher;
    private final Backoff backoff = new Backoff();
    private final Queue<Call> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean looking = new AtomicBoolean();
    private final LongAdder sent = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder decisions = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final LongAdder connections = new LongAdder();

    private volatile @Nullable StatefulConnection<byte[], byte[]> connection;
    private volatile CompletionStage<?> connecting = CompletableFuture.completedFuture(null);
    private volatile @Nullable Thread loop;
    private volatile Scripts scripts = Scripts.USUAL;
    private volatile State state = State.STARTING;
    private volatile String trouble = "nothing was tried yet";
    private volatile long heardAt;
    private volatile long lookedAt;
    private volatile boolean closed;

    // Guarded by this.
    private int lastCalls;
    private int silent;
    private long renewedAt;

    /**
     * Makes it. {@link #open} connects.
     *
     * @param findsAnotherMaster whether a connection made anew may lead to another server
     * @param lookKeys tells a counter that nobody uses, in a slot that the master has now; null if it has none
     * @param background where it works on, if not for a caller; what runs there may block for a moment
     */
    Shard(
            String address,
            Connector connector,
            boolean findsAnotherMaster,
            boolean oneSlotPerCall,
            Function<Shard, byte @Nullable []> lookKeys,
            Timer timer,
            Executor background,
            Standings standings,
            ServerCheck check,
            Listener listener) {
        this.address = address;
        this.connector = connector;
        this.findsAnotherMaster = findsAnotherMaster;
        this.lookKeys = lookKeys;
        this.timer = timer;
        this.background = background;
        this.check = check;
        this.listener = listener;
        this.batcher = new Batcher(
                oneSlotPerCall,
                timer,
                background,
                standings,
                () -> state == State.UP,
                () -> isReadBy(Thread.currentThread()),
                this::dispatch);
        long now = timer.now();
        this.heardAt = now;
        this.lookedAt = now;
        this.renewedAt = now - RENEWAL_PAUSE_NANOS;
    }

    // ---- what is asked

    /** Takes a request. It is told in any case, at once where the master is known not to answer. */
    void submit(Request request) {
        if (state == State.DOWN) {
            failed.increment();
            request.fail(notAsked());
            return;
        }
        batcher.submit(request);
        if (state == State.DOWN) { // since a moment ago: nobody else may look
            failGathered();
        }
    }

    /** Sends a call, or keeps it while the first connection is made. It completes in any case. */
    void send(Call call) {
        if (state == State.STARTING) {
            timer.at(timer.deadline(), () -> call.completeExceptionally(Unanswered.late()));
            waiting.add(call);
            if (state != State.STARTING) {
                sendWaiting();
            }
        } else {
            dispatch(List.of(call));
        }
    }

    /** Sends a call that another server did not run. */
    void sendRedirected(Call call, boolean asking) {
        StatefulConnection<byte[], byte[]> current = connection;
        if (current == null) {
            call.completeExceptionally(notAsked());
            return;
        }
        List<RedisCommand<byte[], byte[], ?>> commands = new ArrayList<>(2);
        if (asking) {
            commands.add(new AsyncCommand<>(
                    new Command<>(CommandType.ASKING, new StatusOutput<>(ByteArrayCodec.INSTANCE), null)));
        }
        // ASKING is for one command: a server that does not know the script could not be sent it in another one.
        commands.add(command(current, call, asking ? call.commandWithScript(scripts) : call.command(scripts)));
        write(current, commands);
    }

    private void sendWaiting() {
        for (Call call = waiting.poll(); call != null; call = waiting.poll()) {
            if (!call.isDone()) {
                dispatch(List.of(call));
            }
        }
    }

    /** In one flush. */
    private void dispatch(List<Call> calls) {
        StatefulConnection<byte[], byte[]> current = connection;
        boolean down = state == State.DOWN;
        List<RedisCommand<byte[], byte[], ?>> commands = new ArrayList<>(calls.size());
        long start = timer.now();
        for (Call call : calls) {
            Ends.of(call, (reply, failure) -> ended(call, reply, failure, timer.now() - start));
            if (down || current == null) {
                call.completeExceptionally(notAsked());
                continue;
            }
            Runnable answered = timer.at(start + timer.timeout(), () -> call.completeExceptionally(Unanswered.late()));
            Ends.of(call, (reply, failure) -> answered.run());
            sent.increment();
            decisions.add(call.decisions());
            commands.add(command(current, call, call.command(scripts)));
        }
        if (current != null && !commands.isEmpty()) {
            write(current, commands);
        }
    }

    private static void write(
            StatefulConnection<byte[], byte[]> connection, List<RedisCommand<byte[], byte[], ?>> commands) {
        try {
            if (commands.size() == 1) {
                connection.dispatch(commands.get(0));
            } else {
                connection.dispatch(commands);
            }
        } catch (RuntimeException e) { // closed in between
            commands.forEach(command -> command.completeExceptionally(e));
        }
    }

    private AsyncCommand<byte[], byte[], Reply> command(
            StatefulConnection<byte[], byte[]> on, Call call, Command<byte[], byte[], Reply> what) {
        AsyncCommand<byte[], byte[], Reply> command = new AsyncCommand<>(what);
        Ends.of(command, (reply, failure) -> answered(on, call, reply, failure));
        Ends.of(call, (reply, failure) -> {
            if (!command.isDone()) {
                command.cancel(); // if it has not been written yet, it never is
            }
        });
        return command;
    }

    private void answered(
            StatefulConnection<byte[], byte[]> on, Call call, @Nullable Reply reply, @Nullable Throwable failure) {
        if (reply != null && failure == null) {
            heard();
            call.complete(reply);
        } else if (failure instanceof RedisCommandExecutionException error) {
            heard();
            refused(on, call, error);
        } else {
            call.completeExceptionally(new Unanswered("the connection to Redis failed: " + message(failure), failure));
        }
    }

    private void heard() {
        heardAt = timer.now();
        if (loop != Thread.currentThread()) {
            loop = Thread.currentThread();
        }
    }

    private void refused(StatefulConnection<byte[], byte[]> on, Call call, RedisCommandExecutionException error) {
        String text = message(error);
        if (ServerErrors.isUnknownScript(text) && !call.isDone()) {
            write(on, List.of(command(on, call, call.commandWithScript(scripts))));
        } else if (ServerErrors.isElsewhere(text) && call.mayBeSentOn() && !call.isDone()) {
            listener.onRedirect(this, call, text);
        } else {
            call.completeExceptionally(new Unanswered("Redis refused: " + ServerErrors.explained(text), error));
        }
    }

    private static String message(@Nullable Throwable failure) {
        return failure == null ? "no reply" : String.valueOf(failure.getMessage());
    }

    private Unanswered notAsked() {
        return new Unanswered("Redis (" + address + ") does not answer and is not asked: " + trouble);
    }

    // ---- whether it answers

    private void ended(Call call, @Nullable Reply reply, @Nullable Throwable failure, long took) {
        nanos.add(took);
        if (reply != null && !reply.tellsOfTrouble()) {
            succeeded();
            return;
        }
        failed.increment();
        if (state != State.UP || call.wasSentOn()) {
            return; // a look will tell; or this server has answered, by naming another one
        }
        String error = reply != null ? reply.error() : error(failure);
        if (error.isEmpty()) {
            if (failure instanceof Unanswered unanswered && unanswered.isLate()) {
                silent();
            }
        } else if (ServerErrors.isTrouble(error)) {
            spoke();
        } else {
            succeeded(); // one key is not what it should be, say: the server is well
            return;
        }
        if (failedTooOften()) {
            down(error.isEmpty() ? message(failure) : ServerErrors.explained(error));
        }
        if (ServerErrors.isReplica(error)) {
            renew(ServerErrors.explained(error));
        }
    }

    /** What the server said; empty if it said nothing. */
    private static String error(@Nullable Throwable failure) {
        Throwable cause = failure == null ? null : failure.getCause();
        return cause instanceof RedisCommandExecutionException ? message(cause) : "";
    }

    private synchronized void succeeded() {
        silent = 0;
        lastCalls = (lastCalls << 1) & LAST_CALLS;
    }

    private synchronized void spoke() {
        silent = 0;
    }

    private synchronized boolean failedTooOften() {
        lastCalls = (lastCalls << 1 | 1) & LAST_CALLS;
        return Integer.bitCount(lastCalls) >= FAILURES;
    }

    private void silent() {
        boolean gone;
        synchronized (this) {
            gone = ++silent >= SILENT && timer.now() - heardAt > SILENT * timer.timeout();
        }
        if (gone) {
            renew("no answer from Redis in time, " + SILENT + " times in a row");
        }
    }

    private void up() {
        synchronized (this) {
            if (closed) {
                return;
            }
            silent = 0;
            if (state == State.UP) {
                return;
            }
            lastCalls = 0;
            state = State.UP;
        }
        listener.onState(this);
        sendWaiting();
        batcher.send();
    }

    /** It is not asked any more. */
    void down(String why) {
        synchronized (this) {
            trouble = why;
            if (state == State.DOWN) {
                return;
            }
            state = State.DOWN;
        }
        listener.onState(this);
        later(this::failGathered);
    }

    /** What has gathered is nobody's to wait for any more; a part of it here, the rest elsewhere. */
    private void failGathered() {
        if (state != State.DOWN) {
            return; // it answers again, and is asked
        }
        Unanswered why = notAsked();
        for (Call call = waiting.poll(); call != null; call = waiting.poll()) {
            call.completeExceptionally(why);
        }
        List<Request> gathered = batcher.drain(FAILED_AT_ONCE);
        failed.add(gathered.size());
        gathered.forEach(request -> request.fail(why));
        if (gathered.size() == FAILED_AT_ONCE) {
            later(this::failGathered);
        }
    }

    private void later(Runnable task) {
        try {
            background.execute(task);
        } catch (RejectedExecutionException e) {
            task.run(); // the executor is closed: nobody else will
        }
    }

    /** Looks after it, several times a second. */
    void tick() {
        long now = timer.now();
        boolean isDue = state == State.UP
                ? now - heardAt > IDLE_NANOS && now - lookedAt > (isSilent() ? LOOK_AGAIN_NANOS : IDLE_NANOS)
                : now - lookedAt > LOOK_AGAIN_NANOS;
        if (isDue) {
            look();
        }
    }

    private synchronized boolean isSilent() {
        return silent > 0;
    }

    /** Asks for nothing, with both scripts and by a write; the answers tell whether the master can decide. */
    private void look() {
        StatefulConnection<byte[], byte[]> current = connection;
        byte[] lookKey = current == null ? null : lookKeys.apply(this);
        if (current == null || lookKey == null || !looking.compareAndSet(false, true)) {
            return;
        }
        lookedAt = timer.now();
        Iterator<Call> looks = List.of(Call.look(lookKey), Call.refundNothing(lookKey), Call.writeNothing(lookKey))
                .iterator();
        look(current, looks);
    }

    private void look(StatefulConnection<byte[], byte[]> on, Iterator<Call> looks) {
        if (!looks.hasNext()) {
            looking.set(false);
            if (owns(on)) { // else it was given up meanwhile, and another one has to answer
                up();
            }
            return;
        }
        Call call = looks.next();
        // A server that is too slow for requests is not up because a look
        // waits longer: it would be down again after five of them.
        long patience = state == State.STARTING ? Math.max(timer.timeout(), FIRST_LOOK_NANOS) : timer.timeout();
        Runnable answered = timer.at(timer.now() + patience, () -> call.completeExceptionally(Unanswered.late()));
        Ends.of(call, (reply, failure) -> {
            answered.run();
            String error = reply != null ? reply.error() : error(failure);
            if (failure == null && error.isEmpty()) {
                look(on, looks);
                return;
            }
            looking.set(false);
            if (ServerErrors.lacksPexpiretime(error) && !scripts.equals(Scripts.WITHOUT_PEXPIRETIME)) {
                scripts = Scripts.WITHOUT_PEXPIRETIME;
                look();
            } else {
                failedLook(on, failure, error);
            }
        });
        write(on, List.of(command(on, call, call.command(scripts))));
    }

    private void failedLook(StatefulConnection<byte[], byte[]> on, @Nullable Throwable failure, String error) {
        if (!owns(on)) {
            return; // another one was made meanwhile
        }
        boolean late = failure instanceof Unanswered unanswered && unanswered.isLate();
        if (late) {
            silent();
        } else {
            spoke();
        }
        // One lost answer is no outage, and neither is a slot that moves: the next look is at another one.
        if (state != State.UP || !(late || ServerErrors.isElsewhere(error))) {
            down(error.isEmpty() ? message(failure) : ServerErrors.explained(error));
        }
        if (ServerErrors.isReplica(error) || (findsAnotherMaster && error.isEmpty())) {
            renew(trouble);
        }
    }

    // ---- the connection

    void open() {
        later(this::connect);
    }

    private void connect() {
        CompletionStage<? extends StatefulConnection<byte[], byte[]>> attempt;
        synchronized (this) { // or who closes would not wait for this attempt, and end the event loop under it
            if (closed) {
                return;
            }
            attempt = attempt();
            connecting = attempt;
        }
        Ends.of(attempt, (made, failure) -> {
            if (made == null) {
                notConnected(failure);
            } else {
                connected(made);
            }
        });
    }

    private CompletionStage<? extends StatefulConnection<byte[], byte[]>> attempt() {
        try {
            return connector.connect();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void notConnected(@Nullable Throwable failure) {
        Throwable root = failure;
        while (root != null && root.getCause() != null) {
            root = root.getCause();
        }
        if (!closed) {
            down("cannot connect: " + message(root));
            connectLater();
        }
    }

    private void connectLater() {
        try {
            timer.after(backoff.next().toNanos(), this::open);
        } catch (IllegalStateException e) {
            return; // closed
        }
    }

    private void connected(StatefulConnection<byte[], byte[]> made) {
        synchronized (this) {
            if (!closed) {
                connection = made;
            }
        }
        if (closed) {
            close(made);
            return;
        }
        anew(made);
    }

    /** Whether the connection is this master's. */
    @SuppressWarnings("ReferenceEquality") // this one and not another
    boolean owns(Object of) {
        return of == connection;
    }

    /** Lettuce has made the connection again. */
    void reconnected() {
        StatefulConnection<byte[], byte[]> current = connection;
        if (current != null) {
            anew(current);
        }
    }

    private void anew(StatefulConnection<byte[], byte[]> made) {
        connections.increment();
        spoke();
        looking.set(false);
        scripts = Scripts.USUAL; // the server, or what the user may, can be another one than before
        listener.onConnected(this);
        check.ask(made);
        look();
    }

    /** Gives up a connection that does not serve any more, and makes another one. */
    private void renew(String why) {
        StatefulConnection<byte[], byte[]> old;
        synchronized (this) {
            long now = timer.now();
            old = connection;
            if (old == null || closed || now - renewedAt < RENEWAL_PAUSE_NANOS) {
                return;
            }
            renewedAt = now;
            connection = null;
            silent = 0;
        }
        down(why);
        close(old);
        connectLater();
    }

    /** It is not asked any more: what has gathered for it is asked of the masters that have the keys now. */
    void leaveTo(Function<byte[], Shard> masters, String why) {
        List<Request> gathered = batcher.drain(Integer.MAX_VALUE);
        List<Call> calls = new ArrayList<>();
        for (Call call = waiting.poll(); call != null; call = waiting.poll()) {
            calls.add(call);
        }
        down(why);
        gathered.forEach(
                request -> masters.apply(request.counters()[0].redisKey()).submit(request));
        calls.forEach(call -> masters.apply(call.firstKey()).send(call));
    }

    /** Not asked any more. Its connection is the client's to close, once an attempt to make one has ended, which is told. */
    CompletableFuture<?> stop(String why) {
        synchronized (this) {
            closed = true;
        }
        down(why);
        return connecting.handle((made, failure) -> null).toCompletableFuture();
    }

    @Override
    public void close() {
        StatefulConnection<byte[], byte[]> old;
        synchronized (this) {
            closed = true;
            old = connection;
            connection = null;
        }
        if (old != null) {
            close(old);
        }
    }

    private static void close(StatefulConnection<byte[], byte[]> connection) {
        Ends.of(connection.closeAsync(), (done, failure) -> {}); // a failure to close what is broken is no news
    }

    // ---- what is told of it

    String address() {
        return address;
    }

    State state() {
        return state;
    }

    /** Whether the thread is the one that reads its answers: it must not wait for one. Until one was read, any of Netty's may be it. */
    boolean isReadBy(Thread thread) {
        Thread known = loop;
        return known == null ? thread instanceof FastThreadLocalThread : known == thread;
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
