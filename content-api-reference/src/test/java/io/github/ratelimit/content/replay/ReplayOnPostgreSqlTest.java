package io.github.ratelimit.content.replay;

import io.github.ratelimit.content.harness.Database;

@OnDatabase(Database.POSTGRESQL)
final class ReplayOnPostgreSqlTest extends ReplayContract {}
