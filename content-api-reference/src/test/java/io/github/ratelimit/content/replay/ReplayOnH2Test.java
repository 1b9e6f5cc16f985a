package io.github.ratelimit.content.replay;

import io.github.ratelimit.content.harness.Database;

@OnDatabase(Database.H2)
final class ReplayOnH2Test extends ReplayContract {}
