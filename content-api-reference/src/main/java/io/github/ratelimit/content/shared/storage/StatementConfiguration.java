package io.github.ratelimit.content.shared.storage;

import io.github.ratelimit.content.shared.limit.WaitingRoom;
import io.github.ratelimit.content.shared.limit.WorkBudget;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.jdbc.DatabaseDriver;
import org.springframework.boot.jdbc.autoconfigure.JdbcProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementCallback;
import org.springframework.jdbc.core.PreparedStatementCreator;
import org.springframework.jdbc.core.PreparedStatementSetter;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Statements with a time limit that costs nothing on H2: there it is a setting of the connection, and telling a connection anew makes
 * all connections parse and plan all their statements again. Whatever writes waits for its turn, in a transaction or without one. What a request has
 * the database run is counted here, where every statement comes through.
 */
@Configuration(proxyBeanMethods = false)
class StatementConfiguration {
    /** Chosen: who waits for a row, as another server may hold it, keeps a connection meanwhile; as many are left to those who read. */
    private static final int PARTS = 2;

    @Bean
    WriterQueue writerQueue(
            @Value("${spring.datasource.url}") String url,
            @Value("${spring.datasource.hikari.maximum-pool-size}") int connections,
            WaitingRoom room) {
        boolean isEmbedded = DatabaseDriver.fromJdbcUrl(url) == DatabaseDriver.H2;
        return new WriterQueue(isEmbedded ? 1 : Math.max(1, connections / PARTS), room);
    }

    @Bean
    JdbcTransactionManager transactionManager(DataSource dataSource, WriterQueue writers, WorkBudget budget) {
        return new InTurn(dataSource, writers, budget);
    }

    @Bean
    JdbcTemplate jdbcTemplate(
            DataSource dataSource, JdbcProperties properties, WriterQueue writers, WorkBudget budget) {
        JdbcProperties.Template wanted = properties.getTemplate();
        JdbcTemplate template = new LimitedOnce(dataSource, writers, budget);
        template.setIgnoreWarnings(wanted.isIgnoreWarnings());
        template.setFetchSize(wanted.getFetchSize());
        template.setMaxRows(wanted.getMaxRows());
        template.setSkipResultsProcessing(wanted.isSkipResultsProcessing());
        template.setSkipUndeclaredResults(wanted.isSkipUndeclaredResults());
        template.setResultsMapCaseInsensitive(wanted.isResultsMapCaseInsensitive());
        PropertyMapper.get()
                .from(wanted::getQueryTimeout)
                .as(timeout -> Math.toIntExact(timeout.toSeconds()))
                .to(template::setQueryTimeout);
        return template;
    }

    /** Counts statements, notes what they touch, and sets the limit where one does not have it. */
    private static final class LimitedOnce extends JdbcTemplate {
        private final WriterQueue writers;
        private final WorkBudget budget;

        LimitedOnce(DataSource dataSource, WriterQueue writers, WorkBudget budget) {
            super(dataSource);
            this.writers = writers;
            this.budget = budget;
        }

        @Override
        protected int update(PreparedStatementCreator statement, @Nullable PreparedStatementSetter values) {
            return writers.inTurn(() -> super.update(statement, values));
        }

        @Override
        public int update(PreparedStatementCreator statement, KeyHolder keys) {
            return writers.inTurn(() -> super.update(statement, keys));
        }

        @Override
        public <T> T execute(PreparedStatementCreator statement, PreparedStatementCallback<T> write) {
            return writers.inTurn(() -> super.execute(statement, write));
        }

        @Override
        public <T> T execute(String sql, PreparedStatementCallback<T> write) {
            return writers.inTurn(() -> super.execute(sql, write));
        }

        @Override
        protected void applyStatementSettings(Statement statement) throws SQLException {
            budget.countStatement(TransactionSynchronizationManager.isActualTransactionActive());
            boolean isUsual = getFetchSize() == -1 && getMaxRows() == -1 && !hasDeadline(getDataSource());
            if (!isUsual || statement.getQueryTimeout() != getQueryTimeout()) {
                super.applyStatementSettings(statement);
            }
        }

        /** Within a transaction with a time limit, each statement has what is left of it. */
        private static boolean hasDeadline(@Nullable DataSource dataSource) {
            return dataSource != null
                    && TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder transaction
                    && transaction.hasTimeout();
        }
    }

    /** Transactions of ours write: none begins before those of others have ended. */
    private static final class InTurn extends JdbcTransactionManager {
        private static final long serialVersionUID = 1L;

        private final transient WriterQueue writers;
        private final transient WorkBudget budget;

        InTurn(DataSource dataSource, WriterQueue writers, WorkBudget budget) {
            super(dataSource);
            this.writers = writers;
            this.budget = budget;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            budget.requireRoom();
            // Before a connection is taken: whoever waits leaves it to others.
            writers.begin();
            try {
                super.doBegin(transaction, definition);
            } catch (RuntimeException | Error e) {
                writers.end();
                throw e;
            }
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            super.doCommit(status);
            budget.stored();
        }

        @Override
        protected void doCleanupAfterCompletion(Object transaction) {
            try {
                super.doCleanupAfterCompletion(transaction);
            } finally {
                writers.end();
            }
        }
    }
}
