package io.github.ratelimit.content.shared.container;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;
import org.apache.coyote.InputBuffer;
import org.apache.tomcat.util.buf.MessageBytes;
import org.apache.tomcat.util.net.ApplicationBufferHandler;

/**
 * Takes the body away from GET and HEAD, from every request what nobody has read of it, and counts what is read.
 *
 * <p>A body of GET means nothing, and no cache keys by it: whatever read it would answer one visitor with what another one
 * asked for. Before any filter, so nobody reads it, waits for it, keeps it or stores its parts. What is left of a body when the
 * whole answer is given, an error's too, is read for a second, for a connection that is closed before may lose the answer on
 * its way; the container would wait for it as long as the client likes. A client that asked whether to send one, and was not
 * told to, is not waited for.
 *
 * <p>Rule: RFC 9110 §9.3.1.
 */
final class BodyValve extends ValveBase {
    private static final InputBuffer NOTHING = new NoBody();
    private static final Set<String> BODILESS = Set.of("GET", "HEAD");
    private static final long MOST_DRAINED = 2 << 20;
    /** Chosen: a client that sends at all has sent by then. */
    private static final Duration LONGEST_DRAIN = Duration.ofSeconds(1);

    private final Transfers transfers;

    BodyValve(Transfers transfers) {
        super(true);
        this.transfers = transfers;
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        String method = request.getMethod();
        if (method == null) {
            // Nothing of it could be read, and the container closes its connection.
            getNext().invoke(request, response);
            return;
        }
        var coyote = request.getCoyoteRequest();
        InputBuffer body = coyote.getInputBuffer();
        coyote.setInputBuffer(new Counted(body, coyote, transfers));
        if (BODILESS.contains(method)) {
            coyote.setInputBuffer(NOTHING);
            coyote.getMimeHeaders().removeHeader("Content-Type");
            coyote.getMimeHeaders().removeHeader("Content-Length");
            coyote.getMimeHeaders().removeHeader("Transfer-Encoding");
            coyote.setContentLength(-1);
            coyote.setContentType((MessageBytes) null);
        }
        try {
            getNext().invoke(request, response);
        } finally {
            coyote.setInputBuffer(body);
        }
        if (!coyote.isFinished() && !request.isAsync()) {
            finish(request, response);
        }
    }

    /** Reads from the container itself: the servlet's stream may have been closed by who read some of it. */
    private void finish(Request request, Response response) {
        var body = request.getCoyoteRequest();
        try {
            response.finishResponse();
            try {
                drain(body);
            } catch (UnavailableException late) {
                container.getLogger().debug("what is left of the body is not waited for", late);
            } catch (IllegalArgumentException unread) {
                // The header is longer than any is read. It was refused for that, and where it ends nobody knows.
                container.getLogger().debug("there is no body to be read", unread);
            }
            if (!body.isFinished()) {
                body.action(ActionCode.DISABLE_SWALLOW_INPUT, null);
            }
        } catch (IOException | IllegalStateException gone) {
            container.getLogger().debug("the client did not wait for the answer", gone);
        }
    }

    private void drain(org.apache.coyote.Request body) throws IOException {
        body.action(ActionCode.AVAILABLE, false);
        if (body.hasExpectation() && body.getBytesRead() == 0 && body.getAvailable() == 0) {
            return; // Nobody has asked for it, so it does not come.
        }
        Drained chunk = new Drained();
        ClientWaits.of(body).drains(LONGEST_DRAIN);
        long since = transfers.now();
        while (!body.isFinished() && chunk.bytes < MOST_DRAINED && transfers.now() - since < LONGEST_DRAIN.toNanos()) {
            body.doRead(chunk);
        }
    }

    /** Counts what is held of a body, whoever reads it. */
    private record Counted(InputBuffer body, org.apache.coyote.Request request, Transfers transfers)
            implements InputBuffer {
        @Override
        public int doRead(ApplicationBufferHandler handler) throws IOException {
            int read = body.doRead(handler);
            if (read > 0) {
                ClientWaits.of(request).stored(transfers.hold(read));
            }
            return read;
        }

        @Override
        public int available() {
            return body.available();
        }
    }

    /** The body of a request that has none. */
    private static final class NoBody implements InputBuffer {
        @Override
        public int doRead(ApplicationBufferHandler handler) {
            return -1;
        }

        @Override
        public int available() {
            return 0;
        }
    }

    /** Counts what nobody wants. */
    private static final class Drained implements ApplicationBufferHandler {
        private ByteBuffer chunk = ByteBuffer.allocate(0);
        private long bytes;

        @Override
        public void setByteBuffer(ByteBuffer buffer) {
            chunk = buffer;
            bytes += buffer.remaining();
        }

        @Override
        public ByteBuffer getByteBuffer() {
            return chunk;
        }

        @Override
        public void expand(int size) {
            // Nothing is kept.
        }
    }
}
