package io.github.ratelimit.content.replay;

import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.OnDatabase;

@OnDatabase(Database.POSTGRESQL)
final class ReplayOnPostgreSqlTest extends ReplayContract {}
