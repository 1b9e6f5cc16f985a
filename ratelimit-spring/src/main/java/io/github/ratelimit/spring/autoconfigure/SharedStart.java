package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.control.OperatorChanges;
import org.springframework.context.SmartLifecycle;

/**
 * Reads the operators' changes before the application accepts requests: after the store has answered, and before the web server. Then reports
 * what is limited, so that the report has the changes.
 */
final class SharedStart implements SmartLifecycle {

    private final OperatorChanges<?> changes;
    private final Runnable report;
    private volatile boolean running;

    SharedStart(OperatorChanges<?> changes, Runnable report) {
        this.changes = changes;
        this.report = report;
    }

    @Override
    public void start() {
        running = true;
        changes.start();
        report.run();
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
