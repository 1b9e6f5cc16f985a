package io.github.ratelimit.content.server.http;

import io.github.ratelimit.TimeSource;
import jakarta.servlet.ServletRequest;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.coyote.ActionCode;
import org.apache.coyote.InputBuffer;
import org.apache.coyote.Request;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request, which is read once, as a whole, into memory. Its length, its time and the memory of all bodies are limited.
 *
 * <p>It stands below the servlet request, so streams, parameters and parts all read from it. Belongs to one request.
 */
public final class RequestBody implements InputBuffer {
    private static final String ATTRIBUTE = RequestBody.class.getName();
    private static final String PARTS = "multipart/form-data";
    private static final Pattern BOUNDARY = Pattern.compile("(?i)boundary=(?:\"[^\"]*+\"|[^\",;]++)");

    /** The memory of a received piece beside its bytes. */
    private static final int OVERHEAD = 64;

    private static final long MEGABYTE = 1 << 20;
    private static final Duration LONGEST_DRAIN = Duration.ofSeconds(1);

    private final Request request;
    private final InputBuffer connection;
    private final RequestBounds bounds;
    private final Room room;
    private final TimeSource clock;
    private final Runnable whenRead;
    private final Deque<ByteBuffer> pieces = new ArrayDeque<>();
    private boolean isRead;
    private long length;

    /**
     * Prepares to read a body.
     *
     * @param whenRead run as soon as the body has come; may wait or throw
     */
    RequestBody(Request request, RequestBounds bounds, Room room, TimeSource clock, Runnable whenRead) {
        this.request = request;
        this.connection = request.getInputBuffer();
        this.bounds = bounds;
        this.room = room;
        this.clock = clock;
        this.whenRead = whenRead;
    }

    /** Puts this body in the place of the connection. */
    void open(ServletRequest servlet) {
        servlet.setAttribute(ATTRIBUTE, this);
        request.setInputBuffer(this);
        String type = request.getContentType();
        // Where a proxy joined two fields, Tomcat would take the second one for a part of the boundary.
        if (type != null && type.indexOf(',') >= 0 && type.regionMatches(true, 0, PARTS, 0, PARTS.length())) {
            Matcher boundary = BOUNDARY.matcher(type);
            request.setContentType(boundary.find() ? PARTS + "; " + boundary.group() : type);
        }
    }

    /**
     * Reads the whole body of a request. Without this call, the first reader gets at most as much as a caller without an account.
     *
     * @param request the request or a wrapper of it
     * @param limit in bytes
     * @return the length in bytes
     * @throws UnavailableException 413, 408 or 503 if the body is too long, too slow, or all bodies together are too large
     * @throws IOException if the client closes the connection
     */
    public static long read(ServletRequest request, long limit) throws IOException {
        if (!(request.getAttribute(ATTRIBUTE) instanceof RequestBody body)) {
            return 0;
        }
        if (!body.isRead) {
            body.read(limit);
        }
        return body.length;
    }

    private void read(long limit) throws IOException {
        isRead = true;
        if (request.getContentLengthLong() > limit) {
            throw UnavailableException.tooLongBody(limit);
        }
        long began = clock.nanoTime();
        Received chunk = new Received();
        while (receive(chunk) >= 0) {
            length += chunk.bytes.remaining();
            if (length > limit) {
                throw UnavailableException.tooLongBody(limit);
            }
            // A large body has the time again for each megabyte, so that slow lines can upload.
            long times = 1 + length / MEGABYTE;
            room.take(
                    this,
                    chunk.bytes.remaining() + OVERHEAD,
                    limit,
                    bounds.longestWait().multipliedBy(times));
            pieces.add(ByteBuffer.allocate(chunk.bytes.remaining())
                    .put(chunk.bytes)
                    .flip());
            if (clock.nanoTime() - began > bounds.bodyDeadline().toNanos() * times) {
                throw UnavailableException.tooSlow();
            }
        }
        whenRead.run();
    }

    private int receive(Received chunk) throws IOException {
        try {
            return connection.doRead(chunk);
        } catch (SocketTimeoutException silent) {
            throw UnavailableException.tooSlow();
        }
    }

    @Override
    public int doRead(ApplicationBufferHandler handler) throws IOException {
        if (!isRead) {
            read(bounds.maxStrangerBody().toBytes());
        }
        ByteBuffer next = pieces.poll();
        if (next == null) {
            return -1;
        }
        handler.setByteBuffer(next);
        return next.remaining();
    }

    @Override
    public int available() {
        return isRead ? pieces.stream().mapToInt(ByteBuffer::remaining).sum() : connection.available();
    }

    /** Frees the memory, and reads the rest of the body for a moment, as a client may read the answer only after it has sent all. */
    void close(boolean isAnswered) throws IOException {
        pieces.clear();
        room.free(this);
        request.setInputBuffer(connection);
        if (isAnswered && !request.isFinished()) {
            drain();
        }
    }

    private void drain() throws IOException {
        Received chunk = new Received();
        long began = clock.nanoTime();
        boolean isMore = true;
        while (isMore && !request.isFinished() && clock.nanoTime() - began < LONGEST_DRAIN.toNanos()) {
            isMore = connection.doRead(chunk) >= 0;
        }
        if (!request.isFinished()) {
            // Otherwise Tomcat waits for the rest of the body. It closes the connection instead.
            request.action(ActionCode.DISABLE_SWALLOW_INPUT, null);
        }
    }

    /**
     * The memory that all request bodies share. The body that came first may fill it. Others leave room for one more whole body, and wait in their order, so
     * that bodies which are half there do not wait for each other. Safe for concurrent use.
     */
    static final class Room {
        private final long most;
        private final ReentrantLock lock = new ReentrantLock(true);
        private final Condition freed = lock.newCondition();
        /** The bytes of each body, the first one first. */
        private final Map<RequestBody, Long> bodies = new LinkedHashMap<>();

        private long taken;

        Room(long most) {
            this.most = most;
        }

        /**
         * Takes memory for a piece of a body.
         *
         * @param limit the most bytes that the whole body may have
         * @throws UnavailableException 503 if there is no room for too long
         */
        void take(RequestBody body, long bytes, long limit, Duration patience) {
            lock.lock();
            try {
                bodies.putIfAbsent(body, 0L);
                long left = patience.toNanos();
                while (taken + bytes > (bodies.keySet().iterator().next() == body ? most : most - limit)) {
                    if (left <= 0) {
                        throw UnavailableException.busy("Too many bodies are being read at the moment.");
                    }
                    left = freed.awaitNanos(left);
                }
                taken += bytes;
                bodies.merge(body, bytes, Long::sum);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw UnavailableException.busy("This server is about to stop.");
            } finally {
                lock.unlock();
            }
        }

        /** Gives back all that a body took. */
        void free(RequestBody body) {
            lock.lock();
            try {
                Long held = bodies.remove(body);
                taken -= held == null ? 0 : held;
                freed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Receives bytes in the buffer of the connection. */
    private static final class Received implements ApplicationBufferHandler {
        private ByteBuffer bytes = ByteBuffer.allocate(0);

        @Override
        public void setByteBuffer(@Nullable ByteBuffer buffer) {
            bytes = buffer == null ? ByteBuffer.allocate(0) : buffer;
        }

        @Override
        public ByteBuffer getByteBuffer() {
            return bytes;
        }

        @Override
        public void expand(int size) {
            // The connection has its own buffer.
        }
    }
}
