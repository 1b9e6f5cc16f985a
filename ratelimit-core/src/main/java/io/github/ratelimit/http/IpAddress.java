package io.github.ratelimit.http;

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
        int[] groups = new int[8];
        int count = 0;
        int gap = -1; // where `::` stands
        int length = text.length();
        int i = 0;
        if (text.startsWith("::")) {
            gap = 0;
            i = 2;
        } else if (text.startsWith(":")) {
            return null;
        }
        while (i < length) {
            int end = text.indexOf(':', i);
            end = end < 0 ? length : end;
            if (text.indexOf('.', i) >= 0 && end == length) {
                long v4 = parseV4(text, i, length);
                if (v4 < 0 || count > 6) {
                    return null;
                }
                groups[count++] = (int) (v4 >>> 16);
                groups[count++] = (int) (v4 & 0xffff);
                i = length;
                break;
            }
            int group = hex(text, i, end);
            if (group < 0 || count == 8) {
                return null;
            }
            groups[count++] = group;
            i = end;
            if (i < length) {
                i++; // the colon
                if (i == length) {
                    return null; // a single colon at the end
                }
                if (text.charAt(i) == ':') {
                    if (gap >= 0) {
                        return null;
                    }
                    gap = count;
                    i++;
                }
            }
        }
        if (gap < 0 ? count != 8 : count > 7) {
            return null;
        }
        return of(spread(groups, count, gap));
    }

    private static int hex(String text, int from, int to) {
        if (to == from || to - from > 4) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) < 128 ? Character.digit(text.charAt(i), 16) : -1;
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }

    private static int[] spread(int[] groups, int count, int gap) {
        if (gap < 0) {
            return groups;
        }
        int[] all = new int[8];
        System.arraycopy(groups, 0, all, 0, gap);
        System.arraycopy(groups, gap, all, 8 - (count - gap), count - gap);
        return all;
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
            boolean leading = true; // zeros
            for (int shift = 12; shift >= 0; shift -= 4) {
                int digit = group >>> shift & 0xf;
                leading &= digit == 0 && shift > 0;
                if (!leading) {
                    text.append(Character.forDigit(digit, 16));
                }
            }
        }
        return text.toString();
    }
}
