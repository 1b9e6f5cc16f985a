package io.github.ratelimit.redis;

import static io.github.ratelimit.contract.StoreContract.costing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.SharedSettings;
import io.github.ratelimit.StoreException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.resource.ClientResources;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ways to a server: a user with the least rights, TLS, the application's own client. */
class AccessTest {

    private static final List<Charge> CHARGES =
            List.of(new Charge("api", Limit.of("only", 5, Duration.ofMinutes(1)), Key.of("somebody")));

    private static RedisStore store(String uri) {
        return RedisStore.builder().uri(uri).timeout(Duration.ofSeconds(20)).build();
    }

    /** Every kind of call: a decision, a look, a rejection, a refund, a reset, settings. */
    private static void assertWorks(RedisStore store) {
        SharedSettings settings = store.sharedSettings().orElseThrow();
        settings.put(Map.of("api/shadow", "true")).join();
        assertThat(settings.read().join()).containsOnlyKeys("api/shadow");
        settings.remove(Map.of("api/shadow", "true")).join();
        assertThat(settings.read().join()).isEmpty();
        Decision decision = store.tryAcquire(costing(CHARGES, 4));
        assertThat(decision.allowed()).isTrue();
        assertThat(store.tryAcquire(costing(CHARGES, 2)).allowed()).isFalse();
        store.refundAsync(decision).toCompletableFuture().join();
        assertThat(store.tryAcquire(costing(CHARGES, 0)).statuses().get(0).remaining())
                .isEqualTo(5);
        assertThat(store.tryAcquire(costing(CHARGES, 4)).allowed()).isTrue();
        store.resetAsync(CHARGES).toCompletableFuture().join();
        assertThat(store.tryAcquire(costing(CHARGES, 0)).statuses().get(0).remaining())
                .isEqualTo(5);
    }

    /** The commands that docs/redis.md lists: for every server; beside them for a Cluster; and where the address has a database. */
    private static final List<String> LISTED = List.of(
            "evalsha", "eval", "get", "set", "incrby", "del", "pexpiretime", "time", "info", "hgetall", "hset", "hdel");

    private static final List<String> OF_CONCURRENCY_LIMITS =
            List.of("zadd", "zcount", "zrange", "zrem", "zremrangebyscore", "zscore", "pexpireat");

    private static final List<String> ON_A_CLUSTER = List.of("cluster|nodes");

    private static final List<String> IN_ANOTHER_DATABASE = List.of("select");

    /** What the client sends beside: it does without, and the server writes into its ACL log that it was rejected. */
    private static final List<String> DISPENSABLE = List.of("client|setname", "client|setinfo", "cluster|myid");

