package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.harness.Answer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One connection that sends requests as they are written: what no careful client would let through, and faster than one.
 * Not safe for concurrent use.
 */
final class RawConnection implements AutoCloseable {

    // Chosen: far above what any request may take, so that a hanging server fails the test and not the build.
    private static final int PATIENCE_MILLIS = 120_000;

    private final URI address;
    private @Nullable Socket socket;
    private InputStream answers = InputStream.nullInputStream();

    RawConnection(String base) {
        address = URI.create(base);
    }

    /** Sends one request on a connection of its own. */
    static Answer once(String base, String requestLine, String body, String... fields) {
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
    Answer send(String requestLine, String body, String... fields) {
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
        try {
            var request = new ByteArrayOutputStream();
            request.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
            request.writeBytes(content);
            connected().getOutputStream().write(request.toByteArray());
            Answer answer = receive(requestLine.startsWith("HEAD "));
            if (answer.header("Connection").filter("close"::equals).isPresent()) {
                close(); // a server ends a connection after some hundred requests
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(requestLine, e);
        }
    }

    @Override
    public void close() {
        try {
            if (socket != null) {
                socket.close();
                socket = null;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Socket connected() throws IOException {
        if (socket == null) {
            socket = new Socket(address.getHost(), address.getPort());
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MILLIS);
            answers = new BufferedInputStream(socket.getInputStream());
        }
        return socket;
    }

    private Answer receive(boolean headOnly) throws IOException {
        int status = Integer.parseInt(line().split(" ", 3)[1]);
        Map<String, List<String>> fields = new TreeMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            fields.computeIfAbsent(line.substring(0, colon).toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                    .add(line.substring(colon + 1).strip());
        }
        byte[] body = headOnly || status == 204 ? new byte[0] : body(fields);
        return new Answer(status, HttpHeaders.of(fields, (name, value) -> true), body);
    }

    private byte[] body(Map<String, List<String>> fields) throws IOException {
        if (fields.containsKey("content-length")) {
            return answers.readNBytes(
                    Integer.parseInt(fields.get("content-length").get(0)));
        }
        if (!fields.containsKey("transfer-encoding")) {
            return answers.readAllBytes();
        }
        var body = new ByteArrayOutputStream();
        for (int size = chunkSize(); size > 0; size = chunkSize()) {
            body.writeBytes(answers.readNBytes(size));
            line();
        }
        line();
        return body.toByteArray();
    }

    private int chunkSize() throws IOException {
        return Integer.parseInt(line(), 16);
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int next = answers.read(); next != '\n'; next = answers.read()) {
            if (next < 0) {
                throw new EOFException("connection ended within an answer: " + line);
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }
}
