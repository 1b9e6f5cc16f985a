package io.github.ratelimit.content.concurrency;

import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.replay.OnDatabase;

@OnDatabase(Database.H2)
final class ConcurrentWritersOnH2Test extends ConcurrentWritersContract {}
