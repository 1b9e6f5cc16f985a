package io.github.ratelimit.content.harness;

import io.github.ratelimit.TimeSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** The server as its users run it, in a process of its own, so that it can be killed. Not safe for concurrent use. */
public final class ServerProcess implements AutoCloseable {

    private static final Path JAR = Path.of("target", "content-api-reference.jar");

    /** For a server that is killed long before the second compiler would repay. */
    public static final String SHORT_LIVED = "-XX:TieredStopAtLevel=1";

    // Chosen: a server that did not start by then will not.
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Process process;
    private final Path log;
    private final String base;
    private final Duration started;

    private ServerProcess(Process process, Path log, String base, Duration started) {
        this.process = process;
        this.log = log;
        this.base = base;
        this.started = started;
    }

    /**
     * Starts the packaged jar and returns when it serves.
     *
     * @param time measures how long that took
     * @param dataDirectory where the server keeps its files; what an earlier one left there is found again
     * @param options of the virtual machine, beside its 256 MB
     * @throws IllegalStateException if the jar was not built, or the server ended at once; with what it printed
     */
    public static ServerProcess startJar(TimeSource time, Path dataDirectory, String... options) {
        if (!Files.exists(JAR)) {
            throw new IllegalStateException(JAR.toAbsolutePath() + " is missing: run the phase 'package' first");
        }
        int port = freePort();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx256m");
        command.addAll(List.of(options));
        command.addAll(List.of("-jar", JAR.toString()));
        command.addAll(ReferenceServer.arguments(dataDirectory, port, List.of()));
        try {
            Path log = Files.createTempFile("server", ".log");
            log.toFile().deleteOnExit(); // not sooner: whoever finds that the server has ended reads it
            long start = time.nanoTime();
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            String base = "http://127.0.0.1:" + port;
            ServerProcess server = new ServerProcess(process, log, base, Duration.ZERO);
            server.awaitService();
            return new ServerProcess(process, log, base, Duration.ofNanos(time.nanoTime() - start));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the address of the site, without a slash at its end. */
    public String base() {
        return base;
    }

    /** Returns how long it took from the start of the process until it served. */
    public Duration started() {
        return started;
    }

    /** Returns the processor time that it has spent so far; zero where the operating system does not tell. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Lets it run on for a while. */
    public void runFor(Duration duration) {
        if (ended(duration)) {
            throw new IllegalStateException("the server ended by itself: " + tail(log));
        }
    }

    /** Ends it as {@code kill -9} does, and returns when it is gone. */
    public void kill() {
        process.destroyForcibly();
        if (!ended(PATIENCE)) {
            throw new IllegalStateException("the server survived being killed");
        }
    }

    /** Tells it to end, as whoever stops a server does, and returns when it is gone. */
    public void end() {
        process.destroy();
        if (!ended(PATIENCE)) {
            throw new IllegalStateException("the server did not end: " + tail(log));
        }
    }

    @Override
    public void close() {
        kill();
    }

    private void awaitService() {
        SiteClient client = new SiteClient(base);
        Duration step = Duration.ofMillis(50);
        for (Duration waited = Duration.ZERO; waited.compareTo(PATIENCE) < 0; waited = waited.plus(step)) {
            if (ended(step)) {
                throw new IllegalStateException("the server ended at once: " + tail(log));
            }
            try {
                if (client.open(base + "/actuator/health").status() == 200) {
                    return;
                }
            } catch (UncheckedIOException e) {
                // Not yet.
            }
        }
        kill();
        throw new IllegalStateException("the server did not start: " + tail(log));
    }

    private boolean ended(Duration within) {
        try {
            return process.waitFor(within.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the server", e);
        }
    }

    /**
     * Below the ports that the system gives to clients: one of those may have been given away when the server takes it, seconds later. And
     * below the ports of the servers that the tests of other modules start.
     */
    private static int freePort() {
        for (int attempt = 0; attempt < 100; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 12_000);
            try (ServerSocket socket = new ServerSocket(port)) {
                return socket.getLocalPort();
            } catch (IOException e) {
                // Taken: another one.
            }
        }
        throw new IllegalStateException("no free port");
    }

    private static String tail(Path log) {
        try {
            String text = Files.readString(log);
            return text.substring(Math.max(0, text.length() - 3_000));
        } catch (IOException e) {
            return "no log: " + e.getMessage();
        }
    }
}
