package io.github.ratelimit.content.accesslog;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** The lines of a log, as it was written or compressed by gzip. Takes no more memory for any line. Used by one thread. */
final class LogLines implements AutoCloseable {

    /** Longer ones are cut. Chosen: eight times what servers take of a request's line and fields by default. */
    static final int LONGEST = 64 * 1024;

    private static final int GZIP_MAGIC = 0x1f8b;
    private static final int BUFFER = 1 << 16;

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER];
    private final byte[] line = new byte[LONGEST];
    private int at;
    private int end;

    private LogLines(InputStream in) {
        this.in = in;
    }

    /**
     * Begins at the first line.
     *
     * @throws IOException if the file cannot be read
     */
    static LogLines of(Path log) throws IOException {
        InputStream raw = new BufferedInputStream(Files.newInputStream(log), BUFFER);
        try {
            raw.mark(2);
            int magic = raw.read() << 8 | raw.read();
            raw.reset();
            return new LogLines(magic == GZIP_MAGIC ? new GZIPInputStream(raw, BUFFER) : raw);
        } catch (IOException e) {
            raw.close();
            throw e;
        }
    }

    /**
     * The next line. Bytes that are no UTF-8 stand in logs: each byte is a character.
     *
     * @return null at the end
     * @throws IOException if the file cannot be read any further
     */
    @Nullable
    String next() throws IOException {
        int length = 0;
        boolean isLine = false;
        while (at < end || fill()) {
            isLine = true;
            byte next = buffer[at++];
            if (next == '\n') {
                break;
            }
            if (length < LONGEST) {
                line[length++] = next;
            }
        }
        int kept = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
        return isLine ? new String(line, 0, kept, StandardCharsets.ISO_8859_1) : null;
    }

    private boolean fill() throws IOException {
        at = 0;
        end = in.read(buffer);
        return end > 0;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
