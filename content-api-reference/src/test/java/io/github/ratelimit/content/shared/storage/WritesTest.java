package io.github.ratelimit.content.shared.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

class WritesTest {

    private final DriverManagerDataSource database =
            new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=1");
    private final JdbcTransactionManager transactions = new JdbcTransactionManager(database);
    private final Writes writes = new Writes(transactions);
    private final List<Boolean> tries = new ArrayList<>();

    @Test
    void overtakenWriteStartsOverWithoutHope() {
        String result = writes.run(hopeful -> {
            tries.add(hopeful);
            if (tries.size() < 3) {
                throw new Writes.OvertakenException();
            }
            return "written";
        });

        assertThat(result).isEqualTo("written");
        assertThat(tries).containsExactly(true, false, false);
    }

    @Test
    void writeWithinATransactionIsTriedOnceAndWithoutHope() {
        TransactionTemplate callers = new TransactionTemplate(transactions);

        assertThatThrownBy(() -> callers.execute(status -> writes.run(hopeful -> {
                    tries.add(hopeful);
                    throw new DuplicateKeyException("taken");
                })))
                .isInstanceOf(DuplicateKeyException.class);
        assertThat(tries).containsExactly(false);
    }

    @Test
    void otherFailureIsToldAsItIs() {
        assertThatThrownBy(() -> writes.run(hopeful -> {
                    tries.add(hopeful);
                    throw new IllegalArgumentException("no");
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no");
        assertThat(tries).hasSize(1);
    }

    @Test
    void writeThatTheDatabaseNoLongerLetsWaitGoesToTheEndOfTheQueue() throws SQLException {
        JdbcTemplate jdbc = new JdbcTemplate(database);
        jdbc.execute("create table thing (id int primary key)");
        jdbc.update("insert into thing values (1)");
        try (Connection other = database.getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("select id from thing where id = 1 for update");

            List<Integer> found = writes.run(hopeful -> {
                tries.add(hopeful);
                if (tries.size() == 3) {
                    commit(other);
                }
                return jdbc.queryForList("select id from thing where id = 1 for update", Integer.class);
            });

            assertThat(found).containsExactly(1);
            assertThat(tries).containsExactly(true, false, false);
        } finally {
            jdbc.execute("shutdown");
        }
    }

    private static void commit(Connection other) {
        try {
            other.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
