package io.github.ratelimit.content.load;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.ContentApiApplication;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.scheduling.config.ScheduledTaskHolder;

/** The server with a clock that can be moved from outside, so that what is kept for months can be seen to go. */
public final class BesiegedApplication {
    static final String NAME = "content-api.test:type=Housekeeping";

    private BesiegedApplication() {}

    /** What can be told to the server from outside. */
    public interface Housekeeping {
        /** Moves the clock, and does at once what is done from time to time. */
        void doLater(long days);
    }

    /** Starts the server. */
    public static void main(String[] args) throws JMException {
        AtomicReference<Duration> later = new AtomicReference<>(Duration.ZERO);
        TimeSource system = TimeSource.system();
        TimeSource clock = new TimeSource() {
            @Override
            public Instant instant() {
                return system.instant().plus(later.get());
            }

            @Override
            public long nanoTime() {
                return system.nanoTime();
            }
        };
        ConfigurableApplicationContext context = new SpringApplicationBuilder(ContentApiApplication.class)
                .initializers(starting -> starting.getBeanFactory().registerSingleton("movedClock", clock))
                .run(args);
        Housekeeping housekeeping = days -> {
            later.set(Duration.ofDays(days));
            context.getBeansOfType(ScheduledTaskHolder.class).values().stream()
                    .flatMap(holder -> holder.getScheduledTasks().stream())
                    .forEach(task -> task.getTask().getRunnable().run());
        };
        ManagementFactory.getPlatformMBeanServer()
                .registerMBean(new StandardMBean(housekeeping, Housekeeping.class), new ObjectName(NAME));
    }
}
