package io.github.ratelimit.spring.live;

import io.github.ratelimit.Limiters;
import io.github.ratelimit.Store;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Makes one frame each second for all who watch, and nothing while nobody does.
 *
 * <p>A frame says everything there is to show, so whoever misses one misses nothing. Stops before the web server does, which would otherwise
 * wait for watchers that never end. Safe for concurrent use.
 */
public final class LiveFeed implements SmartLifecycle {

    /** How many may watch at a time. Chosen: more than operate one application. */
    public static final int MOST_WATCHERS = 200;

    private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Somebody who watches. */
    public interface Watcher {

        /**
         * Takes a frame, or leaves it out where the last one is still under way. Never waits.
         *
         * @param event a whole server-sent event; shared by all watchers, not to be changed
         * @return false if nobody watches any more
         */
        boolean offer(byte[] event);

        /** There are no further frames. */
        void end();
    }

    private final LiveRecorder recorder;
    private final LiveFrame frame;
    private final List<Watcher> watchers = new ArrayList<>();
    private byte @Nullable [] event;
    private long rendered;
    private boolean running;
    private boolean ticking;

    /**
     * Makes a feed; it begins with {@link #start}.
     *
     * @param limiters all that are shown, in their order, as they are with each frame
     * @param store what they ask
     */
    public LiveFeed(LiveRecorder recorder, Limiters<?> limiters, Store store) {
        this.recorder = recorder;
        this.frame = new LiveFrame(recorder, limiters, store.getClass().getSimpleName());
    }

    /** Whether there is room for one more watcher; not while there are {@value #MOST_WATCHERS}, nor while the application stops. */
    public synchronized boolean isOpen() {
        return running && watchers.size() < MOST_WATCHERS;
    }

    /**
     * Begins to watch. The first frame comes at once.
     *
     * @return false if there is no room
     */
    public synchronized boolean join(Watcher watcher) {
        if (!isOpen()) {
            return false;
        }
        if (!ticking) {
            event = null; // from when somebody watched last
        }
        if (watcher.offer(event())) {
            watchers.add(watcher);
            next();
        }
        return true;
    }

    /** Stops to watch. */
    public synchronized void leave(Watcher watcher) {
        watchers.remove(watcher);
    }

    private synchronized void tick() {
        ticking = false;
        event = null;
        if (watchers.isEmpty()) {
            return;
        }
        next(); // first, so that nothing that goes wrong below ends the ticks
        byte[] made = event();
        for (Watcher watcher : List.copyOf(watchers)) { // one that ends meanwhile leaves
            if (!watcher.offer(made)) {
                watchers.remove(watcher);
            }
        }
    }

    private void next() {
        if (!ticking) {
            ticking = true;
            recorder.time().runAfter(TICK_NANOS, this::tick);
        }
    }

    private byte[] event() {
        byte[] made = event;
        if (made == null) {
            made = ("retry: 1000\ndata: " + frame.json() + "\n\n").getBytes(StandardCharsets.UTF_8);
            event = made;
            rendered++;
        }
        return made;
    }

    /** How many frames were made. */
    synchronized long rendered() {
        return rendered;
    }

    synchronized int watching() {
        return watchers.size();
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
