package io.github.ratelimit.content.load;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.ContentApiApplication;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.apache.coyote.AbstractProtocol;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.scheduling.config.ScheduledTaskHolder;

/** The server with a clock that can be moved from outside, so that what is kept for months can be seen to go, and that tells what is in use. */
public final class BesiegedApplication {
    static final String NAME = "content-api.test:type=Housekeeping";

    private BesiegedApplication() {}

    /** What can be told to the server from outside. */
    public interface Housekeeping {
        /** Moves the clock, and does at once what is done from time to time. */
        void doLater(long days);

        /**
         * Tells what is in use: {@code threads}, without workers that have nothing to do; {@code workers} that are busy; {@code connections};
         * {@code pooled}, connections to the database that are taken or waited for; {@code waiting}, {@code queued}, and the bytes {@code
         * held} and {@code answered}, of requests; {@code direct}, the bytes outside of the heap.
         */
        Map<String, Long> inUse();
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
        ManagementFactory.getPlatformMBeanServer()
                .registerMBean(new StandardMBean(new Inside(context, later), Housekeeping.class), new ObjectName(NAME));
    }

    private static final class Inside implements Housekeeping {
        private final ConfigurableApplicationContext context;
        private final AtomicReference<Duration> later;

        Inside(ConfigurableApplicationContext context, AtomicReference<Duration> later) {
            this.context = context;
            this.later = later;
        }

        @Override
        public void doLater(long days) {
            later.set(Duration.ofDays(days));
            context.getBeansOfType(ScheduledTaskHolder.class).values().stream()
                    .flatMap(holder -> holder.getScheduledTasks().stream())
                    .forEach(task -> task.getTask().getRunnable().run());
        }

        @Override
        public Map<String, Long> inUse() {
            TomcatWebServer server =
                    (TomcatWebServer) Objects.requireNonNull(((WebServerApplicationContext) context).getWebServer());
            AbstractProtocol<?> protocol =
                    (AbstractProtocol<?>) server.getTomcat().getConnector().getProtocolHandler();
            ThreadPoolExecutor workers = (ThreadPoolExecutor) protocol.getExecutor();
            HikariPoolMXBean pool = context.getBean(HikariDataSource.class).getHikariPoolMXBean();
            long idle = (long) workers.getPoolSize() - workers.getActiveCount();
            Map<String, Long> inUse = new TreeMap<>();
            inUse.put("threads", ManagementFactory.getThreadMXBean().getThreadCount() - idle);
            inUse.put("workers", (long) workers.getActiveCount());
            inUse.put("connections", protocol.getConnectionCount());
            inUse.put("pooled", (long) pool.getActiveConnections() + pool.getThreadsAwaitingConnection());
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            for (String name : List.of("waiting", "queued", "held", "answered")) {
                inUse.put(name, (long)
                        meters.get("content.requests." + name).gauge().value());
            }
            inUse.put(
                    "direct",
                    ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                            .filter(buffers -> buffers.getName().equals("direct"))
                            .mapToLong(BufferPoolMXBean::getMemoryUsed)
                            .sum());
            return inUse;
        }
    }
}
