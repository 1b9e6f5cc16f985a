package io.github.ratelimit.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.ratelimit.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientAddressTest {

    private static final String PROXY = "10.0.0.1";
    private static final ClientAddress BEHIND_PROXIES = ClientAddress.of(List.of("10.0.0.0/8", "fd00::/8"), 64);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                // X-Forwarded-For as the proxy 10.0.0.1 sent it | whose address it is
                "203.0.113.7 | 203.0.113.7",
                "198.51.100.1, 203.0.113.7 | 203.0.113.7",
                "198.51.100.1,203.0.113.7, 10.9.9.9 | 203.0.113.7",
                "203.0.113.7:4711 | 203.0.113.7",
                "203.0.113.7:60789 | 203.0.113.7",
                "[2001:db8::7]:4711 | 2001:db8:0:0:0:0:0:7",
                "[2001:db8::7] | 2001:db8:0:0:0:0:0:7",
                "2001:db8::7 | 2001:db8:0:0:0:0:0:7",
                "::ffff:203.0.113.7 | 203.0.113.7",
                "garbage, 203.0.113.7 | 203.0.113.7",
                "203.0.113.7, garbage | 10.0.0.1",
                "203.0.113.7, unknown, 10.9.9.9 | 10.0.0.1",
                "203.0.113.7:, 10.9.9.9 | 10.0.0.1",
                "203.0.113.7:x | 10.0.0.1",
                "203.0.113.7:123456 | 10.0.0.1",
                "[203.0.113.7 | 10.0.0.1",
                "[::1]x | 10.0.0.1",
                "10.9.9.9, 10.8.8.8 | 10.9.9.9",
                "'' | 10.0.0.1",
                "203.0.113.7, | 203.0.113.7",
                "', 203.0.113.7' | 203.0.113.7",
                "',203.0.113.7' | 203.0.113.7",
                "'198.51.100.1, , 203.0.113.7' | 203.0.113.7",
                "'garbage[[, \",,203.0.113.7 ,\t, 10.9.9.9 , ,' | 203.0.113.7",
                "', ,' | 10.0.0.1",
                "'203.0.113.7\"' | 10.0.0.1",
            })
    void xForwardedForIsWalkedFromTheRight(String header, String address) {
        assertThat(BEHIND_PROXIES.address(Call.from(PROXY).with("X-Forwarded-For", header)))
                .contains(address);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "for=203.0.113.7 | 203.0.113.7",
                "For=\"203.0.113.7:80\";proto=http;by=10.0.0.1 | 203.0.113.7",
                "for=198.51.100.1, for=203.0.113.7 | 203.0.113.7",
                "proto=https ; for=\"[2001:db8::7]:4711\" | 2001:db8:0:0:0:0:0:7",
                "for=198.51.100.1, for=203.0.113.7, for=10.9.9.9 | 203.0.113.7",
                "for=\"203.0.113.7, for=198.51.100.1\" | 10.0.0.1",
                "for=unknown | 10.0.0.1",
                "for=_hidden | 10.0.0.1",
                "proto=http | 10.0.0.1",
                "for=198.51.100.1;for=203.0.113.7 | 10.0.0.1",
                "=203.0.113.7 | 10.0.0.1",
                "for=203.0.113.7;host=\"a\\\",for=198.51.100.9;x=\\\"\" | 203.0.113.7",
                "for=203.0.113.7;host=\"a\\\\\", for=10.9.9.9 | 203.0.113.7",
                "for=198.51.100.1, for=203.0.113.7;host=\"a\\\\\", for=10.9.9.9 | 203.0.113.7",
                "for=203.0.113.7;host=\"a,b\" | 203.0.113.7",
                "for=203.0.113.7;host=\"a;for=198.51.100.1\" | 203.0.113.7",
            })
    void forwardedIsWalkedFromTheRight(String header, String address) {
        assertThat(BEHIND_PROXIES.address(Call.from(PROXY).with("Forwarded", header)))
                .contains(address);
    }

    @Test
    void linesOfOneFieldAreOneList() {
        Call call = Call.from(PROXY).with("X-Forwarded-For", "203.0.113.7").with("x-forwarded-for", "198.51.100.1");
        assertThat(BEHIND_PROXIES.address(call)).contains("198.51.100.1");
    }

    @Test
    void obfuscatedPortIsAPort() {
        for (String node : List.of("203.0.113.7:_p1", "203.0.113.7:80", "203.0.113.7")) {
            assertThat(BEHIND_PROXIES.address(Call.from(PROXY).with("Forwarded", "for=\"" + node + "\"")))
                    .contains("203.0.113.7");
        }
        assertThat(BEHIND_PROXIES.address(Call.from(PROXY).with("Forwarded", "for=\"[2001:db8::1]:_p-1.x\"")))
                .contains("2001:db8:0:0:0:0:0:1");
        assertThat(BEHIND_PROXIES.address(Call.from(PROXY).with("Forwarded", "for=\"203.0.113.7:p1\"")))
                .contains(PROXY);
    }

    @Test
    void xForwardedForWinsOverAForwardedThatTheProxyPassedOn() {
        Call call = Call.from(PROXY).with("Forwarded", "for=198.51.100.1").with("X-Forwarded-For", "203.0.113.7");
        assertThat(BEHIND_PROXIES.address(call)).contains("203.0.113.7");
    }

    @Test
    void tooManyHopsOrTooLongIsThePeer() {
        assertThat(behindProxies("203.0.113.7" + ", 10.9.9.9".repeat(31))).contains("203.0.113.7");
        assertThat(behindProxies("203.0.113.7" + ", 10.9.9.9".repeat(32))).contains(PROXY);
        assertThat(BEHIND_PROXIES.address(Call.from(PROXY).with("Forwarded", "for=203.0.113.7;by=" + "x".repeat(4096))))
                .contains(PROXY);
        assertThat(behindProxies("203.0.113.7," + " ".repeat(505) + "10.9.9.9")).contains(PROXY);
        assertThat(behindProxies("203.0.113.7," + " ".repeat(504) + "10.9.9.9")).contains("203.0.113.7");
        assertThat(behindProxies("x" + " ".repeat(501) + "203.0.113.7"))
                .as("as long as may be and one more: not what is left of it")
                .contains(PROXY);
    }

    @Test
    void quoteBehindABackslashIsPartOfItsTextHoweverFarFromTheStart() {
        String left = "for=192.0.2.1, ".repeat(40);
        String element = "for=203.0.113.7;host=\"a\\\",for=198.51.100.9;x=\\\"\"";
        assertThat(BEHIND_PROXIES.address(Call.from(PROXY).with("Forwarded", left + element)))
                .contains("203.0.113.7");
    }

    @Test
    void keyBehindAProxyIsTheClientsAddress() {
        assertThat(BEHIND_PROXIES.resolve(Call.from(PROXY).with("X-Forwarded-For", "203.0.113.7")))
                .isEqualTo(Key.of("203.0.113.7"));
        assertThat(ClientAddress.ofPeer().resolve(Call.from(PROXY).with("X-Forwarded-For", "203.0.113.7")))
                .isEqualTo(Key.of(PROXY));
    }

    private static Optional<String> behindProxies(String xForwardedFor) {
        return BEHIND_PROXIES.address(Call.from(PROXY).with("X-Forwarded-For", xForwardedFor));
    }

    @Test
    void whatStandsLeftOfTheClientIsNotEvenRead() {
        for (String left : List.of(",", ", ", "garbage,", "\"", "x".repeat(100_000) + ",", "1.2.3.4,".repeat(10_000))) {
            assertThat(behindProxies(left + ", 203.0.113.7")).as("%.20s", left).contains("203.0.113.7");
        }
    }

    @Test
    void emptyLinesAreNone() {
        Call call = Call.from(PROXY)
                .with("X-Forwarded-For", "203.0.113.7")
                .with("X-Forwarded-For", "")
                .with("X-Forwarded-For", " , ")
                .with("X-Forwarded-For", "10.9.9.9");
        assertThat(BEHIND_PROXIES.address(call)).contains("203.0.113.7");
        Call none = Call.from(PROXY).with("X-Forwarded-For", " ").with("X-Forwarded-For", ",");
        assertThat(BEHIND_PROXIES.address(none)).contains(PROXY);
    }

    @Test
    void fieldsOfAStrangerAreNotEvenRead() {
        Call stranger = Call.from("203.0.113.99").with("X-Forwarded-For", "198.51.100.1");
        BEHIND_PROXIES.address(stranger);
        ClientAddress.ofPeer().address(stranger);
        assertThat(stranger.fieldsRead).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Forwarded-For",
                "Forwarded",
                "X-Real-IP",
                "True-Client-IP",
                "CF-Connecting-IP",
                "CF-Connecting-IPv6",
                "X-Client-IP",
                "Client-IP",
                "X-Cluster-Client-IP",
                "X-Forwarded",
                "Forwarded-For",
                "X-Forwarded-Host",
                "X-Forwarded-Proto",
                "X-Original-Forwarded-For",
                "X-Originating-IP",
                "X-Remote-IP",
                "X-Remote-Addr",
                "X-Host",
                "X-ProxyUser-IP",
                "Via",
                "Fastly-Client-IP",
                "X-Azure-ClientIP",
                "X-Azure-SocketIP",
                "X-Appengine-User-IP",
                "X-Envoy-External-Address",
                "X-Envoy-Original-Path",
                "X-Amz-Cf-Id",
                "X-Amzn-Trace-Id",
                "X-Nginx-Proxy",
                "X-Coming-From",
                "X-Forward-For",
                "X-From-IP",
                "X-Gateway-IP",
                "X-IP",
                "X-WAP-Profile",
                "Proxy-Client-IP",
                "WL-Proxy-Client-IP",
                "HTTP_CLIENT_IP",
                "HTTP_X_FORWARDED_FOR",
                "Remote-Addr",
                "Remote_Addr",
                "Z-Forwarded-For"
            })
    void noFieldOfAStrangerIsBelieved(String header) {
        String peer = "203.0.113.99";
        for (String value : List.of("198.51.100.1", "for=198.51.100.1", "10.0.0.1", "127.0.0.1", "::1")) {
            assertThat(BEHIND_PROXIES.address(Call.from(peer).with(header, value)))
                    .contains(peer);
            assertThat(ClientAddress.ofPeer().address(Call.from(peer).with(header, value)))
                    .contains(peer);
        }
    }

    record Chain(List<String> hops, String peer) {}

    @Provide
    Arbitrary<Chain> chains() {
        Arbitrary<String> hop =
                Arbitraries.of("10.0.0.1", "10.0.0.2", "203.0.113.7", "198.51.100.1", "bad", "fd00::1", "2001:db8::1");
        return hop.list()
                .ofMinSize(1)
                .ofMaxSize(6)
                .map(hops -> new Chain(hops.subList(0, hops.size() - 1), hops.get(hops.size() - 1)));
    }

    /** The oracle walks the whole chain, peer included, and takes the first that it does not trust. */
    @Property
    void clientIsTheFirstStrangerFromTheRight(@ForAll("chains") Chain chain) {
        List<String> all = new ArrayList<>(chain.hops);
        all.add(chain.peer);
        String expected = chain.peer;
        for (int i = all.size() - 1; i >= 0; i--) {
            expected = all.get(i);
            if (!expected.startsWith("10.") && !expected.startsWith("fd00")) {
                break;
            }
        }
        if (expected.equals("bad")) {
            expected = chain.peer;
        }
        Call call = Call.from(chain.peer);
        if (!chain.hops.isEmpty()) {
            call.with("X-Forwarded-For", String.join(", ", chain.hops));
        }
        IpAddress address = IpAddress.parse(expected);
        assertThat(BEHIND_PROXIES.address(call))
                .isEqualTo(Optional.ofNullable(address).map(IpAddress::text));
    }

    @Test
    void ipv6ClientIsItsNetworkAndIpv4ClientIsItself() {
        Key key = BEHIND_PROXIES.resolve(Call.from("2001:db8:1:2:3:4:5:6"));
        assertThat(key)
                .isEqualTo(BEHIND_PROXIES.resolve(Call.from("2001:db8:1:2::")))
                .isNotEqualTo(BEHIND_PROXIES.resolve(Call.from("2001:db8:1:3::")));
        assertThat(BEHIND_PROXIES.resolve(Call.from("::ffff:203.0.113.7"))).isEqualTo(Key.of("203.0.113.7"));
        assertThat(BEHIND_PROXIES.resolve(Call.from("::ffff:203.0.113.8"))).isEqualTo(Key.of("203.0.113.8"));
        ClientAddress wide = ClientAddress.of(List.of(), 56);
        assertThat(wide.resolve(Call.from("2001:db8:1:2ff::")))
                .isEqualTo(wide.resolve(Call.from("2001:db8:1:200::")))
                .isNotEqualTo(wide.resolve(Call.from("2001:db8:1:300::")));
        ClientAddress whole = ClientAddress.of(List.of(), 128);
        assertThat(whole.resolve(Call.from("2001:db8::1"))).isNotEqualTo(whole.resolve(Call.from("2001:db8::2")));
    }

    @Test
    void clientsBehindATranslatorAreNotOneClient() {
        assertThat(BEHIND_PROXIES.resolve(Call.from("64:ff9b::192.0.2.1")))
                .isNotEqualTo(BEHIND_PROXIES.resolve(Call.from("64:ff9b::192.0.2.2")));
    }

    @Test
    void callWithoutAnAddressIsAbsent() {
        assertThat(BEHIND_PROXIES.resolve(Call.from("")).isAbsent()).isTrue();
        assertThat(BEHIND_PROXIES.resolve(Call.from("unix:/run/socket")).isAbsent())
                .isTrue();
    }

    @Test
    void malformedSettingsAreRejected() {
        for (int prefix : List.of(31, 129, 0, -1)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ClientAddress.of(List.of(), prefix))
                    .withMessageStartingWith("ipv6-prefix must be 32..128, was " + prefix);
        }
        ClientAddress.of(List.of(), 32);
    }

    @Test
    void tellsWhomItTrusts() {
        assertThat(ClientAddress.ofPeer().trustsNobody()).isTrue();
        assertThat(ClientAddress.ofPeer().trusts("10.0.0.1")).isFalse();
        ClientAddress trusting = ClientAddress.of(List.of("10.0.0.0/8"), 64);
        assertThat(trusting.trustsNobody()).isFalse();
        assertThat(trusting.trusts("10.1.2.3")).isTrue();
        assertThat(trusting.trusts("::ffff:10.1.2.3")).isTrue();
        assertThat(trusting.trusts("11.1.2.3")).isFalse();
        assertThat(trusting.trusts("no address")).isFalse();
    }
}
