package io.github.ratelimit.content.server.health;

import io.github.ratelimit.content.server.http.Causes;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Reads a row of the content. A connection may say that it is valid while what it leads to is closed, or another database:
 * then every request fails, and this does too.
 */
@Component
final class ContentHealthIndicator implements HealthIndicator {
    private static final Logger log = LoggerFactory.getLogger(ContentHealthIndicator.class);

    private final JdbcClient jdbc;

    ContentHealthIndicator(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public Health health() {
        try {
            for (String table : List.of("account", "item")) {
                jdbc.sql("select id from " + table + " order by id fetch first 1 rows only")
                        .query(Long.class)
                        .list();
            }
            return Health.up().build();
        } catch (RuntimeException e) {
            // Asked every few seconds: a stack trace each time would fill the log.
            log.warn("the content cannot be read: {}", Causes.line(e));
            return Health.down(e).build();
        }
    }
}
