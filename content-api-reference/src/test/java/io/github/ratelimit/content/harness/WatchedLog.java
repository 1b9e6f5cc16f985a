package io.github.ratelimit.content.harness;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/**
 * Sees, until it is closed, what the workers of a server of this process log, and what of it is a fault: errors, and whatever has a
 * stack trace.
 */
public final class WatchedLog implements AutoCloseable {

    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Level before = root.getLevel();
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final List<String> faults = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            boolean isFault = event.getLevel().isGreaterOrEqual(Level.ERROR) || event.getThrowableProxy() != null;
            // Other servers of the process may still run by themselves; workers serve nobody but the test.
            if (event.getThreadName().contains("-exec-")) {
                String line = event + " " + event.getThrowableProxy();
                lines.add(line);
                if (isFault) {
                    faults.add(line);
                }
            }
        }
    };

    private WatchedLog() {}

    /** Begins to watch, from the level that a server in use has. */
    public static WatchedLog ofRequests() {
        WatchedLog log = new WatchedLog();
        log.appender.setContext(log.root.getLoggerContext());
        log.appender.start();
        log.root.addAppender(log.appender);
        log.root.setLevel(Level.INFO);
        return log;
    }

    /** Returns all that was logged so far. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /** Returns the faults that were logged so far. */
    public List<String> faults() {
        return List.copyOf(faults);
    }

    @Override
    public void close() {
        root.detachAppender(appender);
        appender.stop();
        root.setLevel(before);
    }
}
