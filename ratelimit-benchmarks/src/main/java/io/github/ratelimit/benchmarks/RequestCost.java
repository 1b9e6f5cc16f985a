package io.github.ratelimit.benchmarks;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * What a request costs a server: CPU time of its process and bytes allocated in it, for every {@link RequestContender}, in turns.
 *
 * <p>{@code java -cp benchmarks.jar io.github.ratelimit.benchmarks.RequestCost requests=40000 turns=15 servers=3}. One server holds all
 * contenders, each as a web application of its own, and a turn is a fixed count of requests to one of them over connections that stay
 * open. So all share one heap, the same threads and the same compiled container, which differ more from process to process than what is
 * compared here. That the compiler may favour one contender in one process is what {@code servers}, one after the other, is for. The
 * ratios are of turns of one round. Process CPU time is told in steps of 10 ms: let a turn last a second.
 *
 * <p>The server collects serially: what a contender leaves behind is cleared within its own turns, and not by another thread later.
 */
public final class RequestCost {

    private static final Map<String, Integer> DEFAULTS =
            Map.of("requests", 40_000, "turns", 15, "connections", 4, "warm-up", 150_000, "servers", 3);
    private static final int TIMEOUT_MILLIS = 30_000;

    private final Map<RequestContender, Row> rows = new EnumMap<>(RequestContender.class);
    private final int requests;
    private final int turns;
    private final int connections;
    private final int warmUp;

    /** What was seen of one contender. */
    private static final class Row {
        final Figures micros = new Figures();
        final Figures toBare = new Figures();
        final Figures aboveFields = new Figures();
        final Figures bytes = new Figures();
        final Figures bytesAboveFields = new Figures();
    }

    /** What a server has used: CPU nanoseconds and allocated bytes. */
    private record Used(double nanos, double bytes) {
        Used since(Used earlier, int requests) {
            return new Used((nanos - earlier.nanos) / requests, (bytes - earlier.bytes) / requests);
        }
    }

    private RequestCost(Map<String, Integer> settings) {
        connections = settings.getOrDefault("connections", 1);
        requests = settings.getOrDefault("requests", 1) / connections * connections;
        turns = settings.getOrDefault("turns", 1);
        warmUp = settings.getOrDefault("warm-up", 1) / connections * connections;
        for (RequestContender contender : RequestContender.values()) {
            rows.put(contender, new Row());
        }
    }

    /** Measures and prints a table. Arguments as {@code name=number}: requests (a turn), turns, connections, warm-up (requests), servers. */
    public static void main(String[] arguments) throws Exception {
        Map<String, Integer> settings = new TreeMap<>(DEFAULTS);
        for (String argument : arguments) {
            String[] parts = argument.split("=", 2);
            if (parts.length != 2 || !settings.containsKey(parts[0])) {
                throw new IllegalArgumentException(
                        "no such argument: '%s'; known, as name=number: %s".formatted(argument, DEFAULTS.keySet()));
            }
            settings.put(parts[0], Integer.parseInt(parts[1]));
        }
        RequestCost cost = new RequestCost(settings);
        for (int server = 0; server < settings.getOrDefault("servers", 1); server++) {
            cost.measureServer();
        }
        cost.print(settings);
    }

