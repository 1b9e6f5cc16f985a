package io.github.ratelimit.spring.boot;

import io.github.ratelimit.http.AddressRange;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Tells ranges that hold all addresses of a family, alone or together. */
final class EveryAddress {

    private EveryAddress() {}

    /** @param ranges in the notation of {@link AddressRange}; what is none is left out */
    static boolean is(List<String> ranges) {
        Set<String> v4 = new LinkedHashSet<>();
        Set<String> v6 = new LinkedHashSet<>();
        for (String range : ranges) {
            String text = range.strip();
            if (text.endsWith("/0")) {
                return true;
            }
            String plain = plain(text);
            if (!plain.isEmpty()) {
                (plain.indexOf(':') < 0 ? v4 : v6).add(plain);
            }
        }
        return holdsAll(List.copyOf(v4)) || holdsAll(List.copyOf(v6));
    }

    /** One spelling for each range; empty where it is none, which is told where it is read. */
    private static String plain(String range) {
        try {
            return AddressRange.parse(range).toString();
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    /** Of two ranges one holds the other, or they have nothing in common: so the outer ones' shares of all addresses add up. */
    private static boolean holdsAll(List<String> ranges) {
        double share = 0;
        for (String range : ranges) {
            List<String> others = new ArrayList<>(ranges);
            others.remove(range);
            if (others.stream().noneMatch(other -> holds(other, range))) {
                share += Math.pow(2, -prefix(range));
            }
        }
        return share >= 1;
    }

    private static boolean holds(String outer, String inner) {
        return prefix(outer) <= prefix(inner)
                && AddressRange.parse(outer).contains(inner.substring(0, inner.indexOf('/')));
    }

    private static int prefix(String range) {
        return Integer.parseInt(range.substring(range.indexOf('/') + 1));
    }
}
