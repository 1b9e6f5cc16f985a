package io.github.ratelimit.redis;

import io.lettuce.core.cluster.SlotHash;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the requests for one server, so that a busy server and a busy key cost little.
 *
 * <p>While a call is on its way, requests gather, and travel together as soon as an answer comes, a call is full, or the last call left so
 * long ago that waiting for its answer would cost a request its deadline. Requests that ask the same of the same counters are one run of
 * the script. One connection keeps the order, so that several calls may be on their way. Safe for concurrent use.
 */
final class Batcher {

    /** Chosen: a script of so many runs holds the server for some 300 microseconds, and more of them save nothing any more. */
    static final int REQUESTS_PER_CALL = 128;

    /**
     * Full calls, and all calls to a server that is far away, leave at once until so many are on their way. Chosen: more than a server's next
     * milliseconds can take.
     */
    private static final int MANY = 16;

    /** What one caller sends, before others' requests become somebody else's work. */
    private static final int SHIPMENTS_AT_ONCE = 4;

    private final boolean oneSlotPerCall;
    private final Timer timer;
    private final Executor executor;
    private final Standings standings;
    private final BooleanSupplier isOpen;
    private final BooleanSupplier isReader;
    private final Consumer<List<Call>> wire;

    /** How long a request waits for the answer of a call that it missed. */
    private final long patience;

    private final Queue<Request> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger gathered = new AtomicInteger();
    private final AtomicInteger onTheWay = new AtomicInteger();

    /** How often somebody wanted the gathered requests sent since the one who is sending looked last; 0: nobody is. */
    private final AtomicInteger wanted = new AtomicInteger();

    /** Calls that were sent and are not written yet, as another thread than the connection's sent them. */
    private final AtomicInteger unwritten = new AtomicInteger();

    private final AtomicBoolean watched = new AtomicBoolean();

    // Made once: making the first of a kind takes far more of a stack than what it does, and a caller's may end there.
    private final Runnable sending = this::send;
    private final Runnable look = this::lookAgain;
    private volatile long leftAt;
    private volatile long roundTrip; // smoothed

    /**
     * Makes it.
     *
     * @param oneSlotPerCall whether the keys of one call must be of one slot
     * @param executor where more is sent than one caller should
     * @param isOpen whether anything is sent; else requests gather
     * @param isReader whether the thread is the one that reads answers, and writes at once what others only leave to it
     * @param wire sends calls, in one flush; does not throw
     */
    Batcher(
            boolean oneSlotPerCall,
            Timer timer,
            Executor executor,
            Standings standings,
            BooleanSupplier isOpen,
            BooleanSupplier isReader,
            Consumer<List<Call>> wire) {
        this.oneSlotPerCall = oneSlotPerCall;
        this.timer = timer;
        this.executor = executor;
        this.standings = standings;
        this.isOpen = isOpen;
        this.isReader = isReader;
        this.wire = wire;
        this.patience = timer.timeout() / 8;
    }

    void submit(Request request) {
        queue.add(request);
        gathered.incrementAndGet();
        send();
    }

    /** Takes out what has gathered. */
    List<Request> drain(int most) {
        List<Request> drained = new ArrayList<>();
        for (Request next = queue.poll(); next != null; next = queue.poll()) {
            gathered.decrementAndGet();
            if (!next.isDone()) { // else its deadline passed: it was never sent, and is not counted
                drained.add(next);
                if (drained.size() == most) {
                    break;
                }
            }
        }
        return drained;
    }

    private boolean maySend() {
        if (!isOpen.getAsBoolean() || queue.isEmpty()) {
            return false;
        }
        int calls = onTheWay.get();
        return calls == 0
                || (calls < MANY && (roundTrip >= patience || gathered.get() >= REQUESTS_PER_CALL))
                || timer.now() - leftAt >= patience;
    }

    /** Sends what has gathered, if it is time. */
    void send() {
        if (!maySend()) {
            watch();
        } else if (wanted.getAndIncrement() == 0) {
            sendWhileWanted();
        }
    }

    /** Only for the thread that raised {@link #wanted} from zero: what others gather is sent by it. */
    private void sendWhileWanted() {
        int sent = 0;
        int seen = wanted.get();
        try {
            do {
                while (sent < SHIPMENTS_AT_ONCE && maySend() && !wouldOvertake()) {
                    ship();
                    sent++;
                }
                seen = wanted.addAndGet(-seen);
            } while (seen != 0 && sent < SHIPMENTS_AT_ONCE);
        } finally {
            if (seen != 0) {
                wanted.set(0); // also where something was thrown: or nobody would ever send again
            }
            if (maySend()) {
                sendElsewhere();
            } else {
                watch();
            }
        }
    }

