package io.github.ratelimit.redis;

import io.github.ratelimit.Store;
import io.github.ratelimit.contract.PermitsAheadContract;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RedisClusterPermitsAheadTest extends PermitsAheadContract {

    private static RedisClusterProcesses process;
    private static RedisTestBed bed;

    @BeforeAll
    static void start() {
        process = RedisClusterProcesses.start();
        bed = new RedisTestBed(process.nodeUris());
    }

    @AfterAll
    static void stop() {
        bed.close();
        process.close();
    }

    @Override
    protected Store node() {
        return RedisPermitsAheadTest.node(process.uri());
    }

    @Override
    protected long servedAhead(Store node) {
        return ((RedisStore) node).statistics().ahead().served();
    }

    @Override
    protected void advance(Duration duration) {
        bed.advance(duration);
    }

    @Override
    protected List<String> program() {
        return List.of(RedisPermitsAheadTest.Node.class.getName(), process.uri());
    }

    @Override
    protected void disturb() {
        bed.servers().forEach(RedisPermitsAheadTest::disturb);
    }
}
