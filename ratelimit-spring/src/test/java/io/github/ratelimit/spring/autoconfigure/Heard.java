package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/** What a class logs at INFO and above, whatever applications that were started before have set. */
final class Heard extends AppenderBase<ILoggingEvent> implements AutoCloseable {

    private final Logger logger;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private Heard(Logger logger) {
        this.logger = logger;
    }

    static Heard of(Class<?> type) {
        Logger logger = (Logger) LoggerFactory.getLogger(type);
        Heard heard = new Heard(logger);
        logger.setLevel(Level.INFO);
        logger.addAppender(heard);
        heard.start();
        return heard;
    }

    @Override
    protected void append(ILoggingEvent event) {
        lines.add(event.getFormattedMessage());
    }

    /** What was logged so far. */
    List<String> lines() {
        return List.copyOf(lines);
    }

    /** The next line, as soon as it is there; it is taken away. */
    String next() throws InterruptedException {
        String line = lines.poll(30, TimeUnit.SECONDS);
        assertThat(line).as("a line that was waited for").isNotNull();
        return line;
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        logger.setLevel(null);
    }
}
