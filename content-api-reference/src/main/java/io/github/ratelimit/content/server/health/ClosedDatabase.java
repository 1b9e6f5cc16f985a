package io.github.ratelimit.content.server.health;

import io.github.ratelimit.TimeSource;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ApplicationContext;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Ends the process if the embedded database stays closed, because it lives in this process and a new one opens it. A database server comes back
 * by itself. Used by one thread at a time.
 */
@Component
class ClosedDatabase {

    private static final Logger log = LoggerFactory.getLogger(ClosedDatabase.class);

    /** Chosen: a connection that finds it closed opens it again within a second. */
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final ContentHealthIndicator content;
    private final ApplicationContext context;
    private final TimeSource time;
    private @Nullable Instant since;

    ClosedDatabase(ContentHealthIndicator content, ApplicationContext context, TimeSource time) {
        this.content = content;
        this.context = context;
        this.time = time;
    }

    @Scheduled(initialDelayString = "PT5S", fixedDelayString = "PT5S")
    void end() {
        if (isClosedForLong()) {
            log.error(
                    "the embedded database has been closed for {} s, and the process ends; start it again",
                    LONGEST.toSeconds());
            new Thread(() -> System.exit(1), "end").start(); // waits for this task, too
        }
    }

    /** Looks, and shows it in the liveness. */
    boolean isClosedForLong() {
        boolean isEmbedded = context.getEnvironment()
                .getProperty("spring.datasource.url", "")
                .startsWith("jdbc:h2:file:");
        if (!isEmbedded || content.health().getStatus().equals(Status.UP)) {
            since = null;
            return false;
        }
        Instant now = time.instant();
        since = since == null ? now : since;
        boolean isLong = !since.plus(LONGEST).isAfter(now);
        if (isLong) {
            AvailabilityChangeEvent.publish(context, LivenessState.BROKEN);
        }
        return isLong;
    }
}