    private static void setUser(RedisCommands<String, String> server, List<String> commands) {
        CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8)
                .add("SETUSER")
                .add("limiter")
                .add("reset")
                .add("on")
                .add(">secret")
                .add("~rl:1:*");
        commands.forEach(command -> args.add("+" + command));
        server.dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), args);
    }

    /** What the servers rejected and is needed. */
    private static List<String> denied(RedisTestBed bed) {
        return bed.servers().stream()
                .flatMap(server -> server.aclLog().stream())
                .map(entry -> entry.get("reason") + " " + entry.get("object"))
                .filter(denied -> DISPENSABLE.stream().noneMatch(each -> denied.equals("command " + each)))
                .toList();
    }

    static List<RedisProcess.Version> servers() {
        return RedisProcess.Version.available().stream()
                .filter(RedisProcess.Version::knowsPexpiretime)
                .toList();
    }

    private static List<String> without(List<String> commands, String command) {
        return commands.stream().filter(each -> !each.equals(command)).toList();
    }

    @ParameterizedTest
    @MethodSource("servers")
    void userNeedsNoMoreThanTheListedCommands(RedisProcess.Version version) {
        try (RedisProcess process = RedisProcess.start(version);
                RedisTestBed bed = RedisTestBed.of(process)) {
            String uri = "redis://limiter:secret@127.0.0.1:" + process.port();
            setUser(bed.server(), LISTED);
            try (RedisStore store = store(uri)) {
                assertWorks(store);
                assertThat(store.statistics().failedCalls()).isZero();
            }
            assertThat(denied(bed)).isEmpty();

            setUser(
                    bed.server(),
                    Stream.concat(LISTED.stream(), OF_CONCURRENCY_LIMITS.stream())
                            .toList());
            try (RedisStore store = store(uri)) {
                Limit jobs = Limit.concurrent("jobs", 5, Duration.ofMinutes(1));
                Decision held = store.tryAcquire(List.of(new Charge("api", jobs, Key.of("somebody"))));
                assertThat(store.renewAsync(held).join()).isTrue();
                store.refundAsync(held).join();
            }
            assertThat(denied(bed)).isEmpty();

            for (String command : LISTED) {
                setUser(bed.server(), without(LISTED, command));
                bed.flush();
                bed.server().aclLogReset();
                try (RedisStore store = store(uri)) {
                    if (List.of("info", "incrby").contains(command)) { // without the last one more slowly
                        assertWorks(store);
                    } else {
                        assertThatThrownBy(() -> assertWorks(store))
                                .as(command)
                                .hasStackTraceContaining("docs/redis.md lists the commands");
                    }
                }
                assertThat(denied(bed)).as(command).contains("command " + command);
                assertThat(bed.keysWithoutExpiry()).as(command).isZero();
            }

            setUser(bed.server(), without(LISTED, "eval"));
            bed.server().scriptFlush();
            try (RedisStore store = store(uri)) {
                assertThatThrownBy(() -> store.tryAcquire(CHARGES))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("docs/redis.md lists the commands");
            }
        }
    }

    @Test
    void userOfAClusterNeedsNoMoreThanTheListedCommands() {
        List<String> listed =
                Stream.of(LISTED, ON_A_CLUSTER).flatMap(List::stream).toList();
        try (RedisClusterProcesses processes = RedisClusterProcesses.start();
                RedisTestBed bed = new RedisTestBed(processes.nodeUris())) {
            String uri = processes.uri().replace("redis://", "redis://limiter:secret@");
            bed.servers().forEach(server -> setUser(server, listed));
            try (RedisStore store = store(uri)) {
                RedisProcess.await("the nodes are connected", () -> isConnected(store));
                assertWorks(store);
            }
            RedisClusterClient client = RedisClusterClient.create(RedisClusterURIUtil.toRedisURIs(URI.create(uri)));
            try {
                for (int i = 0; i < 3; i++) {
                    client.refreshPartitions();
                }
                assertThat(client.getPartitions()).hasSize(3);
            } finally {
                client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
            }
            assertThat(denied(bed)).isEmpty();

            for (String command : ON_A_CLUSTER) {
                bed.servers().forEach(server -> setUser(server, without(listed, command)));
                RedisClusterClient unfit = RedisClusterClient.create(RedisClusterURIUtil.toRedisURIs(URI.create(uri)));
                try {
                    assertThatThrownBy(unfit::refreshPartitions).hasStackTraceContaining("NOPERM");
                } finally {
                    unfit.shutdown(Duration.ZERO, Duration.ofSeconds(1));
                }
                assertThat(denied(bed)).contains("command " + command);
            }
        }
    }

    @Test
    void userOfAnotherDatabaseMaySelectIt() {
        try (RedisProcess process = RedisProcess.start();
                RedisTestBed bed = RedisTestBed.of(process)) {
            String uri = "redis://limiter:secret@127.0.0.1:%d/3".formatted(process.port());
            setUser(bed.server(), LISTED);
            try (RedisStore store = RedisStore.builder()
                    .uri(uri)
                    .timeout(Duration.ofMillis(300))
                    .build()) {
                assertThatThrownBy(() -> store.tryAcquire(CHARGES)).isInstanceOf(StoreException.class);
            }
            assertThat(denied(bed)).contains("command select");

            setUser(
                    bed.server(),
                    Stream.of(LISTED, IN_ANOTHER_DATABASE).flatMap(List::stream).toList());
            bed.server().aclLogReset();
            try (RedisStore store = store(uri)) {
                assertWorks(store);
            }
            assertThat(denied(bed)).isEmpty();
        }
    }

    private static boolean isConnected(RedisStore store) {
        try {
            return store.tryAcquire(costing(CHARGES, 0)).allowed();
        } catch (StoreException e) {
            return false;
        }
    }

    @Test
    void passwordIsInNoMessage() {
        try (RedisProcess process = RedisProcess.start();
                RedisTestBed bed = RedisTestBed.of(process)) {
            setUser(bed.server(), LISTED);
            try (RedisStore store = store("redis://limiter:wrong@127.0.0.1:" + process.port())) {
                assertThatThrownBy(() -> store.tryAcquire(CHARGES)).isInstanceOf(StoreException.class);
                RedisProcess.await( // of some attempts only the closed connection is known
                        "the reason is told",
                        () -> store.health().reason().orElse("").contains("WRONGPASS"));
                assertThat(store.health().reason().orElseThrow()).doesNotContain("wrong@");
            }
        }
    }

    @Test
    void applicationsResourcesAreSharedAndLeftOpen() {
        try (RedisProcess process = RedisProcess.start()) {
            ClientResources resources = ClientResources.create();
            RedisClient client = RedisClient.create(resources, process.uri());
            try {
                try (RedisStore store = RedisStore.builder()
                        .uris(List.of(RedisURI.create(process.uri())))
                        .clientResources(resources)
                        .timeout(Duration.ofSeconds(20))
                        .build()) {
                    assertWorks(store);
                }
                try (var connection = client.connect()) {
                    assertThat(connection.sync().ping()).isEqualTo("PONG");
                }
            } finally {
                client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
                resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
            }
        }
    }

    @Test
    void connectsOverTls(@TempDir Path directory) throws Exception {
        try (RedisProcess process = RedisProcess.start();
                TlsTerminator tls = TlsTerminator.start(directory, process.port())) {
            try (RedisStore store = store("rediss://127.0.0.1:%d?verifyPeer=NONE".formatted(tls.port()))) {
                assertWorks(store);
            }
            try (RedisStore store = store("rediss://127.0.0.1:" + tls.port())) {
                assertThatThrownBy(() -> store.tryAcquire(CHARGES))
                        .as("a certificate that nobody vouches for")
                        .isInstanceOf(StoreException.class);
            }
        }
    }
}
