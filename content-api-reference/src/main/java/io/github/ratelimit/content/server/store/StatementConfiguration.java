package io.github.ratelimit.content.server.store;

import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
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
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Gives statements a time limit, and lets one thread at a time write to H2. On H2 the limit is a setting of the connection, which is set
 * once: each change makes the connection compile all its statements again.
 */
@Configuration(proxyBeanMethods = false)
class StatementConfiguration {
    private final Writes.@Nullable Lock lock;

    StatementConfiguration(@Value("${spring.datasource.url}") String url) {
        this.lock = DatabaseDriver.fromJdbcUrl(url) == DatabaseDriver.H2 ? new Writes.Lock() : null;
    }

    @Bean
    JdbcTransactionManager transactionManager(DataSource dataSource) {
        return lock == null ? new JdbcTransactionManager(dataSource) : new LockingTransactions(dataSource, lock);
    }

    @Bean
    JdbcTemplate jdbcTemplate(DataSource dataSource, JdbcProperties properties) {
        JdbcTemplate template = new LimitedOnce(dataSource, lock);
        Duration limit = properties.getTemplate().getQueryTimeout();
        if (limit != null) {
            template.setQueryTimeout(Math.toIntExact(limit.toSeconds()));
        }
        return template;
    }

    private static final class LimitedOnce extends JdbcTemplate {
        private final Writes.@Nullable Lock lock;

        LimitedOnce(DataSource dataSource, Writes.@Nullable Lock lock) {
            super(dataSource);
            this.lock = lock;
        }

        @Override
        protected int update(PreparedStatementCreator statement, @Nullable PreparedStatementSetter values) {
            return write(() -> super.update(statement, values));
        }

        @Override
        public int update(PreparedStatementCreator statement, KeyHolder keys) {
            return write(() -> super.update(statement, keys));
        }

        @Override
        public <T> T execute(PreparedStatementCreator statement, PreparedStatementCallback<T> write) {
            return write(() -> super.execute(statement, write));
        }

        @Override
        public <T> T execute(String sql, PreparedStatementCallback<T> write) {
            return write(() -> super.execute(sql, write));
        }

        private <T> T write(Supplier<T> write) {
            return lock == null ? write.get() : lock.locked(write);
        }

        @Override
        protected void applyStatementSettings(Statement statement) throws SQLException {
            boolean isUsual = getFetchSize() == -1 && getMaxRows() == -1 && !hasDeadline(getDataSource());
            if (!isUsual || statement.getQueryTimeout() != getQueryTimeout()) {
                super.applyStatementSettings(statement);
            }
        }

        /** In a transaction with a time limit, each statement has the rest of it. */
        private static boolean hasDeadline(@Nullable DataSource dataSource) {
            return dataSource != null
                    && TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder transaction
                    && transaction.hasTimeout();
        }
    }

    private static final class LockingTransactions extends JdbcTransactionManager {
        private static final long serialVersionUID = 1L;

        private final transient Writes.Lock lock;

        LockingTransactions(DataSource dataSource, Writes.Lock lock) {
            super(dataSource);
            this.lock = lock;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            // Before a connection is taken, so that a waiting writer leaves it to others.
            lock.lock();
            try {
                super.doBegin(transaction, definition);
            } catch (RuntimeException | Error e) {
                lock.unlock();
                throw e;
            }
        }

        @Override
        protected void doCleanupAfterCompletion(Object transaction) {
            try {
                super.doCleanupAfterCompletion(transaction);
            } finally {
                lock.unlock();
            }
        }
    }
}
