package io.github.ratelimit.redis;

import io.github.ratelimit.Store;
import io.github.ratelimit.contract.PermitsAheadContract;
import io.lettuce.core.KillArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RedisPermitsAheadTest extends PermitsAheadContract {

    private static RedisProcess process;
    private static RedisTestBed bed;

    @BeforeAll
    static void start() {
        process = RedisProcess.start();
        bed = RedisTestBed.of(process);
    }

    @AfterAll
    static void stop() {
        bed.close();
        process.close();
    }

    static RedisStore node(String uri) {
        return RedisStore.builder()
                .uri(uri)
                .clientResources(RedisTestBed.RESOURCES)
                .timeout(Duration.ofSeconds(20))
                .rememberRejections(Duration.ZERO)
                .permitsAhead(Set.of("hot"))
                .build();
    }

    @Override
    protected Store node() {
        return node(process.uri());
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
        return List.of(Node.class.getName(), process.uri());
    }

    @Override
    protected boolean killsProcesses() {
        return true;
    }

    @Override
    protected void disturb() {
        bed.servers().forEach(RedisPermitsAheadTest::disturb);
    }

    /** Cuts the connections of nodes, and forgets the scripts. */
    static void disturb(RedisCommands<String, String> server) {
        server.clientKill(KillArgs.Builder.typeNormal());
        server.scriptFlush();
    }

    /** One of the nodes. */
    static final class Node {

        public static void main(String[] args) throws IOException {
            askUntilKilled(node(args[0]), Path.of(args[1]), Long.parseLong(args[2]));
        }
    }
}
