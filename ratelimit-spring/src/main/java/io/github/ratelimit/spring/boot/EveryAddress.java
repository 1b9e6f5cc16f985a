package io.github.ratelimit.spring.boot;

import io.github.ratelimit.http.AddressRange;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tells ranges that hold all addresses of a family, alone or together. */
final class EveryAddress {

    private EveryAddress() {}

    /** @param ranges in the notation of {@link AddressRange}; what is none is left out */
    static boolean is(List<String> ranges) {
        boolean isOneAll = ranges.stream().anyMatch(range -> range.strip().endsWith("/0"));
        return isOneAll || holdsAll(ranges, true) || holdsAll(ranges, false);
    }

    /** Of two ranges one holds the other, or they have nothing in common: so the outer ones' shares of all addresses add up. */
    private static boolean holdsAll(List<String> ranges, boolean v6) {
        Set<String> family = ranges.stream()
                .flatMap(EveryAddress::plain)
                .filter(range -> range.contains(":") == v6)
                .collect(Collectors.toSet());
        return family.stream()
                        .filter(range -> family.stream().noneMatch(other -> holds(other, range)))
                        .mapToDouble(range -> Math.pow(2, -prefix(range)))
                        .sum()
                >= 1;
    }

    /** One spelling for each range; none where it is none, which is told where it is read. */
    private static Stream<String> plain(String range) {
        try {
            return Stream.of(AddressRange.parse(range.strip()).toString());
        } catch (IllegalArgumentException e) {
            return Stream.empty();
        }
    }

    private static boolean holds(String outer, String inner) {
        return !outer.equals(inner)
                && prefix(outer) <= prefix(inner)
                && AddressRange.parse(outer).contains(inner.substring(0, inner.indexOf('/')));
    }

    private static int prefix(String range) {
        return Integer.parseInt(range.substring(range.indexOf('/') + 1));
    }
}