    private void measureServer() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xms512m",
                        "-Xmx512m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RequestServer.class.getName(),
                        Integer.toString(connections))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        ExecutorService clients = Executors.newFixedThreadPool(connections);
        try (BufferedReader output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            String port = output.readLine();
            if (port == null) {
                throw new IllegalStateException("the server ended before it served");
            }
            measure(Integer.parseInt(port), clients);
        } finally {
            clients.shutdownNow();
            process.getOutputStream().close(); // and so it ends
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        }
    }

    private void measure(int port, ExecutorService clients) throws Exception {
        List<Connection> open = new ArrayList<>();
        try (Connection used = new Connection(port, RequestServer.USED_LENGTH)) {
            for (int i = 0; i < connections; i++) {
                open.add(new Connection(port, RequestServer.ANSWER.length));
            }
            for (RequestContender contender : RequestContender.values()) {
                check(contender, open.get(0));
            }
            // In small turns, so that no contender's profile is the only one that the compiler knows.
            for (int turn = 0; turn < 10; turn++) {
                for (RequestContender contender : RequestContender.values()) {
                    turn(contender, warmUp / 10, open, used, clients);
                }
            }
            Figures bare = new Figures();
            for (int turn = 0; turn < turns; turn++) {
                round(open, used, clients, bare);
            }
            System.out.printf("server done: bare %s µs%n", bare.text("%.2f"));
        } finally {
            for (Connection connection : open) {
                connection.close();
            }
        }
    }

    private void round(List<Connection> open, Connection used, ExecutorService clients, Figures bareOfServer)
            throws Exception {
        Map<RequestContender, Used> round = new EnumMap<>(RequestContender.class);
        for (RequestContender contender : RequestContender.values()) {
            round.put(contender, turn(contender, requests, open, used, clients));
        }
        Used bare = round.getOrDefault(RequestContender.BARE, new Used(0, 0));
        Used fields = round.getOrDefault(RequestContender.FIELDS, new Used(0, 0));
        bareOfServer.add(bare.nanos / 1000);
        round.forEach((contender, seen) -> {
            Row row = rows.getOrDefault(contender, new Row());
            row.micros.add(seen.nanos / 1000);
            row.toBare.add(seen.nanos / bare.nanos);
            row.aboveFields.add(100 * (seen.nanos - fields.nanos) / bare.nanos);
            row.bytes.add(seen.bytes);
            row.bytesAboveFields.add(seen.bytes - fields.bytes);
        });
    }

    private static Used turn(
            RequestContender contender, int requests, List<Connection> open, Connection used, ExecutorService clients)
            throws Exception {
        byte[] request = request(contender.contextPath() + "/posts/42");
        List<Callable<Void>> tasks = new ArrayList<>();
        for (Connection connection : open) {
            tasks.add(() -> {
                for (int i = 0; i < requests / open.size(); i++) {
                    connection.exchange(request);
                }
                return null;
            });
        }
        Used before = used(used);
        for (Future<Void> done : clients.invokeAll(tasks)) {
            done.get();
        }
        return used(used).since(before, requests);
    }

    private static Used used(Connection connection) throws IOException {
        connection.exchange(request(RequestServer.USED));
        String[] figures = connection.body().split(" ");
        return new Used(Long.parseLong(figures[0]), Long.parseLong(figures[1]));
    }

    /** Who is compared must do what it is compared for. */
    private static void check(RequestContender contender, Connection connection) throws IOException {
        connection.exchange(request(contender.contextPath() + "/posts/42"));
        String head = connection.head();
        for (String field : List.of("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")) {
            if (head.contains("\r\n" + field + ": ") != (contender != RequestContender.BARE)) {
                throw new IllegalStateException(
                        "%s: %s is missing, or should be:%n%s".formatted(contender.label(), field, head));
            }
        }
    }

    private static byte[] request(String path) {
        return ("GET " + path
                        + " HTTP/1.1\r\nHost: localhost\r\nUser-Agent: request-cost\r\nAccept: application/json\r\n\r\n")
                .getBytes(US_ASCII);
    }

    private void print(Map<String, Integer> settings) {
        System.out.printf("%nCPU time of the server's process for a request, %s: median [quartiles]%n%n", settings);
        System.out.println(
                "| contender | µs | ÷ bare | extra time over `fields`, in percent of bare | bytes allocated | above `fields` |");
        System.out.println("|---|---|---|---|---|---|");
        rows.forEach((contender, row) -> System.out.printf(
                "| `%s` | %s | %s | %s | %.0f | %.0f |%n",
                contender.label(),
                row.micros.text("%.2f"),
                row.toBare.text("%.3f"),
                row.aboveFields.text("%+.1f"),
                row.bytes.median(),
                row.bytesAboveFields.median()));
    }

    /** A connection that stays open, for answers of one length. Used by one thread at a time. */
    private static final class Connection implements AutoCloseable {

        private static final byte[] OK = "200".getBytes(US_ASCII);

        private final Socket socket;
        private final int bodyLength;
        private final byte[] buffer = new byte[4096];
        private int headEnd;

        Connection(int port, int bodyLength) throws IOException {
            this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
            this.bodyLength = bodyLength;
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MILLIS);
        }

        /** Sends a request and reads its answer. */
        void exchange(byte[] request) throws IOException {
            socket.getOutputStream().write(request);
            InputStream input = socket.getInputStream();
            int length = 0;
            headEnd = -1;
            while (headEnd < 0 || length < headEnd + bodyLength) {
                int read = input.read(buffer, length, buffer.length - length);
                if (read <= 0) {
                    throw new EOFException("the server closed the connection, or answered more than is expected");
                }
                int from = Math.max(0, length - 3);
                length += read;
                headEnd = headEnd < 0 ? headEnd(from, length) : headEnd;
            }
            if (!Arrays.equals(buffer, 9, 12, OK, 0, 3)) {
                throw new IOException("status must be 200: " + head());
            }
        }

        private int headEnd(int from, int length) {
            for (int i = from; i + 3 < length; i++) {
                if (buffer[i] == '\r' && buffer[i + 1] == '\n' && buffer[i + 2] == '\r' && buffer[i + 3] == '\n') {
                    return i + 4;
                }
            }
            return -1;
        }

        /** The last answer's status and fields. */
        String head() {
            return new String(buffer, 0, headEnd, US_ASCII);
        }

        /** The last answer's body. */
        String body() {
            return new String(buffer, headEnd, bodyLength, US_ASCII);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
