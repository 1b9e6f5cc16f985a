package io.github.ratelimit.remote;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.remote.StoreHealth.State;
import io.github.ratelimit.remote.UnansweredException.Meaning;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server that decides about some of the counters, or all, and the requests that gather for it. A request leaves at once while none is on
 * its way; else they gather and travel together when a reply comes, or when they are as many as those on their way.
 *
 * <p>Its state and methods belong to the engine's thread. Methods for any thread say so.
 */
public final class Server {

    /** Hears of what concerns more than this server. Does not throw. */
    public interface Listener {

        /** The server answers, or does not any more. */
        void stateChanged(Server server);
        /** A counter that no caller has and that the server decides about now; null if there is none. */
        @Nullable
        Counter probed(Server server);

        /** The part of all counters that it belongs to: one command brings counters of one part. Any thread may call it. */
        int partOf(Counter counter);

        /** This machine's calendar and the server's differ by more than a minute. */
        void clocksDiffer(Server server, Instant here, Instant there);
    }

    /** Measured: with a second call on its way client and server do not wait for each other; more of them gather less. */
    private static final int CALLS_ON_THE_WAY = 2;

    /** Chosen: a call with so many counters holds the server for some 300 microseconds, and more of them save little. */
    private static final int COUNTERS_PER_CALL = 128;

    private static final TimeSource TIME = TimeSource.system(); // runs on while a test's clock stands still

    private final String address;
    private final EngineSettings settings;
    private final Listener listener;
    private final ServerMonitor monitor;

    private final ServerCalendar calendar;
    private final RequestQueue queue = new RequestQueue();
    private final AtomicBoolean awake = new AtomicBoolean(); // the loop sends before long: nobody needs to wake it

    private final LongAdder sent = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder decisions = new LongAdder();
    private final LongAdder nanos = new LongAdder();

    // Only for the engine's thread.
    private final Deque<Batch> onTheWay = new ArrayDeque<>();
    private int requestsOnTheWay;
    private boolean sweeping;
    private long sentAt;

    /**
     * Makes a server that {@link #open} connects to.
     *
     * @param address its name in messages; without a password
     * @param connector connects; called on the engine's thread
     * @param store whose settings it has
     */
    public Server(
            String address,
            Supplier<? extends CompletionStage<? extends Connection>> connector,
            RemoteStore store,
            Listener listener) {
        this(address, connector, store.settings(), listener);
    }

    Server(
            String address,
            Supplier<? extends CompletionStage<? extends Connection>> connector,
            EngineSettings settings,
            Listener listener) {
        this.address = address;
        this.settings = settings;
        this.listener = listener;
        this.monitor = new ServerMonitor(this, connector, settings, listener);
        this.calendar = new ServerCalendar(this, settings, listener);
    }

    // ---- requests

    /** Takes a request, which ends in any case. Any thread may call it. */
    public void submit(Request request) {
        settings.tickets().watch(request);
        if (state() == State.DOWN) {
            failed.increment();
            request.fail(notAsked());
        } else if (!queue.add(request, settings.maximumPending())) {
            request.fail(new UnansweredException("%d requests wait for %s already, as many as may"
                    .formatted(settings.maximumPending(), settings.product())));
        } else if (!awake.get() && awake.compareAndSet(false, true)) {
            execute(this::send);
        }
    }

    void execute(Runnable task) {
        try {
            settings.executor().execute(task);
        } catch (RejectedExecutionException e) { // the executor has ended, so that no thread reads these any more
            queue.takeAll().forEach(request -> request.fail(new UnansweredException("the store was closed")));
        }
    }

    /** Runs a task on the engine's thread: now, if this is it. */
    void run(Runnable task) {
        if (settings.isEngine().getAsBoolean()) {
            task.run();
        } else {
            execute(task);
        }
    }

    /** Sends the gathered requests, if it is time. */
    void send() {
        do {
            awake.set(false);
            if (state() == State.DOWN) {
                failQueued();
            }
            while (monitor.ready && mayLeave()) {
                ship();
            }
            sweepLater();
            awake.set(sweeping
                    && !(monitor.ready
                            && onTheWay.size() < CALLS_ON_THE_WAY)); // otherwise a reply or the sweep comes too late
        } while (!awake.get() && monitor.ready && mayLeave());
    }

