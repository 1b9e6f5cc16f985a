package io.github.ratelimit.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.SECONDS;

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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A Redis server of its own, on a free port of the loopback interface, in a directory of its own that goes with it.
 *
 * <p>The binary comes from an artifact on the class path. A server is stopped by {@link #close()}, and in any case with this process.
 */
public final class RedisProcess implements AutoCloseable {

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
        int port = freePort();
        Path directory = temporaryDirectory();
        List<String> arguments = new ArrayList<>(List.of(
                binary().toString(),
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--dir",
                directory.toString(),
                "--save",
                "",
                "--appendonly",
                "no",
                "--enable-debug-command",
                "yes"));
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
                new ArrayList<>(List.of(binary().toString(), configuration.toString(), "--sentinel")), directory, port);
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
    void restart() {
        try {
            process = launch();
            awaitReady();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process launch() throws IOException {
        return new ProcessBuilder(arguments)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
    }

    private void awaitReady() {
        await(10, "Redis answers on port " + port, () -> {
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

    /** Waits until something holds, asking again every few milliseconds. */
    static void await(int seconds, String what, BooleanSupplier condition) {
        long end = System.nanoTime() + SECONDS.toNanos(seconds);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within %d s: %s".formatted(seconds, what));
            }
            LockSupport.parkNanos(5_000_000);
        }
    }

    /** Below the ports that the system gives to clients, and so that 10000 more is a port as well: a Cluster's bus is there. */
    static int freePort() {
        for (int attempt = 0; attempt < 100; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(12_000, 32_000);
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

    private static Path binary() {
        return Binary.PATH;
    }

    /** Unpacked once, when first asked for. */
    private static final class Binary {

        static final Path PATH = unpack();

        private static Path unpack() {
            boolean mac = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac");
            boolean arm = System.getProperty("os.arch").equals("aarch64");
            String name = "redis-server-7.0.15-%s-%s".formatted(mac ? "darwin" : "linux", arm ? "arm64" : "amd64");
            try (InputStream in = requireNonNull(Binary.class.getClassLoader().getResourceAsStream(name), name)) {
                Path file = Files.createTempFile(
                        "redis-server",
                        "",
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
                Files.write(file, in.readAllBytes());
                file.toFile().deleteOnExit();
                return file;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
