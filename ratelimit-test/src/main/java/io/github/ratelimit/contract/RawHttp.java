package io.github.ratelimit.contract;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** Sends requests byte by byte as they are given: no client library repairs them. */
public final class RawHttp {

    /**
     * What came back.
     *
     * @param status 0 if it was no HTTP
     * @param lines of the fields
     * @param body as it was sent, chunked or not
     */
    public record Answer(int status, List<String> lines, String body) {

        /** The values of a field, one for each line. */
        public List<String> values(String field) {
            String start = field.toLowerCase(Locale.ROOT) + ":";
            return lines.stream()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(start))
                    .map(line -> line.substring(start.length()).strip())
                    .toList();
        }
    }

    private RawHttp() {}

    /** Sends a GET. */
    public static Answer get(URI base, String target, String... fields) throws IOException {
        return send(base, "GET " + target + " HTTP/1.1", fields);
    }

    /**
     * Sends a request without a body and reads the whole response.
     *
     * @param requestLine for example {@code GET / HTTP/1.1}; one byte for each character
     * @param fields for example {@code Accept: text/plain}; {@code Host} and {@code Connection} are there
     */
    public static Answer send(URI base, String requestLine, String... fields) throws IOException {
        try (Socket socket = new Socket(base.getHost(), base.getPort())) {
            socket.setSoTimeout(30_000);
            StringBuilder request =
                    new StringBuilder(requestLine).append("\r\nHost: localhost\r\nConnection: close\r\n");
            for (String field : fields) {
                request.append(field).append("\r\n");
            }
            request.append("\r\n");
            socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.ISO_8859_1));
            return read(socket.getInputStream());
        }
    }

    private static Answer read(InputStream stream) throws IOException {
        String text = new String(stream.readAllBytes(), StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        List<String> head = List.of((end < 0 ? text : text.substring(0, end)).split("\r\n"));
        String[] statusLine = head.get(0).split(" ");
        int status = statusLine.length > 1 ? Integer.parseInt(statusLine[1]) : 0;
        return new Answer(status, head.subList(1, head.size()), end < 0 ? "" : text.substring(end + 4));
    }
}
