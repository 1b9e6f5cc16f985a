package io.github.ratelimit.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Speaks as much of the protocol as a client needs to connect, and answers every script call with what it is told to. */
final class FakeRedis implements AutoCloseable {

    private static final String NOW = ":1763632800000";
    private static final String END = ":1763632860000";

    /** A script's reply without its number. */
    private static final Pattern REPLY = Pattern.compile("^\\*(\\d+)\r\n(" + NOW + ")");

    private final ServerSocket listener;
    private final AtomicInteger scriptCalls = new AtomicInteger();
    private volatile String answer;

    /** Starts it; every script call is answered so, in the protocol's own form. */
    FakeRedis(String answer) {
        this.answer = answer;
        try {
            this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon(this::listen);
    }

    /** The reply that allows each request of a call, on a counter of which so much was used before. */
    static String allowing(long used) {
        int groups = 8;
        return "*%d\r\n%s\r\n".formatted(1 + 4 * groups, NOW)
                + ":1\r\n:%d\r\n%s\r\n:0\r\n".formatted(used, END).repeat(groups);
    }

    String uri() {
        return "redis://127.0.0.1:" + listener.getLocalPort();
    }

    void answer(String answer) {
        this.answer = answer;
    }

    int scriptCalls() {
        return scriptCalls.get();
    }

    private void listen() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                daemon(() -> serve(client));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            for (List<String> command = read(in); !command.isEmpty(); command = read(in)) {
                client.getOutputStream().write(reply(command).getBytes(US_ASCII));
            }
        } catch (IOException e) {
            // The client went away.
        }
    }

    private String reply(List<String> command) {
        return switch (command.get(0).toUpperCase(Locale.ROOT)) {
            case "HELLO" -> "-ERR unknown command\r\n";
            case "INFO" -> "$0\r\n\r\n";
            case "PING" -> "+PONG\r\n";
            case "EVALSHA", "EVAL" -> {
                scriptCalls.incrementAndGet();
                String number = command.get(3 + Integer.parseInt(command.get(2)));
                long millis = System.currentTimeMillis();
                String now = ":" + millis;
                String end = ":" + (millis + 60_000);
                Matcher reply = REPLY.matcher(answer);
                yield reply.find()
                        ? "*%d\r\n:%s\r\n".formatted(Integer.parseInt(reply.group(1)) + 1, number)
                                + answer.substring(reply.start(2))
                                        .replace(NOW, now)
                                        .replace(END, end)
                        : answer;
            }
            default -> "+OK\r\n";
        };
    }

    /** One command: an array of texts. Empty at the end of the connection. */
    private static List<String> read(InputStream in) throws IOException {
        List<String> parts = new ArrayList<>();
        String head = line(in);
        if (head.startsWith("*")) {
            for (int i = Integer.parseInt(head.substring(1)); i > 0; i--) {
                int length = Integer.parseInt(line(in).substring(1));
                parts.add(new String(in.readNBytes(length), US_ASCII));
                in.readNBytes(2);
            }
        }
        return parts;
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\r'; next = in.read()) {
            line.append((char) next);
        }
        in.read(); // the line feed
        return line.toString();
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "fake-redis");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
