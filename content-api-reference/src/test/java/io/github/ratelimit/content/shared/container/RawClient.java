package io.github.ratelimit.content.shared.container;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A connection that may stop in the middle of what it sends, or of what it reads. */
final class RawClient implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 60_000;
    private static final Pattern CONTENT_LENGTH = Pattern.compile("Content-Length: ([0-9]+)\r\n");

    private final Socket socket = new Socket();

    RawClient(String base) {
        this(base, "0.0.0.0");
    }

    /** Connects from an address of this machine. */
    RawClient(String base, String from) {
        try {
            URI address = URI.create(base);
            socket.bind(new InetSocketAddress(from, 0));
            socket.setReceiveBufferSize(4096);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.connect(new InetSocketAddress(address.getHost(), address.getPort()), PATIENCE_MILLIS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RawClient send(String text) {
        try {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for an answer; -1 where the connection ended, or nothing came in time. */
    int status() {
        try {
            InputStream in = socket.getInputStream();
            var line = new StringBuilder();
            for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
                line.append((char) next);
            }
            return line.length() < 12 ? -1 : Integer.parseInt(line.substring(9, 12));
        } catch (IOException e) {
            return -1;
        }
    }

    /** Reads one whole answer with its head. */
    String answer() {
        var read = new StringBuilder();
        try {
            InputStream in = socket.getInputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                read.append((char) next);
                int body = read.indexOf("\r\n\r\n") + 4;
                if (body >= 4 && isWhole(read.substring(0, body), read.substring(body))) {
                    break;
                }
            }
            return read.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isWhole(String head, String body) {
        Matcher length = CONTENT_LENGTH.matcher(head);
        return length.find() ? body.length() == Integer.parseInt(length.group(1)) : body.endsWith("0\r\n\r\n");
    }

    /** Reads what comes until the server ends the connection. */
    String awaitEnd() {
        try {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
