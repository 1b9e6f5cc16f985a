package io.github.ratelimit;

import static java.lang.System.Logger.Level.WARNING;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Limits by name, from a function that may be slow or fail, such as a query. Safe for concurrent use. */
final class NamedLimits {

    /** Chosen: a new number is soon there, and a customer is one query a minute. */
    private static final long KEPT_NANOS = 60_000_000_000L;

    /** Chosen: longer than a query takes, and no longer than a client waits. */
    private static final long DEADLINE_NANOS = 5_000_000_000L;

    /** Chosen: a part of a usual pool of connections. */
    private static final int MOST_AT_ONCE = 4;

    /** Chosen: a second of queries of 4 ms each. */
    private static final int MOST_PENDING = 1_000;

    /** Chosen: some megabytes. Clients may choose names, and these push out only each other. */
    private static final int MOST_UNKNOWN = 10_000;

    /** Chosen: some tens of megabytes. */
    private static final int MOST_KNOWN = 100_000;

    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private static final System.Logger LOG = System.getLogger(NamedLimits.class.getName());

    private record Answer(@Nullable Limit limit, long askAgainAt) {}

    private final Limit each;
    private final Function<? super String, @Nullable Long> permits;
    private final TimeSource time;
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            MOST_AT_ONCE, MOST_AT_ONCE, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), this::thread);
    private final AtomicBoolean warned = new AtomicBoolean();
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final Set<String> known = new LinkedHashSet<>(); // guarded by this, by the time of the answer
    private final Set<String> unknown = new LinkedHashSet<>(); // guarded by this, by the time of the answer

    /** Names whose query is under way or waits for a thread; the future completes with the answer, or at the deadline. */
    private final Map<String, CompletableFuture<Void>> pending = new ConcurrentHashMap<>();

    NamedLimits(Limit each, Function<? super String, @Nullable Long> permits, TimeSource time) {
        this.each = each;
        this.permits = permits;
        this.time = time;
        threads.allowCoreThreadTimeOut(true);
    }

    /** A query may load services, and belongs to no request. */
    private Thread thread(Runnable work) {
        Thread thread = new Thread(null, work, "ratelimit-permits-" + each.name(), 0, false);
        thread.setContextClassLoader(permits.getClass().getClassLoader());
        thread.setDaemon(true);
        return thread;
    }

    /**
     * The limit of a name; null if none is known.
     *
     * @param waits whether the caller waits, until the deadline, for the first answer, and for a later one that it asks for
     */
    @Nullable
    Limit of(String name, boolean waits) {
        Answer last = answers.get(name);
        if (isDue(last) && (last == null || !pending.containsKey(name))) {
            CompletableFuture<Void> asked = ask(name);
            if (waits) {
                asked.join();
            }
            last = answers.get(name);
        }
        return last == null ? null : last.limit;
    }

    private boolean isDue(@Nullable Answer last) {
        return last == null || time.nanoTime() - last.askAgainAt >= 0;
    }

    private synchronized CompletableFuture<Void> ask(String name) {
        CompletableFuture<Void> before = pending.get(name);
        if (before != null || pending.size() >= MOST_PENDING || !isDue(answers.get(name))) {
            return before != null ? before : DONE;
        }
        CompletableFuture<Void> asked = CompletableFuture.runAsync(() -> answered(name, limit(name)), threads)
                .copy();
        pending.put(name, asked);
        Future<?> deadline = time.runAfter(DEADLINE_NANOS, () -> {
            if (asked.complete(null)) {
                warn("no answer within 5 seconds");
            }
        });
        asked.thenRun(() -> deadline.cancel(false));
        return asked;
    }

    private @Nullable Limit limit(String name) {
        try {
            Long found = permits.apply(name);
            Limit limit = found == null ? null : each.withPermits(found);
            warned.set(false);
            return limit;
        } catch (Throwable e) { // after an error, too, the name is asked again
            warn(e);
            Answer last = answers.get(name);
            return last == null ? null : last.limit;
        }
    }

    private synchronized void answered(String name, @Nullable Limit limit) {
        answers.put(name, new Answer(limit, time.nanoTime() + KEPT_NANOS));
        known.remove(name);
        unknown.remove(name);
        Set<String> names = limit == null ? unknown : known;
        names.add(name);
        if (names.size() > (limit == null ? MOST_UNKNOWN : MOST_KNOWN)) {
            Iterator<String> oldest = names.iterator();
            answers.remove(oldest.next());
            oldest.remove();
        }
        pending.remove(name);
    }

    private void warn(Object why) {
        if (warned.compareAndSet(false, true)) {
            LOG.log(
                    WARNING,
                    "limit ''{0}'': its permits by name were not found, and the last known ones or the rule''s own apply: {1}",
                    each.name(),
                    why);
        }
    }
}
