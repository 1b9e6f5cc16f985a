package io.github.ratelimit.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressTest {

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1",
        "0.0.0.0, 0.0.0.0",
        "255.255.255.255, 255.255.255.255",
        "::, 0:0:0:0:0:0:0:0",
        "::1, 0:0:0:0:0:0:0:1",
        "2001:db8::, 2001:db8:0:0:0:0:0:0",
        "2001:DB8::A, 2001:db8:0:0:0:0:0:a",
        "2001:0db8:0000:0000:0000:0000:0000:000a, 2001:db8:0:0:0:0:0:a",
        "1:2:3:4:5:6:7:8, 1:2:3:4:5:6:7:8",
        "1::8, 1:0:0:0:0:0:0:8",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
        "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8",
        "fe80::1%eth0, fe80:0:0:0:0:0:0:1",
        "::%, 0:0:0:0:0:0:0:0",
        "64:ff9b::192.0.2.33, 64:ff9b:0:0:0:0:c000:221",
        "1:2:3:4:5:6:192.0.2.1, 1:2:3:4:5:6:c000:201",
        "::ffff:192.0.2.1, 192.0.2.1",
        "::ffff:c000:201, 192.0.2.1",
        "0:0:0:0:0:FFFF:192.0.2.1, 192.0.2.1",
        "0000::ffff:192.0.2.1%1, 192.0.2.1",
    })
    void addressHasOneSpelling(String text, String canonical) {
        assertThat(IpAddress.parse(text))
                .isNotNull()
                .extracting(IpAddress::text)
                .isEqualTo(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "localhost",
                "1",
                "127.1",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.4.",
                ".1.2.3.4",
                "1..2.3",
                "01.2.3.4",
                "1.2.3.04",
                "256.1.1.1",
                "1.2.3.999",
                "1.2.3.1234",
                "0x7f.0.0.1",
                "2130706433",
                "1.2.3.-4",
                "1.2.3.4 ",
                " 1.2.3.4",
                "１.2.3.4",
                "1.2.3.4/8",
                ":",
                ":::",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1::2::3",
                "::1::2",
                "1:2:3:4:5:6:7:",
                ":1:2:3:4:5:6:7:8",
                "12345::",
                "g::",
                "::1.2.3",
                "::1.2.3.4.5",
                "::1.2.3.4:5",
                "1:2:3:4:5:6:7:1.2.3.4",
                "::ffff:1.2.3.256",
                "[::1]",
                "1:2:3:4:5:6:7:8::",
                "::１",
                "%",
                "1.2.3.4%eth0"
            })
    void whatIsNoAddressIsNone(String text) {
        assertThat(IpAddress.parse(text)).isNull();
    }

    @Test
    void endlessTextIsNotEvenLookedAt() {
        assertThat(IpAddress.parse("::1%" + "x".repeat(1000))).isNull();
        assertThat(IpAddress.parse("::1%" + "x".repeat(61))).isNull();
        assertThat(IpAddress.parse("::1%" + "x".repeat(60))).isEqualTo(IpAddress.parse("::1"));
        assertThat(IpAddress.isDotted("x".repeat(1000))).isFalse();
    }

    @Test
    void dottedIsWhatHasOneSpelling() {
        assertThat(List.of("0.0.0.0", "192.0.2.1", "255.255.255.255")).allMatch(IpAddress::isDotted);
        assertThat(List.of("", "::", "::1", "::ffff:192.0.2.1", "192.0.2", "192.0.2.01", "localhost"))
                .noneMatch(IpAddress::isDotted);
    }

    @Property
    void agreesWithTheRuntimeOnWhatItPrints(
            @ForAll @Size(16) byte[] bytes, @ForAll boolean v4, @ForAll @IntRange(max = 8) int zeros)
            throws UnknownHostException {
        byte[] raw = v4 ? Arrays.copyOf(bytes, 4) : bytes;
        for (int i = 0; i < zeros && !v4; i++) {
            raw[4 + i] = 0;
        }
        String printed = InetAddress.getByAddress(raw).getHostAddress();
        IpAddress parsed = IpAddress.parse(printed);
        assertThat(parsed).isNotNull();
        assertThat(parsed.text()).isEqualTo(printed);
        assertThat(IpAddress.parse(parsed.text())).isEqualTo(parsed);
    }

    @Test
    void rangeHoldsItsNetworkAndNothingElse() {
        AddressRange ten = AddressRange.parse("10.0.0.0/8");
        assertThat(List.of("10.0.0.0", "10.255.255.255", "::ffff:10.1.2.3")).allMatch(ten::contains);
        assertThat(List.of("9.255.255.255", "11.0.0.0", "::a00:0", "10.1", "", "0a00::"))
                .noneMatch(ten::contains);
        AddressRange six = AddressRange.parse("2001:db8:8000::/33");
        assertThat(List.of("2001:db8:8000::", "2001:db8:ffff::1")).allMatch(six::contains);
        assertThat(List.of("2001:db8:7fff::1", "2001:db9:8000::")).noneMatch(six::contains);
        AddressRange low = AddressRange.parse("2001:db8::ff00/120");
        assertThat(low.contains("2001:db8::ff7f")).isTrue();
        assertThat(low.contains("2001:db8::fe7f")).isFalse();
        AddressRange one = AddressRange.parse(" 192.0.2.7 ");
        assertThat(one.contains("192.0.2.7")).isTrue();
        assertThat(one.contains("192.0.2.6")).isFalse();
        assertThat(one).hasToString("192.0.2.7/32");
        assertThat(AddressRange.parse("::ffff:10.0.0.0/104").contains("10.9.9.9"))
                .isTrue();
        assertThat(AddressRange.parse("::1").contains("::1")).isTrue();
        AddressRange half = AddressRange.parse("128.0.0.0/1");
        assertThat(half.contains("255.0.0.1")).isTrue();
        assertThat(half.contains("127.0.0.1")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.0.0.0/-1 | must be a number of bits",
                "10.0.0.0/ | must be a number of bits",
                "10.0.0.0/x | must be a number of bits",
                "10.0.0.0/1000 | must be a number of bits",
                "10.0.0.0/33 | the prefix must be 1..32",
                "2001:db8::/129 | the prefix must be 1..128",
                "0.0.0.0/0 | a range cannot hold every address",
                "::/0 | a range cannot hold every address",
                "::ffff:0.0.0.0/96 | a range cannot hold every address",
                "10.1.2.3/8 | has address bits behind its prefix; write 10.0.0.0/8",
                "localhost | is no address range; write for example 10.0.0.0/8",
                "10.0.0/8 | is no address range",
            })
    void malformedRangeIsRejectedWithItsRemedy(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AddressRange.parse(text))
                .withMessageContaining("'" + text + "'")
                .withMessageContaining(message);
    }
}
