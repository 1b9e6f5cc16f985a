package io.github.ratelimit.content.replay;

import io.github.ratelimit.content.harness.Database;

final class ReplayOnPostgreSqlTest extends ReplayContract {

    ReplayOnPostgreSqlTest() {
        super(Database.POSTGRESQL);
    }
}
