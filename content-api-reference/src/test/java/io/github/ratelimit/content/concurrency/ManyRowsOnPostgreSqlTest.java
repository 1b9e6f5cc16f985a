package io.github.ratelimit.content.concurrency;

import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.OnDatabase;
import io.github.ratelimit.content.replay.SeededServer;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Runs with {@code -Pfull}. */
@EnabledIfSystemProperty(named = "full", matches = "true")
@OnDatabase(Database.POSTGRESQL)
final class ManyRowsOnPostgreSqlTest extends ManyRowsContract {
    ManyRowsOnPostgreSqlTest(SeededServer server) {
        super(server);
    }
}
