package io.github.ratelimit.content.cms.user;

import io.github.ratelimit.content.harness.Database;

/** On PostgreSQL. */
class UserRoutesOnPostgreSqlTest extends UserRoutesContract {
    UserRoutesOnPostgreSqlTest() {
        super(Database.POSTGRESQL);
    }
}
