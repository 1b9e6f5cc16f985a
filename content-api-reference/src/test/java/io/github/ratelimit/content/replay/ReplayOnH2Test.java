package io.github.ratelimit.content.replay;

import io.github.ratelimit.content.harness.Database;

final class ReplayOnH2Test extends ReplayContract {

    ReplayOnH2Test() {
        super(Database.H2);
    }
}
