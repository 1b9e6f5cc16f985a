package io.github.ratelimit.content.server.health;

import java.util.List;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Reads a row of the content. A connection may say that it is valid while what it leads to is closed, or another database:
 * then every request fails, and this does too.
 */
@Component
final class ContentHealthIndicator extends AbstractHealthIndicator {
    private final JdbcClient jdbc;

    ContentHealthIndicator(JdbcClient jdbc) {
        super("the content cannot be read");
        this.jdbc = jdbc;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        for (String table : List.of("account", "item")) {
            jdbc.sql("select id from " + table + " order by id fetch first 1 rows only")
                    .query(Long.class)
                    .list();
        }
        health.up();
    }
}