    private void sendElsewhere() {
        try {
            executor.execute(sending);
        } catch (RejectedExecutionException e) {
            return; // the application has ended the threads that it shares: what waits ends with its deadline
        }
    }

    /**
     * Whether a call that leaves here is written before calls that left earlier: the reader writes at once. Told truly only to who sends, as
     * nobody else sends meanwhile.
     */
    private boolean wouldOvertake() {
        return unwritten.get() > 0 && isReader.getAsBoolean();
    }

    /** Looks again when waiting for an answer becomes too long. One look for all that gather. */
    private void watch() {
        if (isOpen.getAsBoolean() && !queue.isEmpty() && watched.compareAndSet(false, true)) {
            try {
                timer.after(patience, look);
            } catch (IllegalStateException e) {
                return; // the store is closed
            }
        }
    }

    private void lookAgain() {
        watched.set(false);
        sendElsewhere();
    }

    /** What leaves in one flush: one call, or on a Cluster one for each slot. */
    private void ship() {
        List<Request> requests = drain(REQUESTS_PER_CALL);
        if (requests.isEmpty()) {
            return;
        }
        try {
            ship(batches(requests));
        } catch (RuntimeException e) {
            requests.forEach(request -> request.fail(new Unanswered("the requests could not be sent", e)));
        }
    }

    private void ship(List<Batch> batches) {
        List<Call> calls = new ArrayList<>(batches.size());
        AtomicInteger unanswered = new AtomicInteger(batches.size());
        long now = timer.now();
        for (Batch batch : batches) {
            Call call = batch.call();
            Ends.of(call, (reply, failure) -> {
                if (unanswered.decrementAndGet() == 0) {
                    onTheWay.decrementAndGet();
                    long before = roundTrip; // an update that is lost does no harm
                    roundTrip = before + (timer.now() - now - before) / 8;
                }
                batch.ended(reply, failure, now);
            });
            calls.add(call);
        }
        if (!isReader.getAsBoolean()) {
            for (Call call : calls) {
                unwritten.incrementAndGet();
                call.onWritten(unwritten::decrementAndGet);
            }
        }
        onTheWay.incrementAndGet();
        leftAt = now;
        wire.accept(calls);
    }

    private List<Batch> batches(List<Request> requests) {
        if (requests.size() == 1 || !oneSlotPerCall) {
            Batch batch = new Batch();
            requests.forEach(batch::add);
            return List.of(batch);
        }
        Map<Integer, Batch> bySlot = new HashMap<>();
        for (Request request : requests) {
            bySlot.computeIfAbsent(SlotHash.getSlot(request.counters()[0].redisKey()), slot -> new Batch())
                    .add(request);
        }
        return List.copyOf(bySlot.values());
    }

    /** What travels in one call. */
    private final class Batch {

        private final List<Run> runs = new ArrayList<>(1);
        private final Map<Long, Run> last = new HashMap<>(2); // by the tag of a key's first part
        private int requests;

        /** To the run before, if no other one has come between the two: what shares a counter is decided in order of arrival. */
        void add(Request request) {
            requests++;
            Run run = last.get(request.counters()[0].tag());
            for (Counter counter : request.counters()) {
                run = run == last.get(counter.tag()) ? run : null;
            }
            if (run == null || !run.takes(request)) {
                run = new Run(request);
                runs.add(run);
            }
            for (Counter counter : request.counters()) {
                last.put(counter.tag(), run);
            }
        }

        Call call() {
            Call.Arguments arguments = new Call.Arguments();
            for (Run run : runs) {
                run.writeTo(arguments);
            }
            return Call.acquire(arguments, requests);
        }

        void ended(@Nullable Reply reply, @Nullable Throwable failure, long leftAt) {
            // What gathered while this call was on its way leaves before anybody is told: while this thread tells
            // callers, their next requests gather, to travel together.
            try {
                send();
            } finally {
                if (runs.size() > 1 && ServerErrors.isTryAgain(failure)) {
                    sendEach();
                } else {
                    tell(reply, failure, timer.now() - leftAt);
                }
            }
        }

        /** Nothing was run, as the keys' slot is being moved and some are here and some there: the keys of one run may be together. */
        private void sendEach() {
            List<Batch> each = new ArrayList<>();
            for (Run run : runs) {
                Batch alone = new Batch();
                run.waiting().forEach(alone::add);
                if (alone.requests > 0) {
                    each.add(alone);
                }
            }
            if (!each.isEmpty()) {
                ship(each);
            }
        }

        private void tell(@Nullable Reply reply, @Nullable Throwable failure, long took) {
            RuntimeException cause =
                    failure instanceof RuntimeException e ? e : new Unanswered("Redis failed", failure);
            int told = 0;
            if (reply != null) {
                try {
                    long now = reply.next();
                    for (; told < runs.size(); told++) {
                        runs.get(told).complete(now, took, reply, standings);
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
