package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.harness.Database;

class StatementsOnPostgreSqlTest extends StatementsContract {
    StatementsOnPostgreSqlTest() {
        super(Database.POSTGRESQL);
    }
}
