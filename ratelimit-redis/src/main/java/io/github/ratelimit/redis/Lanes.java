package io.github.ratelimit.redis;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests so that a busy key costs no more than an idle one.
 *
 * <p>Requests whose counters share a tag share a lane, and a lane has one call on its way at a time: while it is, further requests queue,
 * and all of them travel in the next one, where the script decides them in order of arrival. A request that finds its lane idle travels
 * at once. Lanes that are ready at the same moment are sent together: in one call where all keys are in one place, else as one call for
 * each lane in one flush. Safe for concurrent use; a lane is gone when nothing is on its way.
 */
final class Lanes {

    /** Chosen: a script of so many runs holds the server for some 300 microseconds, and more of them save nothing any more. */
    private static final int RUNS_PER_CALL = 128;

    /**
     * While so many calls are on their way, what is ready gathers for the next one, as their answers are never far apart. Chosen: few
     * enough that a busy store sends full calls, enough to use a server that is 50 ms away.
     */
    private static final int CALLS_ON_THE_WAY = 8;

    /** Chosen: far more than ever gather within a round trip, few enough to keep a flood's calls short. */
    private static final int REQUESTS_PER_LANE = 4096;

    private final Script acquire;
    private final boolean oneSlotPerCall;
    private final Deadlines deadlines;
    private final Standings standings;
    private final Consumer<List<Call>> wire;

    private final ConcurrentMap<Long, Queue<Request>> lanes = new ConcurrentHashMap<>();
    private final Queue<Long> ready = new ConcurrentLinkedQueue<>();
    /** How often somebody wanted the ready lanes sent since the one who is sending them last looked; 0: nobody is. */
    private final AtomicInteger wanted = new AtomicInteger();

    private final AtomicInteger onTheWay = new AtomicInteger();

    /**
     * Makes them.
     *
     * @param oneSlotPerCall whether the keys of one call must be of one slot
     * @param wire sends calls, in one flush
     */
    Lanes(Script acquire, boolean oneSlotPerCall, Deadlines deadlines, Standings standings, Consumer<List<Call>> wire) {
        this.acquire = acquire;
        this.oneSlotPerCall = oneSlotPerCall;
        this.deadlines = deadlines;
        this.standings = standings;
        this.wire = wire;
    }

    void submit(Request request) {
        boolean[] idle = new boolean[1];
        Long tag = request.counters()[0].tag();
        lanes.compute(tag, (same, queue) -> {
            idle[0] = queue == null;
            Queue<Request> to = queue == null ? new ArrayDeque<>(2) : queue;
            to.add(request);
            return to;
        });
        if (idle[0]) {
            ready.add(tag);
            sendReady();
        }
    }

    private void sendReady() {
        if (wanted.getAndIncrement() == 0) {
            sendUntilNoneIsWanted();
        }
    }

    /** Only for the thread that raised {@link #wanted} from zero: the others' lanes are sent by it. */
    private void sendUntilNoneIsWanted() {
        int seen = wanted.get();
        do {
            send();
            seen = wanted.addAndGet(-seen);
        } while (seen != 0);
    }

    private void send() {
        List<Call> calls = new ArrayList<>(1);
        // On a Cluster a call is for one lane, which has none on its way; and a shard that does not answer holds up
        // none.
        while (oneSlotPerCall || onTheWay.get() < CALLS_ON_THE_WAY) {
            Batch batch = gather();
            if (batch == null) {
                break;
            }
            calls.add(batch.call());
        }
        if (!calls.isEmpty()) {
            wire.accept(calls);
        }
    }

    /** What travels in the next call; null if nothing is ready. */
    private @Nullable Batch gather() {
        Batch batch = new Batch();
        for (Long tag = ready.poll(); tag != null; tag = ready.poll()) {
            batch.add(tag);
            if (batch.runs.size() >= (oneSlotPerCall ? 1 : RUNS_PER_CALL)) {
                break;
            }
        }
        return batch.runs.isEmpty() ? null : batch;
    }

    /** Takes what waits in a lane. The lane stays, so that who comes now waits; it goes if there is nothing to take. */
    private List<Request> take(Long tag) {
        List<Request> taken = new ArrayList<>(1);
        lanes.compute(tag, (same, queue) -> {
            for (Request next = poll(queue); next != null; next = poll(queue)) {
                if (!next.isDone()) { // else its deadline passed: it was never sent, and is not counted
                    taken.add(next);
                }
                if (taken.size() == REQUESTS_PER_LANE) {
                    break;
                }
            }
            return taken.isEmpty() ? null : queue;
        });
        return taken;
    }

    private static @Nullable Request poll(@Nullable Queue<Request> queue) {
        return queue == null ? null : queue.poll();
    }

    /** What travels in one call: requests of one or more lanes. */
    private final class Batch {

        private final List<Long> tags = new ArrayList<>(1);
        private final List<Run> runs = new ArrayList<>(1);

        void add(Long tag) {
            List<Request> requests = take(tag);
            if (requests.isEmpty()) {
                return;
            }
            tags.add(tag);
            Run last = null;
            for (Request request : requests) {
                if (last == null || !last.takes(request)) {
                    last = new Run(request);
                    runs.add(last);
                }
            }
        }

        Call call() {
            Call.Arguments arguments = new Call.Arguments();
            for (Run run : runs) {
                run.writeTo(arguments);
            }
            Call call = Call.of(acquire, arguments, deadlines.next());
            onTheWay.incrementAndGet();
            Ends.of(call, this::ended);
            return call;
        }

        private void ended(@Nullable Reply reply, @Nullable Throwable failure) {
            // What waited while this call was on its way goes out before anybody is told. While this thread tells
            // callers,
            // their next requests gather, to travel together.
            boolean sending = wanted.compareAndSet(0, 1);
            onTheWay.decrementAndGet();
            ready.addAll(tags);
            if (sending) {
                send();
            }
            try {
                tell(reply, failure);
            } finally {
                if (sending) {
                    sendUntilNoneIsWanted();
                } else {
                    sendReady();
                }
            }
        }

        private void tell(@Nullable Reply reply, @Nullable Throwable failure) {
            RuntimeException cause =
                    failure instanceof RuntimeException e ? e : new Unanswered("Redis failed", failure);
            int told = 0;
            if (reply != null) {
                try {
                    long now = reply.next();
                    for (; told < runs.size(); told++) {
                        runs.get(told).complete(now, reply, standings);
                    }
                } catch (RuntimeException e) {
                    cause = e instanceof Unanswered ? e : new Unanswered("Redis' answer makes no sense", e);
                }
            }
            for (Run run : runs.subList(told, runs.size())) {
                run.fail(cause);
            }
        }
    }
}
