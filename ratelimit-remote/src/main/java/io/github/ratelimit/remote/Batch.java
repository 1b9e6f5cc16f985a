package io.github.ratelimit.remote;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.CalendarWindow;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.remote.Request.Operation;
import io.github.ratelimit.remote.UnansweredException.Meaning;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Requests that travel together in one command, in groups of identical ones, which a server decides as one. Belongs to the engine's thread;
 * {@link #answer} and {@link #fail} may be called on any.
 */
public final class Batch {

    /** The reply of a server to ends of the calendar that belong to another time. */
    public static final String CALENDAR_IS_OVER = "the ends of the calendar are over";

    private static final UUID NO_TICKET = new UUID(0, 0);
    private static final Limit PROBE = Limit.of(Integer.MAX_VALUE, Duration.ofSeconds(1));

    private final Server server;
    private final boolean isProbe;
    private final List<List<Request>> groups = new ArrayList<>(2);
    private final Map<Counter, List<Request>> latest = new HashMap<>(4); // group of each counter
    private int requests;
    private boolean isDone;
    private boolean isRedirected;
    long sentAt;
    boolean isLate;

    /**
     * Makes an empty one.
     *
     * @param isProbe whether it finds out if the server decides, and brings no caller's request
     */
    Batch(Server server, boolean isProbe) {
        this.server = server;
        this.isProbe = isProbe;
    }

    /** Adds a request to the group before, unless a group between them shares a counter with it: each counter keeps its order. */
    void add(Request request) {
        requests++;
        Counter[] counters = request.counters();
        List<Request> group = latest.get(counters[0]);
        for (Counter counter : counters) {
            group = group == latest.get(counter) ? group : null;
        }
        if (group == null
                || !Arrays.equals(group.get(0).counters(), counters)
                || !group.get(0).asksTheSameAs(request)) {
            group = new ArrayList<>(1);
            groups.add(group);
            for (Counter counter : counters) {
                latest.put(counter, group);
            }
        }
        group.add(request);
    }

    /** A batch that carries out each step of decisions and settlements: opens a window, adds to it, settles and resets it. */
    static Batch probe(Server server, Counter counter, long deadline) {
        Batch probe = new Batch(server, true);
        List<Charge> charges = List.of(new Charge("probe", PROBE, Key.absent()));
        for (Operation step : List.of(Operation.TAKE, Operation.TAKE, Operation.SETTLE, Operation.RESET)) {
            probe.groups.add(List.of(Request.of(step, charges, new Counter[] {counter}, null, deadline)));
        }
        return probe;
    }

    /** Ends when all requests have; fails with the first one that does. */
    CompletableFuture<Void> answered() {
        return CompletableFuture.allOf(groups.stream().flatMap(List::stream).toArray(CompletableFuture[]::new));
    }

    /** How many requests it brings. */
    public int requests() {
        return requests;
    }

    /**
     * Leaves a call to the calling thread if that waits for one of the requests, so that no other has to wake up. The call ends this by
     * {@link #answer} or {@link #fail}, and returns at the deadline of the request, which it is given in nanoseconds by the system's
     * {@link TimeSource}.
     *
     * @return whether the thread makes the call
     */
    public boolean leaveToCaller(LongConsumer call) {
        for (List<Request> group : groups) {
            for (Request request : group) {
                if (request.waiting == Thread.currentThread()) {
                    request.call(call);
                    return true;
                }
            }
        }
        return false;
    }

    /** One of its counters. All of them are on one server. */
    public Counter firstCounter() {
        return groups.get(0).get(0).counters()[0];
    }

    /** Whether no caller waits for it any more. */
    public boolean isAbandoned() {
        return groups.stream().allMatch(group -> group.stream().allMatch(Request::isDone));
    }

    /** Whether all callers have given up before the deadline: that nobody heard of it says nothing of the server. */
    boolean isCancelled() {
        return groups.stream().allMatch(group -> group.stream().allMatch(Request::isCancelled));
    }

    /** It was redirected to another server, so that it tells nothing of its own. */
    public void redirected() {
        isRedirected = true;
    }

    /** A batch for each group, where one server has the counters of a group and not those of all. They take its place. */
    public List<Batch> split() {
        List<Batch> split = new ArrayList<>();
        for (List<Request> group : groups) {
            Batch part = new Batch(server, isProbe);
            part.groups.add(group);
            part.requests = isProbe ? 0 : group.size();
            part.isRedirected = isRedirected;
            part.sentAt = sentAt;
            part.isLate = isLate;
            split.add(part);
        }
        server.split(this, split);
        return split;
    }

    /** How many groups it has. */
    public int groups() {
        return groups.size();
    }

    /**
     * Writes the operations for a server. Groups that differ in their counters alone are written once: how many there are, how many counters
     * and identical requests each has, and the operation's number. Each charge follows: the cost, the permits, the window in milliseconds and
     * the kind's number. Kinds and operations other than the usual ones add two figures of the shape, or the halves of the ticket, and the
     * window to give back to.
     */
    public void writeTo(Consumer<Counter> counters, LongConsumer numbers) {
        for (int from = 0; from < groups.size(); ) {
            List<Request> group = groups.get(from);
            Request first = group.get(0);
            int end = from + 1;
            while (end < groups.size()
                    && times(groups.get(end)) == times(group)
                    && first.asksTheSameAs(groups.get(end).get(0))) {
                end++;
            }
            numbers.accept(end - from);
            numbers.accept(first.counters().length);
            numbers.accept(times(group));
            numbers.accept(first.operation().number);
            for (int i = 0; i < first.counters().length; i++) {
                write(first, i, numbers);
            }
            for (; from < end; from++) {
                for (Counter counter : groups.get(from).get(0).counters()) {
                    counters.accept(counter);
                }
            }
        }
    }

    /** @param granted how often the server has room for it, or more */
    private static Request.Answer answer(
            Request request, long granted, long nowMillis, long[] figures, long taken, long all) {
        Request.Answer one = Request.Answer.of(request, granted > 0, nowMillis, figures, taken, all);
        return request.times() == 1
                ? one
                : new Request.Answer(one.allowed(), one.states(), Math.max(0, Math.min(granted, request.times())));
    }

    private static long times(List<Request> group) {
        long times = 0;
        for (Request request : group) {
            times += request.times();
        }
        return times;
    }

    private void write(Request request, int at, LongConsumer numbers) {
        Limit limit = request.charges().get(at).limit();
        Shape.Kind kind = kind(request, at);
        numbers.accept(request.cost(at));
        numbers.accept(limit.permits());
        numbers.accept(limit.window().toMillis());
        numbers.accept(
                switch (kind) {
                    case FIXED -> 0;
                    case BUCKET -> 1;
                    case SLIDING -> 2;
                    case BLOCKING -> 3;
                    case CALENDAR -> 4;
                    case CONCURRENT -> 5;
                });
        if (kind == Shape.Kind.FIXED && request.operation() == Operation.TAKE) {
            return;
        }
        LimitStatus from = request.from(at);
        UUID ticket = request.ticket() == null ? NO_TICKET : request.ticket();
        CalendarWindow calendar = limit.shape().calendar();
        Instant end = calendar == null ? Instant.EPOCH : calendar.endOf(server.serverTime());
        numbers.accept(
                switch (kind) {
                    case BUCKET -> limit.capacity();
                    case BLOCKING -> limit.shape().block().toMillis();
                    case CALENDAR -> end.toEpochMilli();
                    case CONCURRENT -> ticket.getMostSignificantBits();
                    default -> 0;
                });
        numbers.accept(
                switch (kind) {
                    case BUCKET -> from == null ? 0 : from.decidedAtMillis();
                    case CALENDAR ->
                        from != null && request.cost(at) < 0
                                ? from.decidedAtMillis() // a day has one end, however often it is reset
                                : requireNonNull(calendar).endOf(end).toEpochMilli();
                    case CONCURRENT -> ticket.getLeastSignificantBits();
                    default -> 0;
                });
        numbers.accept(from == null ? 0 : from.window());
    }

    /**
     * Takes the reply: the server's time in milliseconds, then the groups. A group has the number of allowed requests, or -1 and an error, and
     * three figures of each charge.
     */
    public void answer(Reply reply) {
        server.run(() -> end(reply, null));
    }

    /** Hears that there is no reply. */
    public void fail(UnansweredException why) {
        server.run(() -> end(null, why));
    }

    private void end(@Nullable Reply reply, @Nullable UnansweredException why) {
        if (!isDone) {
            isDone = true;
            server.ended(this, reply, why);
        }
    }

    /** Whether its failure says something of the server. */
    boolean countsAgainstServer() {
        return !isRedirected && !isProbe;
    }

    /** Passes the decisions to the callers. For the engine's thread. Returns the requests to ask again, with other ends of the calendar. */
    List<Request> complete(Reply reply, long nowMillis, EngineSettings settings, long tookNanos) {
        List<Request> again = new ArrayList<>(0);
        for (List<Request> group : groups) {
            Request first = group.get(0);
            long allowed = reply.next();
            if (allowed < 0) {
                String error = reply.nextError();
                for (Request request : group) {
                    if (error.contains(CALENDAR_IS_OVER) && !request.repeated && !request.isDone()) {
                        request.repeated = true;
                        again.add(request);
                    } else {
                        UnansweredException trouble = reply.trouble();
                        Meaning meaning = trouble == null ? Meaning.REQUEST : trouble.meaning();
                        request.fail(new UnansweredException(
                                meaning, server.product() + " could not decide: " + error, null));
                    }
                }
                continue;
            }
            long[] figures = new long[3 * first.counters().length];
            for (int i = 0; i < figures.length; i++) {
                figures[i] = reply.next();
                boolean isSigned = i % 3 == 1 || (i % 3 == 0 && kind(first, i / 3) == Shape.Kind.BLOCKING);
                if (figures[i] < 0 && !isSigned) {
                    throw new UnansweredException(Reply.NO_REPLY);
                }
            }
            long all = first.operation() == Operation.TAKE ? allowed : 0;
            // First, because a rejected caller's next request is answered from here.
            boolean isReject = first.operation() == Operation.REJECT;
            boolean rejected = isReject || allowed < times(group);
            int end = group.size() - 1;
            long before = times(group.subList(0, end));
            long room =
                    isReject ? 0 : rejected ? allowed - before : group.get(end).times();
            Request.Answer last = answer(group.get(end), room, nowMillis, figures, all, all);
            settings.rejections().remember(group.get(end), last, rejected, tookNanos);
            if (end > 0 && !rejected) {
                settings.ahead().cameTogether(first, last);
            }
            before = 0;
            for (int i = 0; i < end; i++) {
                Request request = group.get(i);
                long granted = allowed - before;
                before += request.times();
                request.answer(answer(request, granted, nowMillis, figures, Math.min(before, all), all));
            }
            group.get(end).answer(last);
        }
        return again;
    }

    private static Shape.Kind kind(Request request, int at) {
        return request.charges().get(at).limit().shape().kind();
    }

    void failRequests(RuntimeException why) {
        groups.forEach(group -> group.forEach(request -> request.fail(why)));
    }

    void expire(long now, String server) {
        groups.forEach(group -> group.forEach(request -> request.expire(now, server)));
    }
}
