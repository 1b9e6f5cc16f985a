package io.github.ratelimit.content.shared.container;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketBufferHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections write from few buffers, none of which two of them hold at a time. */
final class WriteBuffersTest {
    private final WriteBuffers buffers = new WriteBuffers();
    private final List<SocketChannel> open = new ArrayList<>();
    private ServerSocketChannel server;

    @BeforeEach
    void listen() throws IOException {
        server = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        for (SocketChannel connection : open) {
            connection.close();
        }
    }

    @Test
    void whatIsSentLeavesAConnectionNoBuffer() throws IOException {
        for (int i = 0; i < 3; i++) {
            NioChannel connection = connect();
            fill(connection, "an answer");
            assertThat(connection.getBufHandler().isWriteBufferEmpty()).isFalse();

            send(connection);

            assertThat(connection.getBufHandler().isWriteBufferEmpty()).isTrue();
            assertThat(buffers.kept()).isEqualTo(1);
        }
    }

    @Test
    void twoThatWriteHaveABufferEach() throws IOException {
        NioChannel first = connect();
        fill(first, "one");
        NioChannel second = connect();
        fill(second, "another");

        send(first);
        send(second);

        assertThat(read(0, 3)).isEqualTo("one");
        assertThat(read(2, 7)).isEqualTo("another");
        assertThat(buffers.kept()).isEqualTo(2);
    }

    @Test
    void whoeverLeavesGivesTheBufferBack() throws IOException {
        NioChannel connection = connect();
        open.get(0).setOption(StandardSocketOptions.SO_LINGER, 0);
        open.get(0).close();

        assertThatThrownBy(() -> {
                    while (true) {
                        fill(connection, "nobody reads this");
                        send(connection);
                    }
                })
                .isInstanceOf(IOException.class);

        assertThat(buffers.kept()).isEqualTo(1);
    }

    /** A worker that gives an answer up closes the connection itself. */
    @Test
    void whoeverClosesWhatItWroteGivesTheBufferBack() throws IOException {
        NioChannel connection = connect();
        fill(connection, "half of an ans");

        connection.reset(null, null);

        assertThat(buffers.kept()).isEqualTo(1);
    }

    @Test
    void whoeverStillHoldsABufferThatWasGivenBackHasNothingToSend() throws IOException {
        NioChannel connection = connect();
        fill(connection, "half of an ans");
        ByteBuffer held = connection.getBufHandler().getWriteBuffer();

        connection.reset(null, null);
        fill(connect(), "for somebody else");

        assertThat(held.flip().hasRemaining()).isFalse();
    }

    @Test
    void theBufferOfSomebodyWhoMayStillWriteIsLentToNobody() throws IOException {
        NioChannel connection = connect();
        CompletableFuture.runAsync(() -> fill(connection, "half of an ans")).join();
        ByteBuffer held = connection.getBufHandler().getWriteBuffer();

        connection.reset(null, null);
        connection.write(held.flip());

        assertThat(buffers.kept()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void answersOfAnyLengthArriveWhole(boolean isEncrypted, @TempDir Path directory) throws Exception {
        try (var container =
                new SmallContainer(directory, isEncrypted, TransfersTest.transfers(peer -> true), new Bytes())) {
            HttpClient client = container.client();
            List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();
            List<Integer> lengths = new ArrayList<>();
            for (int length : List.of(0, 1, 8192, 12_000, WriteBuffers.SIZE - 200, WriteBuffers.SIZE, 300_000)) {
                for (int piece : List.of(1_000, 1_000_000)) {
                    URI address = URI.create(container.base() + "/?" + length + "&" + piece);
                    lengths.add(length);
                    answers.add(client.sendAsync(HttpRequest.newBuilder(address).build(), BodyHandlers.ofByteArray()));
                }
            }

            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i).join().body()).isEqualTo(bytes(lengths.get(i)));
            }
        }
    }

    private static final class Bytes extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String[] query = request.getQueryString().split("&");
            byte[] all = bytes(Integer.parseInt(query[0]));
            int piece = Integer.parseInt(query[1]);
            for (int at = 0; at < all.length; at += piece) {
                response.getOutputStream().write(all, at, Math.min(piece, all.length - at));
            }
        }
    }

    private static byte[] bytes(int length) {
        byte[] all = new byte[length];
        new Random(length).nextBytes(all);
        return all;
    }

    private NioChannel connect() throws IOException {
        open.add(SocketChannel.open(server.getLocalAddress()));
        open.add(server.accept());
        NioChannel channel = buffers.channel(16, new ClientWaits(TransfersTest.transfers(peer -> true)));
        channel.reset(open.get(open.size() - 1), null);
        return channel;
    }

    private static void fill(NioChannel channel, String text) {
        SocketBufferHandler handler = channel.getBufHandler();
        handler.configureWriteBufferForWrite();
        handler.getWriteBuffer().put(text.getBytes(US_ASCII));
    }

    private static void send(NioChannel channel) throws IOException {
        channel.getBufHandler().configureWriteBufferForRead();
        channel.write(channel.getBufHandler().getWriteBuffer());
    }

    private String read(int client, int length) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(length);
        while (text.hasRemaining() && open.get(client).read(text) >= 0) {
            // On.
        }
        return new String(text.array(), US_ASCII);
    }
}
