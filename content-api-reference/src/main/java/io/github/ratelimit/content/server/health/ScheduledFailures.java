package io.github.ratelimit.content.server.health;

import io.github.ratelimit.content.server.http.Causes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.task.ThreadPoolTaskSchedulerCustomizer;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.stereotype.Component;

/** Tells of scheduled tasks that failed: in one line if they only lack a database for now. Each task runs again at its next time. */
@Component
final class ScheduledFailures implements ThreadPoolTaskSchedulerCustomizer {

    private static final Logger log = LoggerFactory.getLogger(ScheduledFailures.class);

    @Override
    public void customize(ThreadPoolTaskScheduler scheduler) {
        scheduler.setErrorHandler(ScheduledFailures::tell);
    }

    private static void tell(Throwable failure) {
        if (Causes.passing(failure).isPresent()) {
            log.warn("the database is not available to a scheduled task, which runs again: {}", Causes.line(failure));
        } else {
            log.error("a scheduled task failed, and runs again", failure);
        }
    }
}
