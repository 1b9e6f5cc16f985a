package io.github.ratelimit.content.shared.storage;

import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.jdbc.autoconfigure.JdbcProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Statements with a time limit that costs nothing on H2: there it is a setting of the connection, and telling a connection anew makes
 * all connections parse and plan all their statements again.
 */
@Configuration(proxyBeanMethods = false)
class StatementConfiguration {

    @Bean
    JdbcTemplate jdbcTemplate(DataSource dataSource, JdbcProperties properties) {
        JdbcProperties.Template wanted = properties.getTemplate();
        JdbcTemplate template = new LimitedOnce(dataSource);
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

    /** Sets the limit where the statement does not have it. */
    private static final class LimitedOnce extends JdbcTemplate {
        LimitedOnce(DataSource dataSource) {
            super(dataSource);
        }

        @Override
        protected void applyStatementSettings(Statement statement) throws SQLException {
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
}
