package io.github.ratelimit.content.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

final class RawConnectionTest {

    private static final String REQUEST = "GET / HTTP/1.1\r\n\r\n";

    @Test
    void aServerThatHangsHasNotEndedTheConnection() throws IOException {
        try (var hanging = server();
                var connection = new RawConnection(base(hanging), "0.0.0.0", 0, 1)) {
            assertThatThrownBy(() -> connection.statusOf(REQUEST)).isInstanceOf(UncheckedIOException.class);
        }
    }

    @Test
    void aServerThatEndsTheConnectionHasNoStatus() throws IOException {
        try (var ending = server();
                var connection = new RawConnection(base(ending))) {
            ending.accept().close();

            assertThat(connection.statusOf(REQUEST)).isZero();
        }
    }

    private static ServerSocket server() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    private static String base(ServerSocket server) {
        return "http://127.0.0.1:" + server.getLocalPort();
    }
}
