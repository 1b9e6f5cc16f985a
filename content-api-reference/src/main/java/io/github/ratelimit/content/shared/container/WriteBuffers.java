package io.github.ratelimit.content.shared.container;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.LinkedBlockingDeque;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketBufferHandler;
import org.jspecify.annotations.Nullable;

/**
 * What connections write from. Each borrows a buffer with the first byte of an answer, and gives it back when all that it holds is sent: so
 * most answers go out in one call, and a connection that waits for its next request holds none. Safe for concurrent use.
 */
final class WriteBuffers {
    /** In bytes. Chosen: the index fits, which is the longest of the answers that are asked for often. */
    static final int SIZE = 80 * 1024;

    /** Chosen: more than write at a time, unless their clients are slow; for those further ones are made. */
    private static final int MOST_KEPT = 32;

    private final LinkedBlockingDeque<ByteBuffer> kept = new LinkedBlockingDeque<>(MOST_KEPT);

    /**
     * Makes the channel of a connection, or of several one after the other.
     *
     * @param readAtOnce the bytes of the buffer that it reads into, which is its own
     * @param waits is told what its client is waited for
     */
    NioChannel channel(int readAtOnce, ClientWaits waits) {
        return new Channel(new Borrowing(readAtOnce), waits);
    }

    /** Tells how many are there to be borrowed. */
    int kept() {
        return kept.size();
    }

    /**
     * A buffer that is lent.
     *
     * @param memory what comes back
     * @param view how a connection sees it: whoever still holds one after that finds nothing left in it to send
     */
    private record Lent(ByteBuffer memory, ByteBuffer view) {}

    private Lent borrow() {
        ByteBuffer known = kept.pollFirst();
        ByteBuffer memory = known == null ? ByteBuffer.allocateDirect(SIZE) : known;
        return new Lent(memory, memory.duplicate());
    }

    private static final class Channel extends NioChannel implements ClientWaits.Channel {
        private final Borrowing buffers;
        private final ClientWaits waits;

        Channel(Borrowing buffers, ClientWaits waits) {
            super(buffers);
            this.buffers = buffers;
            this.waits = waits;
        }

        @Override
        public ClientWaits waits() {
            return waits;
        }

        @Override
        public void reset(SocketChannel socket, NioEndpoint.NioSocketWrapper wrapper) throws IOException {
            super.reset(socket, wrapper);
            waits.connected(socket);
        }

        @Override
        public int read(ByteBuffer to) throws IOException {
            return waits.read(super.read(to));
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            boolean isOver = true;
            try {
                waits.requireKept();
                int written = waits.written(super.write(from), from.hasRemaining());
                isOver = !from.hasRemaining();
                return written;
            } finally {
                if (isOver) {
                    buffers.sent(from);
                }
            }
        }
    }

    /** As the container's own, but that there is nothing to write from, and it is empty, until something is to be written. */
    private final class Borrowing extends SocketBufferHandler {
        private volatile @Nullable Lent lent;
        private volatile boolean isSending;
        private @Nullable Thread writer;

        Borrowing(int readAtOnce) {
            super(readAtOnce, 0, false);
        }

        @Override
        public synchronized void configureWriteBufferForWrite() {
            Lent known = lent;
            if (known == null) {
                lent = borrow();
            } else if (isSending) {
                known.view().compact();
            }
            isSending = false;
            writer = Thread.currentThread();
        }

        @Override
        public synchronized void configureWriteBufferForRead() {
            Lent known = lent;
            if (known != null && !isSending) {
                known.view().flip();
            }
            isSending = true;
            writer = Thread.currentThread();
        }

        @Override
        public ByteBuffer getWriteBuffer() {
            Lent known = lent;
            return known == null ? super.getWriteBuffer() : known.view();
        }

        @Override
        public boolean isWriteBufferWritable() {
            Lent known = lent;
            return known == null || known.view().hasRemaining() != isSending;
        }

        @Override
        public boolean isWriteBufferEmpty() {
            Lent known = lent;
            return known == null
                    || (isSending ? !known.view().hasRemaining() : known.view().position() == 0);
        }

        /** The connection is closed. If another thread wrote last, it may still do so: what that one sees is lent to nobody else. */
        @Override
        public synchronized void reset() {
            super.reset();
            end(writer == Thread.currentThread());
        }

        @SuppressWarnings("ReferenceEquality") // Equal ones hold the same bytes; this is about the memory.
        synchronized void sent(ByteBuffer view) {
            Lent known = lent;
            if (known != null && known.view() == view) {
                end(true);
            }
        }

        private void end(boolean isReusable) {
            Lent known = lent;
            lent = null;
            writer = null;
            if (known != null && isReusable) {
                known.view().limit(0);
                kept.offerFirst(known.memory().clear());
            }
        }
    }
}
