package io.github.ratelimit.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.lettuce.core.RedisException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Redis server of its own, on a free port of the loopback interface, in a directory of its own that goes with it.
 *
 * <p>The binary comes from an artifact on the class path. A server is stopped by {@link #close()}, and in any case with this process.
 */
public final class RedisProcess implements AutoCloseable {

    /** The servers that can be started, on Linux and macOS. */
    public enum Version {
        /** Called 6.2.6 or 6.2.7 by its file; what the server says of itself is 6.2.11 on Linux. It needs OpenSSL 3. */
        REDIS_6_2("6.2.6-v5"),
        REDIS_7_0_9("7.0.9"),
        REDIS_7_0("7.0.15"),
        /** A newer one, or Valkey: the binary that the environment names, which all tests use that name no version. */
        NAMED(System.getenv("RATELIMIT_TEST_REDIS_SERVER"));

        private final @Nullable String file;

        Version(@Nullable String file) {
            this.file = file;
        }

        /** The one that is started where nothing else is said. */
        static Version usual() {
            return NAMED.file == null ? REDIS_7_0 : NAMED;
        }

        /** Those that there are binaries of. */
        static List<Version> available() {
            return Stream.of(values()).filter(each -> each.file != null).toList();
        }

        /** Whether it knows PEXPIRETIME. */
        boolean knowsPexpiretime() {
            return this != REDIS_6_2;
        }

        private Path unpacked() throws IOException {
            String known = requireNonNull(file, "no server is named");
            if (this == NAMED) {
                return Path.of(known);
            }
            boolean mac = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac");
            boolean arm = System.getProperty("os.arch").equals("aarch64");
            String of = this == REDIS_6_2 && arm && !mac ? "6.2.7" : known;
            String name = "redis-server-%s-%s-%s".formatted(of, mac ? "darwin" : "linux", arm ? "arm64" : "amd64");
            try (InputStream in =
                    requireNonNull(RedisProcess.class.getClassLoader().getResourceAsStream(name), name)) {
                Path unpacked = Files.createTempFile(
                        "redis-server",
                        "",
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
                Files.write(unpacked, in.readAllBytes());
                unpacked.toFile().deleteOnExit();
                return unpacked;
            }
        }
    }

    private static final Duration PATIENCE = Duration.ofSeconds(45);
    private static final Map<Version, Path> BINARIES = new ConcurrentHashMap<>();

    private final List<String> arguments;
    private final Path directory;
    private final int port;
    private volatile Process process;

    private RedisProcess(List<String> arguments, Path directory, int port) throws IOException {
        this.arguments = arguments;
        this.directory = directory;
        this.port = port;
        this.process = launch();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> process.destroyForcibly()));
    }

    /** A server that keeps nothing on disk. */
    public static RedisProcess start(String... options) {
        return start(Version.usual(), options);
    }

    /** A server of that version that keeps nothing on disk. */
    public static RedisProcess start(Version version, String... options) {
        int port = freePort();
        Path directory = temporaryDirectory();
        List<String> arguments = new ArrayList<>(List.of(
                binary(version).toString(),
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--dir",
                directory.toString(),
                "--save",
                "",
                "--appendonly",
                "no"));
        if (version != Version.REDIS_6_2) { // it allows DEBUG without being told
            arguments.addAll(List.of("--enable-debug-command", "yes"));
        }
        arguments.addAll(List.of(options));
        return start(arguments, directory, port);
    }

    /** A Sentinel that watches one master. */
    static RedisProcess startSentinel(String master, int masterPort) {
        int port = freePort();
        Path directory = temporaryDirectory();
        Path configuration = directory.resolve("sentinel.conf");
        try {
            Files.writeString(configuration, """
                    port %d
                    bind 127.0.0.1
                    dir %s
                    sentinel monitor %s 127.0.0.1 %d 1
                    sentinel down-after-milliseconds %3$s 500
                    sentinel failover-timeout %3$s 5000
                    """.formatted(port, directory, master, masterPort));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return start(
                new ArrayList<>(List.of(binary(Version.usual()).toString(), configuration.toString(), "--sentinel")),
                directory,
                port);
    }

    private static RedisProcess start(List<String> arguments, Path directory, int port) {
        try {
            RedisProcess started = new RedisProcess(arguments, directory, port);
            started.awaitReady();
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return port;
    }

    /** Where it is. */
    public String uri() {
        return "redis://127.0.0.1:" + port;
    }

    /** Ends it as a crash would: nothing is told to anybody. */
    public void kill() {
        process.destroyForcibly();
        try {
            process.waitFor(10, SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Starts it again after {@link #kill()}, on the same port. */
    public void restart() {
        try {
            process = launch();
            awaitReady();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops it where it stands, as a machine that hangs: its connections stay open, and nobody is answered until {@link #resume()}. */
    void pause() {
        signal("STOP");
    }

    /** Lets it go on after {@link #pause()}: it answers what has come meanwhile. */
    void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .inheritIO()
                    .start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("no signal " + name + " for " + process.pid());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Process launch() throws IOException {
        return new ProcessBuilder(arguments)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
    }

    private void awaitReady() {
        await("Redis answers on port " + port, () -> {
            if (!process.isAlive()) {
                throw new IllegalStateException("Redis ended: " + log());
            }
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 200);
                socket.setSoTimeout(500);
                socket.getOutputStream().write("PING\r\n".getBytes(US_ASCII));
                return socket.getInputStream().read() == '+';
            } catch (IOException e) {
                return false;
            }
        });
    }

    private String log() {
        try {
            return Files.readString(directory.resolve("log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() {
        kill();
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Waits until something holds, asking again every few milliseconds: so long that what does not hold by then never will, however busy the
     * machine is.
     */
    static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            @Nullable RedisException lost = null;
            try {
                if (condition.getAsBoolean()) {
                    return;
                }
            } catch (RedisException e) { // a server that changes its part closes the connection of who asks it
                lost = e;
            }
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within %s: %s".formatted(PATIENCE, what), lost);
            }
            LockSupport.parkNanos(5_000_000);
        }
    }

    /** Both it and 10000 more, where a Cluster's bus is, are below the ports that the system gives to clients. */
    static int freePort() {
        for (int attempt = 0; attempt < 100; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(12_000, 22_000);
            if (isFree(port) && isFree(port + 10_000)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private static Path temporaryDirectory() {
        try {
            return Files.createTempDirectory("ratelimit-redis");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Unpacked once, when first asked for. */
    private static Path binary(Version version) {
        return BINARIES.computeIfAbsent(version, unknown -> {
            try {
                return unknown.unpacked();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
