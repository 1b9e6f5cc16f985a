package io.github.ratelimit.spring.live;

import io.github.ratelimit.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Makes one frame each second for all who watch, and nothing while nobody does.
 *
 * <p>A frame holds everything that the page shows, so a missed one does not matter. Stops before the web server does, which would otherwise
 * wait for watchers that never end. Safe for concurrent use.
 */
final class LiveFeed implements SmartLifecycle {

    /** How many may watch at a time. Chosen: more than operate one application. */
    static final int MOST_WATCHERS = 200;

    private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A viewer of the page. */
    interface Watcher {

        /** Takes a frame, or leaves it out where the last one is still under way. Never waits. */
        void offer(String frame);

        /** There are no further frames. */
        void end();
    }

    private final TimeSource time;
    private final Supplier<String> frames;
    private final List<Watcher> watchers = new ArrayList<>();
    private @Nullable String frame;
    private boolean running;
    private boolean ticking;

    /** Makes a feed; it begins with {@link #start}. */
    LiveFeed(TimeSource time, Supplier<String> frames) {
        this.time = time;
        this.frames = frames;
    }

    /** Whether there is room for one more watcher: not while there are {@value #MOST_WATCHERS}, nor while the application stops. */
    synchronized boolean isOpen() {
        return running && watchers.size() < MOST_WATCHERS;
    }

    /**
     * Begins to watch. The first frame comes at once.
     *
     * @return false if there is no room
     */
    synchronized boolean join(Watcher watcher) {
        if (!isOpen()) {
            return false;
        }
        if (!ticking) {
            frame = null; // from when somebody watched last
        }
        watchers.add(watcher);
        next();
        watcher.offer(frame());
        return true;
    }

    /** Stops to watch. */
    synchronized void leave(Watcher watcher) {
        watchers.remove(watcher);
    }

    private synchronized void tick() {
        ticking = false;
        frame = null;
        if (!watchers.isEmpty()) {
            next(); // first, so that nothing that goes wrong below ends the ticks
            String made = frame();
            List.copyOf(watchers).forEach(watcher -> watcher.offer(made)); // one that ends meanwhile leaves
        }
    }

    private void next() {
        if (!ticking) {
            ticking = true;
            time.runAfter(TICK_NANOS, this::tick);
        }
    }

    private String frame() {
        String made = frame;
        if (made == null) {
            made = frames.get();
            frame = made;
        }
        return made;
    }

    @Override
    public synchronized void start() {
        running = true;
    }

    @Override
    public void stop() {
        List<Watcher> left;
        synchronized (this) {
            running = false;
            left = List.copyOf(watchers);
            watchers.clear();
        }
        left.forEach(Watcher::end);
    }

    @Override
    public synchronized boolean isRunning() {
        return running;
    }
}
