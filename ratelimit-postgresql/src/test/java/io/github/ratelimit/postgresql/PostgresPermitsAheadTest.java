package io.github.ratelimit.postgresql;

import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.contract.PermitsAheadContract;
import io.github.ratelimit.test.TestClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;

class PostgresPermitsAheadTest extends PermitsAheadContract {

    private static MovedTime time;

    @BeforeAll
    static void createSchema() {
        time = new MovedTime(PostgresServer.shared(), "ahead");
        time.begin(new TestClock());
        PostgresServer.shared().createSchema("faults");
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

    @Override
    protected List<String> program() {
        return List.of(
                Node.class.getName(), Integer.toString(PostgresServer.shared().port()));
    }

    @Override
    protected void disturb() {
        PostgresServer.shared()
                .run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        + " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()");
    }

    /** One of the nodes. */
    static final class Node {

        public static void main(String[] args) throws IOException {
            PostgresStore store = PostgresStore.builder()
                    .dataSource(PostgresServer.dataSource("postgres", Integer.parseInt(args[0])))
                    .schema("faults")
                    .rememberRejections(Duration.ZERO)
                    .permitsAhead(Set.of("hot"))
                    .build();
            askUntilKilled(store, Path.of(args[1]), Long.parseLong(args[2]));
        }
    }
}
