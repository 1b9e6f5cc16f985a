package io.github.ratelimit.content.shared.container;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A response that may not take for ever to be read. What a client does not take at once is written in pieces, and between
 * them it is asked how long this has taken.
 */
final class BoundedResponse extends HttpServletResponseWrapper {
    /** What goes out without a wait in any case. Chosen: less than a connection's buffers hold. */
    private static final int AT_ONCE = 64 * 1024;

    private static final int PIECE = 32 * 1024;

    private final String peer;
    private final Transfers transfers;
    private @Nullable ServletOutputStream body;

    BoundedResponse(HttpServletResponse response, String peer, Transfers transfers) {
        super(response);
        this.peer = peer;
        this.transfers = transfers;
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        if (body == null) {
            body = new Body(super.getOutputStream());
        }
        return body;
    }

    private final class Body extends ServletOutputStream {
        private final ServletOutputStream to;
        private long written;
        private long unsent;
        private long waited;

        Body(ServletOutputStream to) {
            this.to = to;
        }

        @Override
        public void write(int one) throws IOException {
            to.write(one);
            written++;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            int at = 0;
            while (at < length) {
                int size = Math.min(PIECE, length - at);
                unsent += size;
                if (written + size <= AT_ONCE) {
                    to.write(bytes, offset + at, size);
                } else {
                    writeWaiting(bytes, offset + at, size);
                }
                written += size;
                at += size;
            }
        }

        private void writeWaiting(byte[] bytes, int offset, int length) throws IOException {
            if (transfers.isOver(waited, transfers.bounds().answerDeadline())) {
                throw new GivenUpException("the client took too long to read the answer");
            }
            if (!transfers.tryWait(peer)) {
                if (isCommitted()) {
                    throw new GivenUpException("too many clients are slow to read");
                }
                throw UnavailableException.busy("Too many answers are being read at the moment.");
            }
            long since = transfers.now();
            try {
                to.write(bytes, offset, length);
                if (unsent >= PIECE) {
                    // Otherwise the container sends it after the last piece, and nobody counts how long that takes.
                    flush();
                }
            } finally {
                waited += transfers.now() - since;
                transfers.waited(peer);
            }
        }

        @Override
        public void flush() throws IOException {
            to.flush();
            unsent = 0;
        }

        @Override
        public void close() throws IOException {
            to.close();
        }

        @Override
        public boolean isReady() {
            return to.isReady();
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            to.setWriteListener(listener);
        }
    }
}
