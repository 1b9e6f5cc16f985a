package io.github.ratelimit.content.cms.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.mock.env.MockEnvironment;

/** What becomes of a round that fails. */
final class CrawlerTest {

    /** What a scheduled task throws nobody is told. */
    @Test
    void aLackOfMemoryEndsTheProcess() throws Exception {
        OutOfMemoryError lacking = new OutOfMemoryError("of a test");
        Crawler crawler = crawler(new SQLException(lacking));
        List<Throwable> told = new CopyOnWriteArrayList<>();
        ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task);
            thread.setUncaughtExceptionHandler((ended, problem) -> told.add(problem));
            return thread;
        });
        try {
            var round = executor.schedule(crawler::crawlQuietly, 0, TimeUnit.SECONDS);

            assertThatThrownBy(round::get).isInstanceOf(ExecutionException.class);
            assertThat(told).containsExactly(lacking);
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void anotherFailureIsNotTheLastRound() {
        assertThatCode(crawler(new SQLException("away"))::crawlQuietly).doesNotThrowAnyException();
    }

    @SuppressWarnings("NullAway") // Nothing is looked for, as the first statement fails.
    private static Crawler crawler(SQLException failure) {
        var database = new AbstractDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                throw failure;
            }

            @Override
            public Connection getConnection(String user, String password) throws SQLException {
                throw failure;
            }
        };
        CacheStore settings = new CacheStore(InstantSource.system(), JdbcClient.create(database));
        return new Crawler(null, null, settings, new MockEnvironment());
    }
}
