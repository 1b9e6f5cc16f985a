package io.github.ratelimit.content.shared.container;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Objects;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.jspecify.annotations.Nullable;

/**
 * How long the client of one connection keeps workers waiting, for more of a body or until it takes more of an answer. A wait begins where the
 * machine has nothing to be read or takes nothing to be sent, whoever reads or writes, and whatever for: so whoever is as fast as the
 * server takes no place. Safe for concurrent use.
 */
final class ClientWaits {
    /** Where a request of the container remembers it. Of its numbers 17 to 31 are free. */
    private static final int NOTE = 17;

    /** In bytes. Chosen: a picture of 25 MB comes over a line of 0.3 Mbit a second. */
    private static final int GIVING_TIME = 1 << 20;

    private final Transfers transfers;
    private final Wait reading = new Wait();
    private final Wait writing = new Wait();
    private String peer = "";
    private Duration patience;
    private @Nullable Response answer;
    private long stored;
    private boolean isServing;
    private boolean isGivenUp;

    ClientWaits(Transfers transfers) {
        this.transfers = transfers;
        this.patience = transfers.bounds().bodyDeadline();
    }

    /** A channel of a connection, which tells what it waits for. */
    interface Channel {
        ClientWaits waits();
    }

    /** Says which connection a request comes by. */
    static void remember(Request request, Channel channel) {
        request.setNote(NOTE, channel.waits());
    }

    /** Tells what was remembered of a request. */
    static ClientWaits of(Request request) {
        return (ClientWaits) Objects.requireNonNull(request.getNote(NOTE), "not a request of a BoundedProtocol");
    }

    /** Says that the channel has another connection now, or none. */
    synchronized void connected(@Nullable SocketChannel socket) throws IOException {
        reading.end();
        writing.end();
        answer = null;
        isServing = false;
        isGivenUp = false;
        peer = socket != null && socket.getRemoteAddress() instanceof InetSocketAddress address
                ? address.getAddress().getHostAddress()
                : "";
    }

    /** Says that a worker serves a request from here on: what it reads is the body, and it waits for that. */
    synchronized void serves(Response response) {
        answer = response;
        isServing = true;
        patience = transfers.bounds().bodyDeadline();
        reading.waited = 0;
        stored = 0;
        writing.waited = 0;
    }

    /** Says that the rest of the body is of no use any more. */
    synchronized void drains(Duration longest) {
        patience = longest;
        reading.waited = 0;
        stored = 0;
    }

    /** Says that so many bytes of the body went to a file: they keep nothing but a worker, and may take longer than those that are held. */
    synchronized void stored(long bytes) {
        stored += bytes;
    }

    /** Says that the worker is done; another thread may still write an answer that goes on without it. */
    synchronized void done(boolean goesOn) {
        isServing = false;
        reading.end();
        if (!goesOn) {
            answer = null;
            writing.end();
        }
    }

    /**
     * Says what came of an attempt to read.
     *
     * @param bytes 0 for nothing: then the worker waits
     * @return the same
     * @throws UnavailableException if it must not
     */
    synchronized int read(int bytes) {
        if (bytes != 0 || !isServing) {
            reading.end();
            return bytes;
        }
        if (reading.isOver(patience, 1 + stored / GIVING_TIME)) {
            throw UnavailableException.tooSlow();
        }
        if (!reading.tryGoOn()) {
            throw UnavailableException.busy("Too many bodies are being waited for at the moment.");
        }
        return bytes;
    }

    /** Refuses to write the end of an answer whose middle was given up. */
    synchronized void requireKept() throws IOException {
        if (isGivenUp) {
            throw new GivenUpException("the client was given up before");
        }
    }

    /**
     * Says what came of an attempt to write.
     *
     * @param bytes 0 for nothing: then the worker waits, if there is more to be sent
     * @return the same
     * @throws GivenUpException if it must not
     */
    synchronized int written(int bytes, boolean isMore) throws IOException {
        if (bytes != 0 || !isMore || isWrittenWithoutWaiting()) {
            writing.end();
            return bytes;
        }
        if (writing.isOver(transfers.bounds().answerDeadline(), 1)) {
            isGivenUp = true;
            throw new GivenUpException("the client took too long to read the answer");
        }
        if (!writing.tryGoOn()) {
            isGivenUp = true;
            throw new GivenUpException("too many clients are slow to read");
        }
        return bytes;
    }

    private boolean isWrittenWithoutWaiting() {
        return answer != null && answer.getWriteListener() != null;
    }

    /** In one direction. */
    private final class Wait {
        private boolean isOn;
        private long since;
        private long waited;

        /** Says whether all waits of a request are longer than so many times what its client may take; this one ends then. */
        boolean isOver(Duration deadline, long times) {
            long all = isOn ? waited + transfers.now() - since : waited;
            boolean isOver = transfers.isOver(all / times, deadline);
            if (isOver) {
                end();
            }
            return isOver;
        }

        boolean tryGoOn() {
            if (!isOn && transfers.tryWait(peer)) {
                isOn = true;
                since = transfers.now();
            }
            return isOn;
        }

        void end() {
            if (isOn) {
                isOn = false;
                long nanos = transfers.now() - since;
                waited += nanos;
                transfers.waited(peer, nanos);
            }
        }
    }
}
