package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.harness.Database;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Runs with {@code -Pfull}. */
@EnabledIfSystemProperty(named = "full", matches = "true")
class StatementsOnPostgreSqlTest extends StatementsContract {
    StatementsOnPostgreSqlTest() {
        super(Database.POSTGRESQL);
    }
}
