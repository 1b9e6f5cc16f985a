package io.github.ratelimit.content.replay;

import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.OnDatabase;

@OnDatabase(Database.H2)
final class ReplayOnH2Test extends ReplayContract {}
