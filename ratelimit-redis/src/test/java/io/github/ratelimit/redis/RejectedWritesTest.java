package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Limit;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.remote.StoreHealth.State;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that answers and takes no writes is down until it takes them again. */
class RejectedWritesTest {

    private static final Limit WIDE = Limit.of("only", Limit.MAX_PERMITS, Duration.ofHours(1));

    private enum Cause {
        NO_MEMORY {
            @Override
            void begin(RedisCommands<String, String> server) {
                server.configSet("maxmemory", "1");
            }

            @Override
            void end(RedisCommands<String, String> server) {
                server.configSet("maxmemory", "0");
            }
        },
        REPLICA {
            @Override
            void begin(RedisCommands<String, String> server) {
                server.replicaof("127.0.0.1", 1);
            }

            @Override
            void end(RedisCommands<String, String> server) {
                server.replicaofNoOne();
            }
        },
        TOO_FEW_REPLICAS {
            @Override
            void begin(RedisCommands<String, String> server) {
                server.configSet("min-replicas-to-write", "1");
            }

            @Override
            void end(RedisCommands<String, String> server) {
                server.configSet("min-replicas-to-write", "0");
            }
        },
        PAUSED_WRITES {
            @Override
            void begin(RedisCommands<String, String> server) {
                client(server, "PAUSE", "60000", "WRITE");
            }

            @Override
            void end(RedisCommands<String, String> server) {
                client(server, "UNPAUSE");
            }
        },
        OTHER_PASSWORD {
            @Override
            void begin(RedisCommands<String, String> server) {
                server.configSet("requirepass", "another");
                client(server, "KILL", "TYPE", "normal", "SKIPME", "yes");
            }

            @Override
            void end(RedisCommands<String, String> server) {
                server.configSet("requirepass", "");
            }
        };

        private static void client(RedisCommands<String, String> server, String... words) {
            CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8);
            Arrays.asList(words).forEach(args::add);
            server.dispatch(CommandType.CLIENT, new ArrayOutput<>(StringCodec.UTF8), args);
        }

        abstract void begin(RedisCommands<String, String> server);

        abstract void end(RedisCommands<String, String> server);
    }

    /** 26 to 32 changes in 4 seconds, each a warning in the log: the look only read, which such a server allows. */
    @ParameterizedTest
    @EnumSource(Cause.class)
    void serverThatTakesNoWritesIsDownOnceAndUpOnce(Cause cause) {
        List<State> told = new CopyOnWriteArrayList<>();
        try (RedisProcess process = RedisProcess.start();
                RedisTestBed bed = RedisTestBed.of(process);
                RedisStore store = RedisStore.builder()
                        .uri(process.uri())
                        .onHealthChange(health -> told.add(health.state()))
                        .build()) {
            RedisProcess.await("the store connects", () -> store.health().state() == State.UP);
            try (DecisionLog log =
                    DecisionLog.of(Load.limiter(store, OnStoreFailure.LOCAL, WIDE), List.of("a", "b"), 2, 400)) {
                log.awaitStay(List.of("a", "b")); // their keys are there
                cause.begin(bed.server());
                RedisProcess.await("it is down", () -> !told.isEmpty() && told.get(told.size() - 1) == State.DOWN);
                int before = told.size();
                log.run(Duration.ofMillis(1500));
                assertThat(told).as("of a server that takes no writes still").hasSize(before);

                cause.end(bed.server());
                log.assertRedisDecidesWithin(Duration.ofMillis(1500), System.nanoTime(), List.of("a", "b"));
                RedisProcess.await("that is told", () -> told.size() > before);
                assertThat(told.get(before)).isEqualTo(State.UP);
            }
            assertThat(bed.keysWithoutExpiry()).isZero();
            assertThat(bed.keys()).as("no look leaves a key").hasSize(2);
        }
    }
}
