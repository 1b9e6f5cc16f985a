package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.harness.Answer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
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

/** Sends requests as they are written: what no careful client would let through. */
final class RawHttp {

    private static final int PATIENCE_MILLIS = 30_000;

    private RawHttp() {}

    /**
     * Sends a request of its own connection.
     *
     * @param base the server
     * @param requestLine as it is to be sent
     * @param fields header lines as they are to be sent; {@code Host} is added
     */
    static Answer send(String base, String requestLine, String... fields) {
        URI address = URI.create(base);
        var head = new StringBuilder(requestLine).append("\r\nHost: ").append(address.getAuthority());
        for (String field : fields) {
            head.append("\r\n").append(field);
        }
        head.append("\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}");
        try (var socket = new Socket(address.getHost(), address.getPort())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return parse(socket.getInputStream().readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(requestLine, e);
        }
    }

    private static Answer parse(byte[] bytes) throws IOException {
        var text = new String(bytes, StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        if (end < 0) {
            throw new IOException("no answer: " + text);
        }
        String[] lines = text.substring(0, end).split("\r\n", -1);
        Map<String, List<String>> fields = new TreeMap<>();
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            fields.computeIfAbsent(lines[i].substring(0, colon).toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                    .add(lines[i].substring(colon + 1).strip());
        }
        var body = new ByteArrayInputStream(bytes, end + 4, bytes.length - end - 4).readAllBytes();
        return new Answer(
                Integer.parseInt(lines[0].split(" ", 3)[1]),
                HttpHeaders.of(fields, (name, value) -> true),
                fields.containsKey("transfer-encoding") ? dechunk(body) : body);
    }

    private static byte[] dechunk(byte[] body) {
        var rest = new String(body, StandardCharsets.ISO_8859_1);
        var whole = new StringBuilder();
        while (true) {
            int line = rest.indexOf("\r\n");
            int size = line < 0 ? 0 : Integer.parseInt(rest.substring(0, line), 16);
            if (size == 0) {
                return whole.toString().getBytes(StandardCharsets.ISO_8859_1);
            }
            whole.append(rest, line + 2, line + 2 + size);
            rest = rest.substring(line + 2 + size + 2);
        }
    }
}
