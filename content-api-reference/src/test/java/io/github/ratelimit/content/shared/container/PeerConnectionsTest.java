package io.github.ratelimit.content.shared.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.content.harness.RawConnection;
import io.github.ratelimit.content.shared.settings.InvalidSettingException;
import io.github.ratelimit.http.ClientAddress;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.Http2;

/** One address holds a bounded number of connections, whatever it sends over them, and takes none of another address's. */
final class PeerConnectionsTest {
    private static final int MOST = 3;
    private static final String PROXY = "127.0.0.2";
    private static final String STRANGER = "127.0.0.3";
    private static final String OTHER = "127.0.0.4";
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n";

    private final List<RawConnection> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.forEach(RawConnection::close);
    }

    @Test
    void noProtocolOfManyRequestsToAConnectionIsSpoken() {
        TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory(0);
        factory.setProtocol(BoundedProtocol.class.getName());
        Http2 http2 = new Http2();
        http2.setEnabled(true);
        factory.setHttp2(http2);

        assertThatThrownBy(factory::getWebServer)
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageStartingWith("server.http2.enabled: must be false");
    }

    @Test
    void anAddressHoldsNoMoreConnectionsThanItMay(@TempDir Path directory) throws Exception {
        PeerConnections connections =
                new PeerConnections(MOST, 64, ClientAddress.of(List.of(PROXY + "/32"), 64)::trusts);
        Transfers transfers = TransfersTest.transfers(peer -> true);
        try (var container = new SmallContainer(directory, false, connections, transfers, new Nothing())) {
            String base = container.base();
            RawConnection first = connect(base, STRANGER);
            for (int i = 1; i < MOST; i++) {
                // Not a whole request: nothing behind the connector ever meets it.
                connect(base, STRANGER).write(REQUEST);
            }

            assertThat(status(connect(base, STRANGER))).isZero();
            assertThat(status(connect(base, OTHER))).isEqualTo(405);
            for (int i = 0; i < MOST + 2; i++) {
                assertThat(status(connect(base, PROXY))).isEqualTo(405);
            }

            first.write(REQUEST + "Connection: close\r\n\r\n").awaitEnd();
            assertThat(status(connect(base, STRANGER))).isEqualTo(405);
            assertThat(status(connect(base, STRANGER))).isZero();
        }
    }

    private static final class Nothing extends HttpServlet {
        private static final long serialVersionUID = 1L;
    }

    /** Strangers that come once, from ever other addresses, fill no memory. */
    @Test
    void closedConnectionsAreForgotten() throws IOException {
        PeerConnections connections = new PeerConnections(MOST, 64, address -> false);
        try (ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            for (int i = 0; i < 5_000; i++) {
                byte[] address = {127, 1, (byte) (i / 250), (byte) (i % 250 + 1)};
                InetSocketAddress from = new InetSocketAddress(InetAddress.getByAddress(address), 0);
                try (SocketChannel client = SocketChannel.open().bind(from)) {
                    client.connect(server.getLocalAddress());
                    try (SocketChannel connection = server.accept()) {
                        assertThat(connections.tryHold(connection)).isTrue();
                    }
                }
            }
        }

        assertThat(connections.remembered()).isLessThan(1_000);
    }

    private RawConnection connect(String base, String from) {
        RawConnection client = new RawConnection(base, from, 0);
        open.add(client);
        return client;
    }

    private static int status(RawConnection client) {
        return client.statusOf(REQUEST + "\r\n");
    }
}