    /** A further call leaves when it brings as many requests as are on their way: smaller ones cost more than the wait. */
    private boolean hasRoom() {
        int waiting = queue.pending() - requestsOnTheWay;
        return onTheWay.isEmpty() || (onTheWay.size() < CALLS_ON_THE_WAY && waiting >= requestsOnTheWay);
    }

    private boolean mayLeave() {
        return !queue.isEmpty()
                && (onTheWay.size() < settings.maximumCalls()
                        && (hasRoom()
                                || queue.pending() - requestsOnTheWay >= COUNTERS_PER_CALL
                                || TIME.nanoTime() - sentAt >= settings.timeoutNanos() / 8));
    }

    /** Sends as much as one call may bring, or one call for each part of the server, in one flush. */
    private void ship() {
        Map<Integer, Batch> byPart = new LinkedHashMap<>(2);
        int counters = 0;
        for (Request request = queue.peek(); request != null; request = queue.peek()) {
            int more = request.counters().length;
            if (counters > 0 && counters + more > COUNTERS_PER_CALL) {
                break;
            }
            queue.poll();
            request.sent = true; // first: its caller may be ending it
            if (!request.isDone()) {
                byPart.computeIfAbsent(listener.partOf(request.counters()[0]), part -> new Batch(this, false))
                        .add(request);
                counters += more;
            } else {
                queue.release(1);
            }
        }
        sentAt = TIME.nanoTime();
        dispatch(List.copyOf(byPart.values()));
    }

    void dispatch(List<Batch> batches) {
        long now = TIME.nanoTime();
        for (Batch batch : batches) {
            batch.sentAt = now;
            onTheWay.add(batch);
            requestsOnTheWay += batch.requests();
            sent.increment();
            decisions.add(batch.requests());
        }
        Connection to = monitor.connection;
        try {
            if (to == null || !to.isOpen()) {
                throw new UnansweredException("there is no connection to " + settings.product());
            }
            to.send(batches);
        } catch (RuntimeException e) {
            monitor.disconnected(to);
            batches.forEach(batch -> batch.fail(UnansweredException.lost(settings.product(), e)));
        }
        sweepLater();
    }

    // ---- replies

    /** Hears that the parts of a batch are on their way in its place. */
    void split(Batch whole, List<Batch> parts) {
        if (onTheWay.remove(whole)) {
            onTheWay.addAll(parts);
        }
    }

    /** Hears that a batch has ended. */
    void ended(Batch batch, @Nullable Reply reply, @Nullable UnansweredException why) {
        if (onTheWay.remove(batch)) {
            requestsOnTheWay -= batch.requests();
            queue.release(batch.requests());
        }
        UnansweredException failure = why;
        long nowMillis = 0;
        if (reply != null) {
            try {
                nowMillis = reply.next();
            } catch (UnansweredException e) {
                failure = e;
            }
        }
        if (failure == null || (failure.meaning() != Meaning.LOST && failure.meaning() != Meaning.LATE)) {
            monitor.heard();
        }
        if (reply == null || failure != null) {
            failed.increment();
            fail(batch, failure == null ? UnansweredException.lost(settings.product(), null) : failure);
            send();
            return;
        }
        long took = TIME.nanoTime() - batch.sentAt;
        nanos.add(took);
        calendar.update(nowMillis, batch.sentAt);
        UnansweredException trouble = reply.trouble();
        if (trouble != null) {
            judge(batch, trouble);
        } else if (batch.countsAgainstServer() && !batch.isLate) {
            monitor.succeeded();
        }
        send(); // first, so that the callers' next requests gather and travel together
        try {
            batch.complete(reply, nowMillis, settings, took).forEach(this::submit);
        } catch (UnansweredException e) { // the reply is too short
            batch.failRequests(e);
        }
        if (trouble == null) {
            settings.tickets().end(this);
        }
    }

