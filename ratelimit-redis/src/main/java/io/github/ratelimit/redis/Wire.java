package io.github.ratelimit.redis;

import io.github.ratelimit.TimeSource;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Sends calls over the link, each once: what comes back is the reply, or why there is none. Calls made while the link is being made wait
 * for it, no longer than their deadlines; calls made while Redis is known not to answer fail at once. Safe for concurrent use.
 */
final class Wire implements Link.Listener, AutoCloseable {

    /** Chosen: a Cluster's other shards lose what is on its way when the connection is made anew for one of them. */
    private static final long RENEWAL_PAUSE = TimeUnit.SECONDS.toNanos(1);

    private final TimeSource time;
    private final Deadlines deadlines;
    private final Health health;
    private final ServerCheck check;
    private final Server server;
    private final Link link;
    private final ConcurrentMap<String, Gate> gates = new ConcurrentHashMap<>(); // one for each master
    private final Queue<Call> waiting = new ConcurrentLinkedQueue<>();
    private final LongAdder sent = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final long silence;
    private volatile long renewedAt;
    private volatile String trouble = "nothing was tried yet";
    private volatile boolean lastFailureWasLate;

    /**
     * Makes it. {@link #open()} connects.
     *
     * @param time what runs on while tests stand still: the machine's
     * @param silence how long nothing is heard of a connection, in nanoseconds, before it is given up when calls fail
     */
    Wire(TimeSource time, Server server, Deadlines deadlines, Health health, long silence) {
        this.time = time;
        this.deadlines = deadlines;
        this.health = health;
        this.silence = silence;
        this.check = new ServerCheck(server.isCluster());
        this.link = new Link(server, this);
        this.server = server;
        this.renewedAt = time.nanoTime() - RENEWAL_PAUSE;
    }

    void open() {
        link.open();
    }

    /** Sends them in one flush. Never throws: a call tells by itself what becomes of it. */
    void send(List<Call> calls) {
        List<Call> passed = new ArrayList<>(calls.size());
        for (Call call : calls) {
            Gate gate = gate(call);
            if (gate.tryPass()) {
                long start = time.nanoTime();
                Ends.of(call, (reply, failure) -> ended(gate, reply, failure, time.nanoTime() - start));
                deadlines.watch(call);
                passed.add(call);
            } else {
                failed.increment();
                call.completeExceptionally(new Unanswered("Redis does not answer and is not asked: " + trouble));
            }
        }
        StatefulConnection<byte[], byte[]> connection = link.current();
        if (connection != null) {
            dispatch(connection, passed);
        } else {
            waiting.addAll(passed);
            connection = link.current();
            if (connection != null) { // made in between: its listener may have looked before the calls were there
                dispatchWaiting(connection);
            }
        }
    }

    /** What fails on one shard of a Cluster must not keep calls from the others. */
    private Gate gate(Call call) {
        String shard = server.shardOf(call.firstKey());
        Gate gate = gates.get(shard);
        return gate != null
                ? gate
                : gates.computeIfAbsent(shard, same -> new Gate(time.nanoTime(), this::shut, this::opened));
    }

    private void dispatchWaiting(StatefulConnection<byte[], byte[]> connection) {
        List<Call> calls = new ArrayList<>();
        for (Call call = waiting.poll(); call != null; call = waiting.poll()) {
            if (!call.isDone()) {
                calls.add(call);
            }
        }
        dispatch(connection, calls);
    }

    private void dispatch(StatefulConnection<byte[], byte[]> connection, List<Call> calls) {
        if (calls.isEmpty()) {
            return;
        }
        sent.add(calls.size());
        List<AsyncCommand<byte[], byte[], Reply>> commands = new ArrayList<>(calls.size());
        for (Call call : calls) {
            commands.add(command(connection, call, call.command()));
        }
        try {
            if (server.isCluster()) {
                // Not all at once: for that, Lettuce waits on this thread for connections to nodes that are not made
                // yet. A
                // decision on several slots comes here on a thread of the client, which those connections need.
                commands.forEach(connection::dispatch);
            } else if (commands.size() == 1) {
                connection.dispatch(commands.get(0));
            } else {
                connection.dispatch(commands);
            }
        } catch (RuntimeException e) { // closed in between, or its queue is full
            commands.forEach(command -> command.completeExceptionally(e));
        }
    }

