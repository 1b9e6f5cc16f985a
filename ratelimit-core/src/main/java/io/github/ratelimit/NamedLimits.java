package io.github.ratelimit;

import static java.lang.System.Logger.Level.WARNING;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Limits by name, from a function that may be slow or fail, such as a query. Safe for concurrent use. */
final class NamedLimits {

    /** Chosen: a new number is soon there, and a customer is one query a minute. */
    private static final long KEPT_NANOS = 60_000_000_000L;

    /** Chosen: some megabytes. Clients may choose names. */
    private static final int MOST = 10_000;

    private static final System.Logger LOG = System.getLogger(NamedLimits.class.getName());

    /** The known permits of a name. One thread asks; others wait for a first answer alone. */
    private static final class Known {
        final ReentrantLock asking = new ReentrantLock();
        volatile @Nullable Limit limit;
        volatile boolean isAnswered;
        volatile long askAgainAt;
    }

    private final Limit each;
    private final Function<? super String, @Nullable Long> permits;
    private final TimeSource time;
    private final Map<String, Known> names = new ConcurrentHashMap<>();
    private final AtomicBoolean warned = new AtomicBoolean();

    NamedLimits(Limit each, Function<? super String, @Nullable Long> permits, TimeSource time) {
        this.each = each;
        this.permits = permits;
        this.time = time;
    }

    /** The limit of a name; null if the function knows none. */
    @Nullable
    Limit of(String name) {
        Known known = names.get(name);
        if (known == null) {
            if (names.size() >= MOST) {
                names.clear();
            }
            known = names.computeIfAbsent(name, first -> new Known());
        }
        if (!known.isAnswered) {
            known.asking.lock();
            askAndUnlock(name, known);
        } else if (time.nanoTime() - known.askAgainAt >= 0 && known.asking.tryLock()) {
            askAndUnlock(name, known);
        }
        return known.limit;
    }

    private void askAndUnlock(String name, Known known) {
        try {
            if (known.isAnswered && time.nanoTime() - known.askAgainAt < 0) {
                return; // by the thread before
            }
            Long found = permits.apply(name);
            known.limit = found == null ? null : each.withPermits(found);
            warned.set(false);
        } catch (RuntimeException e) {
            if (warned.compareAndSet(false, true)) {
                LOG.log(
                        WARNING,
                        "limit ''{0}'': its permits by name were not found, and the last known ones apply: {1}",
                        each.name(),
                        e);
            }
        } finally {
            known.askAgainAt = time.nanoTime() + KEPT_NANOS;
            known.isAnswered = true;
            known.asking.unlock();
        }
    }
}
