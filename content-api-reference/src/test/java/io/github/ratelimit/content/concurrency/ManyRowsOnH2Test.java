package io.github.ratelimit.content.concurrency;

import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.OnDatabase;
import io.github.ratelimit.content.replay.SeededServer;

@OnDatabase(Database.H2)
final class ManyRowsOnH2Test extends ManyRowsContract {
    ManyRowsOnH2Test(SeededServer server) {
        super(server);
    }
}
