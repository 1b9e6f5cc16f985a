package io.github.ratelimit.content.load;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One connection that stays open, for one thread: sends bytes and reads an answer.
 *
 * <p>It does no more than that, so that it takes little of the processors from the server that is measured.
 */
final class KeptConnection implements AutoCloseable {

    // Chosen: far above what any request may take, so that a hanging server ends a measurement.
    private static final int PATIENCE_MILLIS = 60_000;

    private final URI base;
    private final String from;
    private Socket socket;
    private InputStream in;
    private OutputStream out;
    private boolean ended;

    KeptConnection(URI base) throws IOException {
        this(base, "0.0.0.0");
    }

    /** Connects from an address of this machine, as each of 127.0.0.0/8 is. */
    KeptConnection(URI base, String from) throws IOException {
        this.base = base;
        this.from = from;
        socket = connect();
        in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
        out = socket.getOutputStream();
    }

    /** Sends a request and waits for the whole answer. */
    Reply send(byte[] request) throws IOException {
        if (ended) {
            reopen();
        }
        out.write(request);
        out.flush();
        int status = Integer.parseInt(line().split(" ", 3)[1]);
        int length = 0;
        boolean chunked = false;
        for (String line = line(); !line.isEmpty(); line = line()) {
            String field = line.toLowerCase(Locale.ROOT);
            if (field.startsWith("content-length:")) {
                length = Integer.parseInt(
                        field.substring("content-length:".length()).strip());
            } else if (field.startsWith("transfer-encoding:")) {
                chunked = field.endsWith("chunked");
            } else if (field.equals("connection: close")) {
                // Servers end a connection after so many requests.
                ended = true;
            }
        }
        return new Reply(status, chunked ? chunks() : bytes(length));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private Socket connect() throws IOException {
        Socket connected = new Socket();
        connected.setTcpNoDelay(true);
        connected.setSoTimeout(PATIENCE_MILLIS);
        connected.bind(new InetSocketAddress(from, 0));
        connected.connect(new InetSocketAddress(base.getHost(), base.getPort()), PATIENCE_MILLIS);
        return connected;
    }

    private void reopen() throws IOException {
        socket.close();
        socket = connect();
        in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
        out = socket.getOutputStream();
        ended = false;
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            int size = Integer.parseInt(line().strip(), 16);
            body.write(bytes(size));
            line();
            if (size == 0) {
                return body.toByteArray();
            }
        }
    }

    private byte[] bytes(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the server closed the connection within an answer");
        }
        return bytes;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the server closed the connection");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    /**
     * An answer.
     *
     * @param status its HTTP status
     * @param body its body
     */
    @SuppressWarnings("ArrayRecordComponent") // Compared by its bytes where it is compared.
    record Reply(int status, byte[] body) {
        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }
}
