package io.github.ratelimit.content.server.fetch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** 127.0.0.1 is a canary that nobody may reach; 127.0.0.2 stands for the public network. */
class OutgoingClientTest {

    /** Chosen: what has not happened by then, on a machine however busy, does not happen. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Set<String> HTML = Set.of("text/html");
    private static final String PAGE = answer("200 OK", "Content-Type: text/html", "hello");

    private final Map<String, List<InetAddress>> names = new ConcurrentHashMap<>();
    private final AtomicInteger lookups = new AtomicInteger();
    private Stub canary;
    private Stub outside;
    private OutgoingClient client;

    @BeforeEach
    void start() throws IOException {
        // In this order: connections that others make leave from ports of the first address, never of the second.
        canary = new Stub("127.0.0.1", 0);
        outside = new Stub("127.0.0.2", canary.port());
        names.put("public.example", List.of(address("127.0.0.2")));
        names.put("private.example", List.of(address("127.0.0.1")));
        names.put("mixed.example", List.of(address("127.0.0.2"), address("127.0.0.1")));
        client = client(this::lookUp);
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        canary.close();
        outside.close();
    }

    @Test
    void fetchesFromThePublicNetworkAndKeepsTheName() {
        outside.answers(PAGE);

        Optional<Fetched> fetched = client.get(at("public.example", "/a?b=c#d"), HTML);

        assertThat(fetched).map(Fetched::text).contains("hello");
        assertThat(outside.requests()).singleElement().satisfies(request -> {
            assertThat(request).startsWith("GET /a?b=c HTTP/1.1\r\n").contains("Host: public.example:");
            assertThat(request).doesNotContainIgnoringCase("cookie").doesNotContainIgnoringCase("authorization");
        });
    }

    /** Each row is a kind of address with its spellings. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                127.0.0.1 in other spellings | 127.0.0.1 127.1 127.0.1 127.0.0.1. 2130706433 0x7f000001 0x7f.0.0.1 0177.0.0.1 0177.0.0.01 017700000001 0x7f.1 127.0x1 00000177.1 0x7F.0x0.0x0.0x1 127.0.0.01 127.000.000.001
                this machine | 0 0.0.0.0 0x0 00 127.127.127.127 127.255.255.254
                numbers out of range | 4294967295 4294967296 18446744071563345921 1.1.1.1.1 256.0.0.1 127.0.0.256
                private networks | 10.0.0.1 10.1 167772161 0x0a000001 012.0.0.1 172.16.0.1 172.31.255.255 192.168.0.1 192.168.1 3232235521 0xc0a80001
                link-local | 169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.43518
                shared, reserved and test networks | 100.64.0.1 100.127.255.255 192.0.0.8 192.0.2.1 192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9
                many receivers | 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
                this machine by IPv6 | [::1] [::] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001]
                IPv4 within IPv6 | [::127.0.0.1] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:127.0.0.1] [::ffff:0:127.0.0.1] [::ffff:10.0.0.1] [::ffff:169.254.169.254] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2002:a9fe:a9fe::1] [2001:0:7f00:1::] [2001::1]
                links and private networks of IPv6 | [fe80::1] [fe80::1%25lo] [fe80::1%lo] [::1%25lo] [fc00::1] [fd12:3456::1] [fec0::1]
                many receivers of IPv6, and what is not assigned | [ff02::1] [ff0e::1] [100::1] [2001:db8::1] [3fff::1] [5f00::1] [2620:4f:8000::1] [4000::1] [0100::]
                brackets | [1::1 ::1 [127.0.0.1] [v1.fe]
                other digits and dots | \uff11\uff12\uff17.0.0.1 \u2460\u2461\u2466.0.0.1 127\u30020\u30020\u30021 127.0.0.\u00b9 %31%32%37.0.0.1
                names of private addresses | private.example PRIVATE.example. mixed.example
                an account before the name | user@public.example public.example@127.0.0.1 user:pw@public.example public.example%00.127.0.0.1 public.example\\@127.0.0.1
                no names | 127.0.0.1: unknown.example . .. -.example localhost.localdomain.
                """)
    void rejectsEverySpellingOfAnAddressThatIsNotPublic(String kind, String spellings) {
        for (String host : spellings.split(" ", -1)) {
            assertRejected(host);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b.example", "public.example\t", ""})
    void rejectsNamesWithBlanks(String host) {
        assertRejected(host);
    }

    private void assertRejected(String host) {
        assertThat(client.get("http://" + host + ":" + outside.port() + "/", HTML))
                .as(host)
                .isEmpty();
        assertThat(canary.connections()).as(host).isZero();
        assertThat(outside.connections()).as(host).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:///etc/passwd",
                "ftp://public.example/",
                "gopher://public.example/",
                "jar:http://public.example!/",
                "//public.example/",
                "public.example",
                "http:public.example",
                "http:///public.example",
                "javascript:1",
                "http://public.example:22/",
                "http://public.example:99999/",
                "http://public.example:-1/",
                "http://"
            })
    void rejectsOtherSchemesAndPorts(String address) {
        assertThat(client.get(address, HTML)).isEmpty();

        assertThat(lookups).hasValue(0);
        assertThat(outside.connections()).isZero();
    }

    @Test
    void connectsToTheAddressThatItCheckedThoughTheNextAnswerDiffers() throws IOException {
        outside.answers(PAGE);
        var answers = List.of(address("127.0.0.2"), address("127.0.0.1"));
        try (OutgoingClient rebound = client(host -> List.of(answers.get(Math.min(1, lookups.getAndIncrement()))))) {
            assertThat(rebound.get(at("public.example", "/"), HTML)).isPresent();
            assertThat(lookups).hasValue(1);
            assertThat(rebound.get(at("public.example", "/"), HTML)).isEmpty();
        }
        assertThat(canary.connections()).isZero();
    }

    @Test
    void followsThreeRedirectsAndNotAFourth() {
        redirects(3);
        assertThat(client.get(at("public.example", "/"), HTML))
                .map(Fetched::text)
                .contains("hello");

        redirects(4);
        assertThat(client.get(at("public.example", "/"), HTML)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:PORT/", "//127.0.0.1:PORT/", "http://private.example:PORT/", "http://[::1]:PORT/",
                "http://2130706433:PORT/", "http://public.example:22/", "file:///etc/passwd",
                        "http://u@public.example/",
                "http://[::ffff:127.0.0.1]:PORT/", "/\\127.0.0.1:PORT/"
            })
    void checksEveryRedirectAsItChecksTheFirstAddress(String location) {
        String target = location.replace("PORT", String.valueOf(outside.port()));
        outside.answers(
                answer("302 Found", "Location: http://public.example:" + outside.port() + "/next", ""),
                answer("302 Found", "Location: " + target, ""));

        assertThat(client.get(at("public.example", "/"), HTML)).isEmpty();
        assertThat(canary.connections()).isZero();
    }

    @Test
    void rejectsABodyOverTheLimitWithoutReadingItAll() {
        outside.answers(
                answer("200 OK", "Content-Type: text/html\r\nContent-Length: 9999999999", ""),
                answer("200 OK", "Content-Type: text/html", "x".repeat(70_000)));

        assertThat(client.get(at("public.example", "/"), HTML)).isEmpty();
        assertThat(client.get(at("public.example", "/"), HTML)).isEmpty();
    }

    @Test
    void neverUnpacksABody() throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(new byte[10_000_000]);
        }
        outside.answers(
                answer("200 OK", "Content-Type: text/html\r\nContent-Encoding: gzip", packed.toString(ISO_8859_1)));

        assertThat(client.get(at("public.example", "/"), HTML)).isEmpty();
        assertThat(outside.requests())
                .allSatisfy(request -> assertThat(request).doesNotContainIgnoringCase("accept-encoding"));
    }

    @Test
    void aSlowDripEndsAtTheDeadline() {
        outside.drips("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n");

        // It drips until somebody hangs up. Where a machine is busy, a
        // deadline may be over before there is a connection.
        assertTimeoutPreemptively(PATIENCE, () -> {
            Duration total = Duration.ofMillis(200);
            boolean hungUp;
            do {
                total = total.multipliedBy(2);
                FetchLimits hasty = new FetchLimits(Set.of(outside.port()), 3, 65_536, total, total, 4);
                try (var impatient = client(hasty, this::lookUp)) {
                    assertThat(impatient.get(at("public.example", "/"), HTML)).isEmpty();
                    // Before the client is closed, which hangs up too.
                    hungUp = outside.hungUp(total);
                }
            } while (!hungUp);
        });
    }

    @Test
    void takesOnlyTheMediaTypesAskedFor() {
        outside.answers(
                answer("200 OK", "Content-Type: application/octet-stream", "x"), answer("404 Not Found", "A: b", ""));

        assertThat(client.get(at("public.example", "/"), HTML)).isEmpty();
        assertThat(client.get(at("public.example", "/"), HTML)).isEmpty();
    }

    private void redirects(int count) {
        var answers = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            answers.add(answer("302 Found", "Location: /" + i, ""));
        }
        answers.add(PAGE);
        outside.answers(answers.toArray(String[]::new));
    }

    private List<InetAddress> lookUp(String host) throws UnknownHostException {
        lookups.incrementAndGet();
        List<InetAddress> found = names.get(host);
        if (found != null) {
            return found;
        }
        if (host.matches("[0-9.]+|.*:.*")) {
            return List.of(address(host));
        }
        throw new UnknownHostException(host);
    }

    private String at(String host, String path) {
        return "http://" + host + ":" + outside.port() + path;
    }

    private OutgoingClient client(HostResolver resolver) {
        return client(new FetchLimits(Set.of(outside.port()), 3, 65_536, PATIENCE, PATIENCE, 4), resolver);
    }

    private static OutgoingClient client(FetchLimits limits, HostResolver resolver) {
        return new OutgoingClient(limits, resolver, OutgoingClientTest::outside);
    }

    private static InetAddress address(String literal) throws UnknownHostException {
        return InetAddress.getAllByName(literal)[0];
    }

    private static boolean outside(InetAddress address) {
        return address.getHostAddress().equals("127.0.0.2") || GlobalAddresses.contains(address);
    }

    private static String answer(String status, String fields, String body) {
        return "HTTP/1.1 " + status + "\r\n" + fields + "\r\nConnection: close\r\n\r\n" + body;
    }

    /** A server that answers with what it is given, byte for byte. */
    private static final class Stub implements AutoCloseable {

