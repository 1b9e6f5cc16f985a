package io.github.ratelimit.http;

import org.jspecify.annotations.Nullable;

/**
 * A range of addresses in the notation of RFC 4632 §3.1, for example {@code 10.0.0.0/8} or {@code 2001:db8::/32}; a single address is a
 * range of one.
 *
 * <p>Immutable and safe for concurrent use.
 */
public final class AddressRange {

    private final IpAddress network;
    private final int prefix;

    private AddressRange(IpAddress network, int prefix) {
        this.network = network;
        this.prefix = prefix;
    }

    /**
     * Reads a range.
     *
     * @throws IllegalArgumentException if the text is no range, if address bits stand behind the prefix, or if it holds every address
     */
    public static AddressRange parse(String text) {
        String trimmed = text.trim();
        int slash = trimmed.indexOf('/');
        String addressText = slash < 0 ? trimmed : trimmed.substring(0, slash);
        IpAddress address = IpAddress.parse(addressText);
        if (address == null) {
            throw new IllegalArgumentException(
                    "'%s' is no address range; write for example 10.0.0.0/8 or 2001:db8::/32".formatted(trimmed));
        }
        int prefix = slash < 0 ? address.bits() : prefix(trimmed, trimmed.substring(slash + 1));
        if (address.isV4() && addressText.indexOf(':') >= 0 && slash >= 0) {
            prefix -= 96; // an IPv4 range written as IPv6
        }
        if (prefix < 1 || prefix > address.bits()) {
            throw new IllegalArgumentException("'%s': the prefix must be 1..%d; a range cannot hold every address"
                    .formatted(trimmed, address.bits()));
        }
        IpAddress network = address.network(prefix);
        if (!network.equals(address)) {
            throw new IllegalArgumentException(
                    "'%s' has address bits behind its prefix; write %s/%d".formatted(trimmed, network.text(), prefix));
        }
        return new AddressRange(network, prefix);
    }

    private static int prefix(String whole, String digits) {
        if (digits.isEmpty() || digits.length() > 3 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new IllegalArgumentException("'%s': the prefix must be a number of bits".formatted(whole));
        }
        return Integer.parseInt(digits);
    }

    /**
     * Whether the range holds an address.
     *
     * @param address in any spelling; other texts are in no range
     */
    public boolean contains(String address) {
        return contains(IpAddress.parse(address));
    }

    boolean contains(@Nullable IpAddress address) {
        return address != null && address.network(prefix).equals(network);
    }

    /** {@code 10.0.0.0/8}. */
    @Override
    public String toString() {
        return network.text() + "/" + prefix;
    }
}
