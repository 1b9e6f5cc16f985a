package io.github.ratelimit.postgresql;

import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.contract.PermitsAheadContract;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;

class PostgresPermitsAheadTest extends PermitsAheadContract {

    private static MovedTime time;

    @BeforeAll
    static void createSchema() {
        time = new MovedTime(PostgresServer.shared(), "ahead");
        time.begin(new TestClock());
    }

    @Override
    protected Store node() {
        return time.store(new TestClock())
                .time(TimeSource.system())
                .rememberRejections(Duration.ZERO)
                .permitsAhead(Set.of("hot"))
                .build();
    }

    @Override
    protected long servedAhead(Store node) {
        return ((PostgresStore) node).statistics().ahead().served();
    }

    @Override
    protected void advance(Duration duration) {
        time.advance(duration);
    }
}
