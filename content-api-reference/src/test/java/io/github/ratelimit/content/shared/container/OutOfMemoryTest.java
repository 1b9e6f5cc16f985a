package io.github.ratelimit.content.shared.container;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import jakarta.servlet.ServletException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

final class OutOfMemoryTest {

    @Test
    void whateverItIsWrappedInItIsSeen() {
        List<String> ends = new ArrayList<>();
        var outOfMemory = new OutOfMemory(ends::add);

        outOfMemory.endIfCausedBy(new IllegalStateException("another problem"));
        assertThat(ends).isEmpty();

        outOfMemory.endIfCausedBy(new ServletException(new OutOfMemoryError()));
        assertThat(ends).hasSize(1);
    }

    @Test
    void aTaskThatRunsOutOfItEndsTheProcessAndNoOtherFailureDoes() throws Exception {
        List<String> ends = new CopyOnWriteArrayList<>();
        var scheduler = new ThreadPoolTaskScheduler();
        new ContainerConfiguration()
                .tasksThatRunOutOfMemory(new OutOfMemory(ends::add))
                .customize(scheduler);
        scheduler.initialize();
        try {
            scheduler
                    .schedule(
                            () -> {
                                throw new IllegalStateException("another problem");
                            },
                            Instant.EPOCH)
                    .get();
            assertThat(ends).isEmpty();

            scheduler
                    .schedule(
                            () -> {
                                throw new OutOfMemoryError();
                            },
                            Instant.EPOCH)
                    .get();
            assertThat(ends).hasSize(1);
        } finally {
            scheduler.shutdown();
        }
    }

    /** It is tried again, and nobody's fault: the database was busy, or elsewhere. */
    @Test
    void aTaskThatHasToWaitIsNoFault() throws Exception {
        var scheduler = new ThreadPoolTaskScheduler();
        scheduler.setThreadNamePrefix("waiting-");
        new ContainerConfiguration()
                .tasksThatRunOutOfMemory(OutOfMemory.endingTheProcess())
                .customize(scheduler);
        scheduler.initialize();
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        Level before = root.getLevel();
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        root.addAppender(log);
        // Whatever another server of this process wanted.
        root.setLevel(Level.WARN);
        try {
            scheduler
                    .schedule(
                            () -> {
                                throw new QueryTimeoutException("a row was waited for");
                            },
                            Instant.EPOCH)
                    .get();
        } finally {
            scheduler.shutdown();
            root.detachAppender(log);
            root.setLevel(before);
        }

        assertThat(List.copyOf(log.list))
                .filteredOn(event -> event.getThreadName().startsWith("waiting-"))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.getFormattedMessage()).contains("a row was waited for");
                    assertThat(event.getLevel()).isEqualTo(Level.WARN);
                    assertThat(event.getThrowableProxy()).isNull();
                });
    }

    @Test
    void aProcessWhoseThreadDiesOfItEndsAndSaysWhy() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx16m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Glutton.class.getName())
                .redirectErrorStream(true)
                .start();

        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(OutOfMemory.EXIT_STATUS);
        assertThat(said).contains("out of memory");
    }

    /** A process with one thread that takes all memory, and one that would keep it up. */
    static final class Glutton {
        private Glutton() {}

        @SuppressWarnings("ModifiedButNotUsed") // It is there to be held.
        public static void main(String[] args) throws InterruptedException {
            OutOfMemory.watchAllThreads();
            Thread greedy = new Thread(() -> {
                List<byte[]> all = new ArrayList<>();
                while (true) {
                    all.add(new byte[1 << 20]);
                }
            });
            greedy.start();
            new Thread(() -> {
                        try {
                            TimeUnit.SECONDS.sleep(20);
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    })
                    .start();
        }
    }
}
