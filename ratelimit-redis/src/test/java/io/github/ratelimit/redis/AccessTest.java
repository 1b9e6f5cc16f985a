package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.StoreException;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ways to a server: a user with the least rights, TLS, the application's own client. */
class AccessTest {

    private static final List<Charge> CHARGES =
            List.of(new Charge("api", Limit.of("only", 5, Duration.ofMinutes(1)), Key.of("somebody")));

    private static RedisStore store(String uri) {
        return RedisStore.builder().uri(uri).timeout(Duration.ofSeconds(20)).build();
    }

    /** Every kind of call: a decision, a look, a refusal, a refund, a reset. */
    private static void assertWorks(RedisStore store) {
        Decision decision = store.tryAcquire(CHARGES, 4);
        assertThat(decision.allowed()).isTrue();
        assertThat(store.tryAcquire(CHARGES, 2).allowed()).isFalse();
        store.refundAsync(decision).toCompletableFuture().join();
        assertThat(store.tryAcquire(CHARGES, 0).statuses().get(0).remaining()).isEqualTo(5);
        assertThat(store.tryAcquire(CHARGES, 4).allowed()).isTrue();
        store.resetAsync(CHARGES).toCompletableFuture().join();
        assertThat(store.tryAcquire(CHARGES, 0).statuses().get(0).remaining()).isEqualTo(5);
    }

    /** The commands that docs/redis.md lists. */
    @Test
    void userNeedsNoMoreThanTheListedCommands() {
        try (RedisProcess process = RedisProcess.start();
                RedisTestBed bed = RedisTestBed.of(process)) {
            AclSetuserArgs listed = AclSetuserArgs.Builder.on()
                    .addPassword("secret")
                    .keyPattern("rl:1:*")
                    .addCommand(CommandType.EVALSHA)
                    .addCommand(CommandType.EVAL)
                    .addCommand(CommandType.GET)
                    .addCommand(CommandType.INCRBY)
                    .addCommand(CommandType.DECRBY)
                    .addCommand(CommandType.PEXPIRE)
                    .addCommand(CommandType.PEXPIRETIME)
                    .addCommand(CommandType.PTTL)
                    .addCommand(CommandType.TIME)
                    .addCommand(CommandType.DEL)
                    .addCommand(CommandType.INFO);
            bed.server().aclSetuser("limiter", listed);
            try (RedisStore store = store("redis://limiter:secret@127.0.0.1:" + process.port())) {
                assertWorks(store);
                assertThat(store.statistics().failedCalls()).isZero();
            }
            bed.server().aclSetuser("limiter", AclSetuserArgs.Builder.removeCommand(CommandType.INCRBY));
            try (RedisStore store = store("redis://limiter:secret@127.0.0.1:" + process.port())) {
                assertThatThrownBy(() -> store.tryAcquire(CHARGES, 1))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("docs/redis.md lists the commands");
            }
            try (RedisStore store = store("redis://limiter:wrong@127.0.0.1:" + process.port())) {
                assertThatThrownBy(() -> store.tryAcquire(CHARGES, 1)).isInstanceOf(StoreException.class);
                assertThat(store.health().reason().orElseThrow())
                        .contains("WRONGPASS")
                        .doesNotContain("wrong@");
            }
        }
    }

    @Test
    void applicationsOwnClientIsUsedAndLeftOpen() {
        try (RedisProcess process = RedisProcess.start()) {
            RedisClient client = RedisClient.create(process.uri());
            try {
                try (RedisStore store = RedisStore.builder()
                        .client(client)
                        .timeout(Duration.ofSeconds(20))
                        .build()) {
                    assertWorks(store);
                }
                try (var connection = client.connect()) {
                    assertThat(connection.sync().ping()).isEqualTo("PONG");
                }
            } finally {
                client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
            }
        }
    }

    @Test
    void connectsOverTls(@TempDir Path directory) throws Exception {
        try (RedisProcess process = RedisProcess.start();
                SSLServerSocket listener = tls(directory)) {
            daemon(() -> terminate(listener, process.port()));
            try (RedisStore store = store("rediss://127.0.0.1:%d?verifyPeer=NONE".formatted(listener.getLocalPort()))) {
                assertWorks(store);
            }
            try (RedisStore store = store("rediss://127.0.0.1:" + listener.getLocalPort())) {
                assertThatThrownBy(() -> store.tryAcquire(CHARGES, 1))
                        .as("a certificate that nobody vouches for")
                        .isInstanceOf(StoreException.class);
            }
        }
    }

    private static SSLServerSocket tls(Path directory) throws Exception {
        Path file = directory.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        "changeit")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, "changeit".toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, "changeit".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    /** The tests' server speaks no TLS itself. */
    private static void terminate(SSLServerSocket listener, int port) {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
                daemon(() -> pump(client, server));
                daemon(() -> pump(server, client));
            } catch (IOException e) {
                // closed
            }
        }
    }

    private static void pump(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // An end of the connection is the end of both.
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "tls-terminator");
        thread.setDaemon(true);
        thread.start();
    }
}