    private void fail(Batch batch, UnansweredException why) {
        judge(batch, why); // before the caller hears of it, so that the caller sees it in the health
        batch.failRequests(why);
    }

    private void judge(Batch batch, UnansweredException why) {
        boolean isOfServer = why.meaning() != Meaning.REQUEST && why.meaning() != Meaning.LOST;
        if (isOfServer && batch.countsAgainstServer() && !batch.isLate && !batch.isCancelled()) {
            monitor.failed(why);
        }
    }

    /** The server's calendar now, as of its last reply. */
    Instant serverTime() {
        return calendar.now();
    }

    // ---- deadlines

    void sweepLater() {
        if (!sweeping && !(queue.isEmpty() && onTheWay.isEmpty())) {
            sweeping = true;
            long tick = Math.min(10_000_000, Math.max(1_000_000, settings.timeoutNanos() / 10));
            settings.executor().schedule(this::sweep, tick, TimeUnit.NANOSECONDS);
        }
    }

    /** Ends requests after their deadline. */
    private void sweep() {
        sweeping = false;
        long now = TIME.nanoTime();
        boolean isLate = queue.expire(now, settings.product()) && !monitor.ready;
        for (Batch batch : List.copyOf(onTheWay)) {
            batch.expire(now, settings.product());
            if (!batch.isLate && now - batch.sentAt >= settings.timeoutNanos()) {
                batch.isLate = true; // a reply may come yet, and its connection be lost
                failed.increment();
                isLate |= batch.countsAgainstServer();
            }
        }
        if (isLate) {
            monitor.late();
        }
        send();
    }

    // ---- whether it answers

    private void failQueued() {
        UnansweredException why = notAsked();
        for (Request request : queue.takeAll()) {
            failed.increment();
            request.fail(why);
        }
    }

    UnansweredException notAsked() {
        return new UnansweredException(
                "%s (%s) does not answer and is not asked: %s".formatted(settings.product(), address, monitor.trouble));
    }

    /** Begins to connect. Any thread may call it. */
    public void open() {
        execute(monitor::open);
    }

    /** A connection was lost. Any thread may call it. */
    public void disconnected(Connection broken) {
        run(() -> monitor.disconnected(broken));
    }

    /** Its connection does not serve any more: it is given up for another one. Any thread may call it. */
    public void replaceConnection(String why) {
        run(() -> monitor.replace(why));
    }

    /** Is not asked for now. */
    public void down(String why) {
        monitor.down(why);
    }

    /** Is not asked for now, and returns the requests that were not sent, for the servers that have the counters now. */
    public List<Request> leave(String why) {
        List<Request> rest = queue.takeAll();
        monitor.down(why);
        return rest;
    }

    /**
     * Ends it, and returns the requests that were not sent.
     *
     * @param closesConnection false where the client is going to close all
     */
    public List<Request> stop(String why, boolean closesConnection) {
        monitor.close(closesConnection);
        return leave(why);
    }

    /** Its connection; null if there is none. */
    public @Nullable Connection connection() {
        return monitor.connection;
    }

    // ---- reports, for any thread

    /** Its name. */
    public String address() {
        return address;
    }

    /** Whether it answers. */
    public State state() {
        return monitor.state;
    }

    /** Whether it has failed since its last answer. On the engine's thread. */
    public boolean isFailing() {
        return monitor.isFailing();
    }

    int partOf(Counter counter) {
        return listener.partOf(counter);
    }

    String product() {
        return settings.product();
    }

    /** How many requests wait for it. */
    int pending() {
        return queue.pending();
    }

    /** Whether it answers, and if not, why. */
    public StoreHealth.Shard health() {
        State now = state();
        return new StoreHealth.Shard(address, now, now == State.DOWN ? Optional.of(monitor.trouble) : Optional.empty());
    }

    /** The traffic with it. */
    public StoreStatistics.Shard statistics() {
        return new StoreStatistics.Shard(
                address,
                state() != State.DOWN,
                new StoreStatistics.Traffic(
                        sent.sum(), failed.sum(), decisions.sum(), nanos.sum(), monitor.connections.sum()));
    }
}