    private AsyncCommand<byte[], byte[], Reply> command(
            StatefulConnection<byte[], byte[]> connection, Call call, Command<byte[], byte[], Reply> what) {
        AsyncCommand<byte[], byte[], Reply> command = new AsyncCommand<>(what);
        Ends.of(command, (reply, failure) -> answered(connection, call, reply, failure));
        Ends.of(call, (reply, failure) -> {
            if (!command.isDone()) {
                command.cancel(); // if it has not been written yet, it never is
            }
        });
        return command;
    }

    private void answered(
            StatefulConnection<byte[], byte[]> connection,
            Call call,
            @Nullable Reply reply,
            @Nullable Throwable failure) {
        if (failure == null && reply != null) {
            call.complete(reply);
        } else if (failure instanceof RedisCommandExecutionException error) {
            gate(call).heard(time.nanoTime());
            refused(connection, call, error);
        } else {
            call.completeExceptionally(new Unanswered("the connection to Redis failed: " + message(failure), failure));
        }
    }

    private void refused(
            StatefulConnection<byte[], byte[]> connection, Call call, RedisCommandExecutionException error) {
        String text = message(error);
        if (ServerErrors.isUnknownScript(text) && !call.isDone()) {
            connection.dispatch(command(connection, call, call.commandWithScript()));
            return;
        }
        if (ServerErrors.isReplica(text)) {
            link.renew();
        }
        call.completeExceptionally(new Unanswered("Redis refused: " + ServerErrors.explained(text), error));
    }

    private void ended(Gate gate, @Nullable Reply reply, @Nullable Throwable failure, long nanos) {
        if (reply != null) {
            gate.heard(time.nanoTime());
        }
        if (reply != null && !reply.tellsOfTrouble()) {
            gate.succeeded(nanos);
            return;
        }
        if (reply != null && reply.tellsOfReplica()) {
            link.renew();
        }
        Throwable cause = failure != null ? failure : new Unanswered("Redis could not decide");
        failed.increment();
        trouble = message(cause);
        lastFailureWasLate = failure instanceof Unanswered unanswered && unanswered.isLate();
        gate.failed(nanos, cause);
    }

    private static String message(@Nullable Throwable failure) {
        return failure == null ? "no reply" : String.valueOf(failure.getMessage());
    }

    @Override
    public void onConnected(StatefulConnection<byte[], byte[]> connection) {
        gates.values().forEach(Gate::probe);
        opened();
        dispatchWaiting(connection);
        check.ask(connection);
    }

    @Override
    public void onConnectFailure(RuntimeException failure) {
        Throwable root = failure.getCause() != null ? failure.getCause() : failure;
        trouble = "cannot connect: " + message(root);
        health.down(trouble);
        for (Call call = waiting.poll(); call != null; call = waiting.poll()) {
            call.completeExceptionally(new Unanswered("Redis does not answer: " + trouble, failure));
        }
    }

    private void shut(Gate gate) {
        health.down(trouble);
        long now = time.nanoTime();
        // The peer may be gone without a word, and what it still gets would be late. A peer that says no is there.
        if (lastFailureWasLate && now - gate.heardAt() > silence && now - renewedAt > RENEWAL_PAUSE) {
            renewedAt = now;
            link.renew();
        }
    }

    private void opened() {
        if (gates.values().stream().allMatch(Gate::isOpen)) {
            health.up();
        }
    }

    long sent() {
        return sent.sum();
    }

    long connections() {
        return link.made();
    }

    long failed() {
        return failed.sum();
    }

    @Override
    public void close() {
        link.close();
        onClosed();
    }

    private void onClosed() {
        for (Call call = waiting.poll(); call != null; call = waiting.poll()) {
            call.completeExceptionally(new Unanswered("the store is closed"));
        }
    }
}
