package io.github.ratelimit.content.harness;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * One connection that stays open: sends bytes as they are written, which no careful client would let through, and reads one answer after the
 * other. It may stop in the middle of either.
 *
 * <p>It does no more than that, so that it takes little of the processors from a server that is measured. What fails is an {@link
 * UncheckedIOException}. Not safe for concurrent use.
 */
public final class RawConnection implements AutoCloseable {

    // Chosen: far above what any request may take, so that a hanging server fails the test and not the build.
    private static final int PATIENCE_MILLIS = 120_000;
    private static final byte[] HEAD = "HEAD ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NOTHING = {};

    private final URI address;
    private final String from;
    private final StringBuilder read = new StringBuilder();
    private Socket socket = new Socket();
    private InputStream answers = InputStream.nullInputStream();
    private boolean isHeadOnly;
    private boolean isOver;

    /** Connects to the server at that address. */
    public RawConnection(String base) {
        this(base, "0.0.0.0");
    }

    /**
     * Connects from a chosen address.
     *
     * @param base the address of the server
     * @param from an address of this machine, as each of 127.0.0.0/8 is
     */
    public RawConnection(String base, String from) {
        this.address = URI.create(base);
        this.from = from;
        try {
            connect();
        } catch (IOException e) {
            throw new UncheckedIOException(base, e);
        }
    }

    /** Sends one request on a connection of its own. */
    public static Answer once(String base, String requestLine, String body, String... fields) {
        try (var connection = new RawConnection(base)) {
            return connection.send(requestLine, body, fields);
        }
    }

    /**
     * Sends a request and waits for the whole answer.
     *
     * @param requestLine as it is to be sent
     * @param body in UTF-8; with a body that is not empty, its type is JSON unless a field says otherwise
     * @param fields header lines as they are to be sent; {@code Host} and {@code Content-Length} are added
     */
    public Answer send(String requestLine, String body, String... fields) {
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        var head = new StringBuilder(requestLine).append("\r\nHost: ").append(address.getAuthority());
        boolean typed = content.length == 0;
        for (String field : fields) {
            head.append("\r\n").append(field);
            typed |= field.startsWith("Content-Type:");
        }
        if (!typed) {
            head.append("\r\nContent-Type: application/json");
        }
        head.append("\r\nContent-Length: ").append(content.length).append("\r\n\r\n");
        var request = new ByteArrayOutputStream();
        request.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
        request.writeBytes(content);
        return send(request.toByteArray());
    }

    /** Sends a request and waits for the whole answer; connects again where the server said that it ends the connection. */
    public Answer send(byte[] request) {
        try {
            if (isOver) { // a server ends a connection after some hundred requests
                socket.close();
                connect();
            }
            isHeadOnly = Arrays.mismatch(request, HEAD) == HEAD.length;
            socket.getOutputStream().write(request);
            return answer();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    new String(request, 0, Math.min(request.length, 200), StandardCharsets.ISO_8859_1), e);
        }
    }

    /** Sends a part of a request, or several requests, in ISO 8859-1, and waits for nothing. */
    public RawConnection write(String text) {
        try {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the whole answer to what was written, which asked for more than the head of one; or for an interim one. */
    public Answer receive() {
        try {
            isHeadOnly = false;
            return answer();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the first line of an answer, and reads no more of it. */
    public int status() {
        try {
            read.setLength(0);
            return statusLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the server ends the connection, and returns what came before. */
    public String awaitEnd() {
        try {
            return new String(answers.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Leaves without a word: what is unread is thrown away at once, and the server's next write fails. */
    public void leave() {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
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

    private void connect() throws IOException {
        socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress(address.getHost(), address.getPort()), PATIENCE_MILLIS);
        answers = new BufferedInputStream(socket.getInputStream(), 1 << 14);
        isOver = false;
    }

    private Answer answer() throws IOException {
        read.setLength(0);
        int status = statusLine();
        while (line() > 0) {
            // Up to the line that is empty.
        }
        String head = read.toString();
        isOver = value(head, "Connection:").equals("close");
        byte[] body = isHeadOnly || status < 200 || status == 204 || status == 304 ? NOTHING : body(head);
        return new Answer(status, () -> fields(head), body);
    }

    private int statusLine() throws IOException {
        int start = read.length();
        line();
        return Integer.parseInt(read, start + "HTTP/1.1 ".length(), start + "HTTP/1.1 200".length(), 10);
    }

    private byte[] body(String head) throws IOException {
        String length = value(head, "Content-Length:");
        if (!length.isEmpty()) {
            return bytes(Integer.parseInt(length));
        }
        if (value(head, "Transfer-Encoding:").isEmpty()) {
            return answers.readAllBytes();
        }
        var body = new ByteArrayOutputStream();
        for (int size = chunkSize(); size > 0; size = chunkSize()) {
            body.writeBytes(bytes(size));
            line();
        }
        line();
        return body.toByteArray();
    }

    private int chunkSize() throws IOException {
        read.setLength(0);
        return Integer.parseInt(read, 0, line(), 16);
    }

    private byte[] bytes(int length) throws IOException {
        byte[] bytes = new byte[length];
        if (answers.readNBytes(bytes, 0, length) < length) {
            throw new EOFException("connection ended within an answer");
        }
        return bytes;
    }

    /** Adds a line to what was read, and tells its length without its end. */
    private int line() throws IOException {
        int start = read.length();
        for (int next = answers.read(); next != '\n'; next = answers.read()) {
            if (next < 0) {
                throw new EOFException("connection ended within an answer: " + read);
            }
            if (next != '\r') {
                read.append((char) next);
            }
        }
        read.append('\n');
        return read.length() - 1 - start;
    }

    /** Finds one field without taking the others apart. */
    private static String value(String head, String name) {
        for (int end = head.indexOf('\n'); end >= 0; end = head.indexOf('\n', end + 1)) {
            if (head.regionMatches(true, end + 1, name, 0, name.length())) {
                return head.substring(end + 1 + name.length(), head.indexOf('\n', end + 1))
                        .strip();
            }
        }
        return "";
    }

    private static HttpHeaders fields(String head) {
        Map<String, List<String>> fields = new TreeMap<>();
        head.lines().skip(1).takeWhile(line -> !line.isEmpty()).forEach(line -> {
            int colon = line.indexOf(':');
            fields.computeIfAbsent(line.substring(0, colon).toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                    .add(line.substring(colon + 1).strip());
        });
        return HttpHeaders.of(fields, (name, value) -> true);
    }
}
