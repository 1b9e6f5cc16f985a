package io.github.ratelimit.http;

import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * An address of version 4 or 6, read from text without asking any name service.
 *
 * <p>Strict: four decimal numbers without leading zeros, or the forms of RFC 4291 §2.2; a zone is dropped. What is an IPv4 address
 * written as IPv6 ({@code ::ffff:0:0/96}) is the IPv4 address; otherwise all IPv4 clients of a dual-stack socket would share one key.
 *
 * @param high the first 64 bits; 0 for version 4
 * @param low the last 64 bits; for version 4 the 32 bits of the address
 * @param isV4 whether it is of version 4
 */
record IpAddress(long high, long low, boolean isV4) {

    private static final int LONGEST = 64; // 45 characters and some zone

    /** Reads an address; null if the text is none. */
    static @Nullable IpAddress parse(String text) {
        if (text.isEmpty() || text.length() > LONGEST) {
            return null;
        }
        if (text.indexOf(':') < 0) {
            long bits = parseV4(text, 0, text.length());
            return bits < 0 ? null : new IpAddress(0, bits, true);
        }
        int zone = text.indexOf('%');
        return parseV6(zone < 0 ? text : text.substring(0, zone));
    }

    /** Whether the text is an address of version 4 in its dotted form, which has one spelling for each address. */
    static boolean isDotted(String text) {
        return text.length() <= LONGEST && parseV4(text, 0, text.length()) >= 0;
    }

    /** The 32 bits, or -1 if the text is no such address. */
    private static long parseV4(String text, int from, int to) {
        long bits = 0;
        int parts = 0;
        int i = from;
        while (i < to) {
            int start = i;
            int number = 0;
            while (i < to && Character.digit(text.charAt(i), 10) >= 0 && text.charAt(i) <= '9') {
                number = number * 10 + (text.charAt(i++) - '0');
                if (i - start > 3) {
                    return -1;
                }
            }
            boolean leadingZero = i - start > 1 && text.charAt(start) == '0'; // octal to some, decimal to others
            if (i == start || leadingZero || number > 255) {
                return -1;
            }
            bits = bits << 8 | number;
            parts++;
            if (i < to && (text.charAt(i++) != '.' || i == to)) {
                return -1;
            }
        }
        return parts == 4 ? bits : -1;
    }

    private static @Nullable IpAddress parseV6(String text) {
        String plain = text;
        int last = text.lastIndexOf(':') + 1;
        if (text.indexOf('.', last) >= 0) {
            long v4 = parseV4(text, last, text.length());
            if (v4 < 0) {
                return null;
            }
            plain = text.substring(0, last) + Long.toHexString(v4 >>> 16) + ":" + Long.toHexString(v4 & 0xffff);
        }
        int gap = plain.indexOf("::");
        int[] before = groups(gap < 0 ? plain : plain.substring(0, gap));
        int[] behind = groups(gap < 0 ? "" : plain.substring(gap + 2));
        if (before == null || behind == null) {
            return null;
        }
        int count = before.length + behind.length;
        if (gap < 0 ? count != 8 : count > 7) {
            return null;
        }
        int[] all = Arrays.copyOf(before, 8);
        System.arraycopy(behind, 0, all, 8 - behind.length, behind.length);
        return of(all);
    }

    /** The groups between colons; null if one is not 1 to 4 hexadecimal digits. */
    private static int @Nullable [] groups(String text) {
        String[] words = text.isEmpty() ? new String[0] : text.split(":", -1);
        int[] groups = new int[words.length];
        for (int i = 0; i < words.length; i++) {
            boolean isHex = !words[i].isEmpty() && words[i].length() <= 4;
            for (int j = 0; j < words[i].length(); j++) {
                isHex &= HexFormat.isHexDigit(words[i].charAt(j));
            }
            if (!isHex) {
                return null;
            }
            groups[i] = HexFormat.fromHexDigits(words[i]);
        }
        return groups;
    }

    private static IpAddress of(int[] groups) {
        long high = 0;
        long low = 0;
        for (int i = 0; i < 4; i++) {
            high = high << 16 | groups[i];
            low = low << 16 | groups[i + 4];
        }
        boolean mapped = high == 0 && low >>> 32 == 0xffff;
        return mapped ? new IpAddress(0, low & 0xffff_ffffL, true) : new IpAddress(high, low, false);
    }

    /** Whether it is an IPv4 client's address as a translator spells it, {@code 64:ff9b::/96}. Rule: RFC 6052 §2.1. */
    boolean isTranslated() {
        return !isV4 && high == 0x0064_ff9b_0000_0000L && low >>> 32 == 0;
    }

    /** How many bits there are. */
    int bits() {
        return isV4 ? 32 : 128;
    }

    /** The same with all bits behind the prefix cleared. */
    IpAddress network(int prefix) {
        if (isV4) {
            return new IpAddress(0, low & mask(prefix + 32), true);
        }
        return new IpAddress(high & mask(prefix), low & mask(prefix - 64), false);
    }

    /** The first {@code bits} of 64 set. */
    private static long mask(int bits) {
        if (bits <= 0) {
            return 0;
        }
        return bits >= 64 ? -1L : -1L << (64 - bits);
    }

    /** One spelling for each address: dotted, or eight groups in hexadecimal. */
    String text() {
        StringBuilder text = new StringBuilder(isV4 ? 15 : 39);
        if (isV4) {
            for (int shift = 24; shift >= 0; shift -= 8) {
                text.append((int) (low >>> shift & 0xff));
                if (shift > 0) {
                    text.append('.');
                }
            }
            return text.toString();
        }
        for (int i = 0; i < 8; i++) {
            long half = i < 4 ? high : low;
            int group = (int) (half >>> (48 - i % 4 * 16)) & 0xffff;
            if (i > 0) {
                text.append(':');
            }
            text.append(Integer.toHexString(group));
        }
        return text.toString();
    }
}
