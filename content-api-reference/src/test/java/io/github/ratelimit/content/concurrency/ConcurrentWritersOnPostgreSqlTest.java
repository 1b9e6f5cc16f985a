package io.github.ratelimit.content.concurrency;

import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.replay.OnDatabase;

@OnDatabase(Database.POSTGRESQL)
final class ConcurrentWritersOnPostgreSqlTest extends ConcurrentWritersContract {}
