package io.github.ratelimit.content.server.health;

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
        jdbc.sql("select id from account order by id fetch first 1 rows only")
                .query(Long.class)
                .list();
        jdbc.sql("select id from item order by id fetch first 1 rows only")
                .query(Long.class)
                .list();
        health.up();
    }
}
