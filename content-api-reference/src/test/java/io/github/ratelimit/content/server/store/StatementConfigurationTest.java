package io.github.ratelimit.content.server.store;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.jdbc.autoconfigure.JdbcProperties;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.StatementCallback;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** How long statements may take, and what it costs to say so. */
class StatementConfigurationTest {
    private final SingleConnectionDataSource database =
            new SingleConnectionDataSource("jdbc:h2:mem:" + UUID.randomUUID(), true);
    private final JdbcProperties properties = new JdbcProperties();
    private JdbcTemplate jdbc;

    @BeforeEach
    void limit() {
        properties.getTemplate().setQueryTimeout(Duration.ofSeconds(5));
        jdbc = new StatementConfiguration("jdbc:h2:mem:x").jdbcTemplate(database, properties);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private int limitOfAStatement() {
        return requireNonNull(jdbc.execute((StatementCallback<Integer>) Statement::getQueryTimeout));
    }

    @Test
    void everyStatementHasTheLimit() {
        assertThat(limitOfAStatement()).isEqualTo(5);
        assertThat(limitOfAStatement()).isEqualTo(5);
    }

    @Test
    void plansOfStatementsOutliveOtherStatements() throws SQLException {
        jdbc.queryForList("select 1");
        long before = plans();

        jdbc.queryForList("select 1");
        jdbc.queryForList("select 2");

        assertThat(plans())
                .as("a greater number: all plans of all connections were made void")
                .isEqualTo(before);
    }

    @Test
    void withinATransactionWithADeadlineStatementsHaveWhatIsLeftOfIt() {
        TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(database));
        transaction.setTimeout(2);

        assertThat(transaction.<Integer>execute(status -> limitOfAStatement())).isBetween(1, 2);
        assertThat(limitOfAStatement()).isEqualTo(5);
    }

    private long plans() throws SQLException {
        try (Connection connection = database.getConnection()) {
            SessionLocal session =
                    (SessionLocal) connection.unwrap(JdbcConnection.class).getSession();
            return session.getDatabase().getModificationMetaId();
        }
    }
}
