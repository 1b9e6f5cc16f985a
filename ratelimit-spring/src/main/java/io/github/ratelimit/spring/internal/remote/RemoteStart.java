package io.github.ratelimit.spring.internal.remote;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.internal.Durations;
import io.github.ratelimit.remote.RemoteStore;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Waits, at the start of the application, for the first answer of the store's servers: else the first requests would miss their deadline while
 * connections are made.
 *
 * <p>Starts first: before the web server accepts requests and before the application says that it is ready. The store connects while the other
 * beans are made, so that there is little left to wait for.
 */
public final class RemoteStart implements SmartLifecycle {

    private static final Log LOG = LogFactory.getLog(RemoteStart.class);

    /** The store keeps nothing, because no permit is taken. */
    private static final List<Charge> LOOK =
            List.of(new Charge("ratelimit", Limit.of("start", 1, Duration.ofSeconds(1)), Key.absent(), 0));

    private static final long PAUSE_MILLIS = 50;

    private final RemoteStore store;
    private final String property;
    private final Duration longest;
    private volatile boolean running;

    private RemoteStart(RemoteStore store, String property, Duration longest) {
        this.store = store;
        this.property = property;
        this.longest = longest;
    }

    /**
     * Makes it.
     *
     * @param property that says how long
     * @param longest how long to wait; 0 does not
     * @throws InvalidRateLimitException if it is negative
     */
    public static RemoteStart of(RemoteStore store, String property, Duration longest) {
        if (longest.isNegative()) {
            throw new InvalidRateLimitException(
                    property + ": must be 0 or more, was " + Durations.text(longest),
                    "give how long a start may wait for the store, such as 2s, or 0 to start without waiting");
        }
        return new RemoteStart(store, property, longest);
    }

    @Override
    public void start() {
        running = true;
        if (longest.isZero()) {
            return;
        }
        try {
            if (!isReady()) {
                LOG.warn(
                        "%s did not answer within %s (%s): the application starts, and limiters decide by their on-store-failure until it does"
                                .formatted(store, Durations.text(longest), property));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the thread that starts the application is told to stop
        }
    }

    /** Whether every server has answered, and then one look in time on the way that all decisions take: the code is loaded and warm. */
    private boolean isReady() throws InterruptedException {
        TimeSource time = store.time();
        long start = time.nanoTime();
        boolean ready = store.awaitReady(longest);
        long looks = longest.toMillis() / PAUSE_MILLIS + 1; // an end also where a test's clock stands still
        for (long look = 0; ready && look < looks; look++) {
            try {
                store.tryAcquire(LOOK);
                return true;
            } catch (StoreException e) {
                LOG.debug("The store did not answer a look in time", e);
                // Just a pause: a store that knows that its server is away fails at once.
                new CountDownLatch(1).await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
                ready = time.nanoTime() - start < longest.toNanos();
            }
        }
        return false;
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }
}
