package io.github.ratelimit.content.shared.container;

import io.github.ratelimit.content.shared.settings.InvalidSettingException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import org.apache.coyote.Adapter;
import org.apache.coyote.ContinueResponseTiming;
import org.apache.coyote.Processor;
import org.apache.coyote.UpgradeProtocol;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SecureNioChannel;
import org.apache.tomcat.util.net.SocketBufferHandler;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * The container's own HTTP protocol, with a bound of the connections that one peer holds, and of how long each keeps a worker waiting. A
 * connection beyond that bound is closed before a byte of it is read: whoever sends no request is met by nothing later than this.
 */
public final class BoundedProtocol extends Http11NioProtocol {
    private final BoundedEndpoint bounded;

    /** Makes one without a bound; the container does so by the name of this class. */
    public BoundedProtocol() {
        this(new BoundedEndpoint());
    }

    private BoundedProtocol(BoundedEndpoint endpoint) {
        super(endpoint);
        this.bounded = endpoint;
        // Whoever asks whether to send a body is told so when it is wanted, and never where it is not.
        setContinueResponseTiming(ContinueResponseTiming.ON_REQUEST_BODY_READ.toString());
    }

    /** Sets the bounds; to be called before the container starts. */
    void bound(PeerConnections connections, Transfers transfers) {
        bounded.bound = connections;
        bounded.transfers = transfers;
    }

    @Override
    protected Processor createProcessor() {
        return new Http11Processor(this, getAdapter()) {
            @Override
            public SocketState service(SocketWrapperBase<?> socket) throws IOException {
                if (socket.getSocket() instanceof ClientWaits.Channel channel) {
                    ClientWaits.remember(request, channel);
                }
                return super.service(socket);
            }
        };
    }

    @Override
    public void setAdapter(Adapter adapter) {
        super.setAdapter(new UnreadBodies(adapter));
    }

    /**
     * Takes no other protocol over these connections. What a client is waited for is bounded by what a connection holds and sends:
     * with HTTP/2 one connection has many requests, and its client says of each how little of the answer it takes.
     */
    @Override
    public void addUpgradeProtocol(UpgradeProtocol protocol) {
        throw new InvalidSettingException(
                "server.http2.enabled",
                "must be false, since no bound of a slow client holds with HTTP/2",
                "Leave it out, and let a proxy in front speak HTTP/2.");
    }

    private static final class BoundedEndpoint extends NioEndpoint {
        private final WriteBuffers writing = new WriteBuffers();
        private volatile @Nullable PeerConnections bound;
        private volatile @Nullable Transfers transfers;

        /** Encrypted connections have buffers of their own, as what is encrypted is copied in any case. */
        @Override
        protected NioChannel createChannel(SocketBufferHandler own) {
            ClientWaits waits = new ClientWaits(Objects.requireNonNull(transfers, "without bounds"));
            return isSSLEnabled()
                    ? new EncryptedChannel(own, this, waits)
                    : writing.channel(own.getReadBuffer().capacity(), waits);
        }

        @Override
        protected boolean setSocketOptions(SocketChannel socket) {
            PeerConnections connections = bound;
            if (connections != null && !connections.tryHold(socket)) {
                destroySocket(socket);
                return false;
            }
            return super.setSocketOptions(socket);
        }
    }

    /** The container's own, but that it tells what its client is waited for. */
    private static final class EncryptedChannel extends SecureNioChannel implements ClientWaits.Channel {
        private final ClientWaits waits;

        EncryptedChannel(SocketBufferHandler buffers, NioEndpoint endpoint, ClientWaits waits) {
            super(buffers, endpoint);
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

        /** With an answer in its way that the client does not take it throws, and is not used again. */
        @Override
        public void close(boolean force) throws IOException {
            try {
                super.close(force);
            } finally {
                waits.connected(null);
            }
        }

        @Override
        public int read(ByteBuffer to) throws IOException {
            return waits.read(super.read(to));
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            waits.requireKept();
            int written = super.write(from);
            return waits.written(written, from.hasRemaining() || getOutboundRemaining() > 0);
        }
    }
}