        private final ServerSocket socket = new ServerSocket();
        private final AtomicInteger connections = new AtomicInteger();
        private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
        private final List<String> answers = Collections.synchronizedList(new ArrayList<>());
        private final CountDownLatch hungUp = new CountDownLatch(1);
        private volatile boolean dripping;

        Stub(String address, int port) throws IOException {
            socket.bind(new InetSocketAddress(address, port));
            Thread thread = new Thread(this::serve, "stub " + address);
            thread.setDaemon(true);
            thread.start();
        }

        int port() {
            return socket.getLocalPort();
        }

        int connections() {
            return connections.get();
        }

        List<String> requests() {
            return List.copyOf(requests);
        }

        void answers(String... next) {
            answers.clear();
            answers.addAll(List.of(next));
        }

        void drips(String head) {
            dripping = true;
            answers(head);
        }

        boolean hungUp(Duration wait) {
            try {
                return hungUp.await(wait.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }

        private void serve() {
            while (!socket.isClosed()) {
                try (Socket connection = socket.accept()) {
                    connections.incrementAndGet();
                    requests.add(head(connection.getInputStream()));
                    OutputStream out = connection.getOutputStream();
                    if (!answers.isEmpty()) {
                        out.write(answers.remove(0).getBytes(ISO_8859_1));
                    }
                    out.flush();
                    drip(connection);
                } catch (IOException e) {
                    // The client hung up, or the test is over.
                }
            }
        }

        private void drip(Socket connection) throws IOException {
            if (!dripping) {
                return;
            }
            connection.setSoTimeout(20);
            boolean open = true;
            while (open) {
                try {
                    connection.getOutputStream().write('x');
                    open = connection.getInputStream().read() >= 0;
                } catch (SocketTimeoutException e) {
                    // Still there: the next byte is due.
                } catch (IOException e) {
                    open = false;
                }
            }
            hungUp.countDown();
        }

        private static String head(InputStream in) throws IOException {
            var head = new ByteArrayOutputStream();
            int next;
            while (!head.toString(US_ASCII).endsWith("\r\n\r\n") && (next = in.read()) >= 0) {
                head.write(next);
            }
            return head.toString(UTF_8);
        }
    }
}
