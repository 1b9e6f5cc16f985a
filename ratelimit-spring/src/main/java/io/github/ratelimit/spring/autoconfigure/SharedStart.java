package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.SharedChanges;
import org.springframework.context.SmartLifecycle;

/** Reads the operators' changes before the application accepts requests: after the store has answered, and before the web server. */
final class SharedStart implements SmartLifecycle {

    private final SharedChanges<?> changes;
    private volatile boolean running;

    SharedStart(SharedChanges<?> changes) {
        this.changes = changes;
    }

    @Override
    public void start() {
        running = true;
        changes.start();
    }

    @Override
    public void stop() {
        running = false;
        changes.close();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Integer.MIN_VALUE + 1;
    }
}
