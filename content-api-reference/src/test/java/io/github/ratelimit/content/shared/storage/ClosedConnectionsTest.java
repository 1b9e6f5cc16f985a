package io.github.ratelimit.content.shared.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.ratelimit.content.shared.container.Causes;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

final class ClosedConnectionsTest {
    private static final int CONNECTIONS = 3;

    /** Far more than connections: the pool ends them beside the requests. */
    private static final int USES = 1_000;

    /** With what the server's own settings say of exceptions, and in constant use: a pool looks at no connection that was just used. */
    @Test
    void databaseThatClosedItselfIsOpenedAgainWhileItIsInUse(@TempDir Path folder) throws Exception {
        HikariConfig settings = new HikariConfig();
        settings.setJdbcUrl("jdbc:h2:file:" + folder.resolve("content") + ";WRITE_DELAY=0");
        settings.setMaximumPoolSize(CONNECTIONS);
        settings.setExceptionOverrideClassName(ofTheServer());
        try (HikariDataSource pool = new HikariDataSource(settings)) {
            useAll(pool);
            run(pool, "create table kept (id int)");
            run(pool, "insert into kept values (7)");
            findNoRoom(pool);

            assertThatThrownBy(() -> run(pool, "insert into kept values (8)")).isInstanceOf(SQLException.class);
            assertThat(IntStream.range(0, USES).anyMatch(use -> isServed(pool))).isTrue();

            assertThat(kept(pool)).isEqualTo(7);
            run(pool, "insert into kept values (9)");
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatFindsNoRoomMayBeTriedAgainAndLeavesNothing(Writing writing, @TempDir Path folder) throws Exception {
        LossyFiles.Disk disk = LossyFiles.register(folder, new Random(0));
        HikariConfig settings = new HikariConfig();
        settings.setJdbcUrl("jdbc:h2:lossy:" + folder.resolve("content") + ";WRITE_DELAY=0");
        settings.setMaximumPoolSize(1);
        settings.setExceptionOverrideClassName(ofTheServer());
        try (HikariDataSource pool = new HikariDataSource(settings)) {
            run(pool, "create table kept (id int)");
            run(pool, "insert into kept values (7)");
            JdbcTemplate statements = new JdbcTemplate(pool);
            TransactionTemplate transactions = new TransactionTemplate(new JdbcTransactionManager(pool));

            disk.onWrite(() -> {
                throw new IOException("No space left on device");
            });
            Throwable noRoom = catchThrowable(() -> writing.run(statements, transactions));
            disk.onWrite(() -> {});

            assertThat(Causes.passing(noRoom)).isPresent();
            assertThat(IntStream.range(0, USES).anyMatch(use -> isServed(pool))).isTrue();
            assertThat(statements.queryForList("select id from kept", Integer.class))
                    .containsExactly(7);
        }
    }

    /** A file that is cut off, or a disk with a bad place: nobody is to come again for that, and somebody is to hear of it. */
    @Test
    void whatCannotBeReadDoesNotPass() {
        assertThat(Causes.passing(failed(DataUtils.ERROR_WRITING_FAILED))).isPresent();
        assertThat(Causes.passing(failed(DataUtils.ERROR_READING_FAILED))).isEmpty();
    }

    private static SQLException failed(int what) {
        return new SQLException(
                "General error",
                "HY000",
                50000,
                DataUtils.newMVStoreException(what, "failed", new IOException("Input/output error")));
    }

    private static final String ADDITION = "insert into kept values (8)";

    /** What writes to the file. */
    private enum Writing {
        STATEMENT {
            @Override
            void run(JdbcTemplate statements, TransactionTemplate transactions) {
                statements.update(ADDITION);
            }
        },
        COMMIT {
            @Override
            void run(JdbcTemplate statements, TransactionTemplate transactions) {
                transactions.executeWithoutResult(status -> statements.update(ADDITION));
            }
        },
        ROLLBACK {
            @Override
            void run(JdbcTemplate statements, TransactionTemplate transactions) {
                transactions.executeWithoutResult(status -> {
                    statements.update(ADDITION);
                    status.setRollbackOnly();
                });
            }
        };

        abstract void run(JdbcTemplate statements, TransactionTemplate transactions);
    }

    private static String ofTheServer() throws IOException {
        return String.valueOf(new YamlPropertySourceLoader()
                .load("application", new ClassPathResource("application.yml"))
                .get(0)
                .getProperty("spring.datasource.hikari.exception-override-class-name"));
    }

    private static void useAll(HikariDataSource pool) throws SQLException {
        List<Connection> all = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            all.add(pool.getConnection());
        }
        for (Connection one : all) {
            one.close();
        }
    }

    /** What the database does when a write to its file fails. */
    private static void findNoRoom(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            var session = (SessionLocal) connection.unwrap(JdbcConnection.class).getSession();
            MVStore store = session.getDatabase().getStore().getMvStore();
            MVStoreException noRoom = DataUtils.newMVStoreException(DataUtils.ERROR_WRITING_FAILED, "no room");
            assertThatThrownBy(() -> store.panic(noRoom)).isSameAs(noRoom);
        }
    }

    private static void run(HikariDataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static boolean isServed(HikariDataSource pool) {
        try {
            return kept(pool) == 7;
        } catch (SQLException closed) {
            return false;
        }
    }

    private static int kept(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select id from kept")) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
