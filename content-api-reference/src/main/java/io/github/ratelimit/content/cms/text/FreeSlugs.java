package io.github.ratelimit.content.cms.text;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Finds a free slug among {@code slug}, {@code slug-2}, {@code slug-3} …
 *
 * <p>The first numbers are all tried. Beyond them the number is doubled until it is free, and then the border between
 * taken and free numbers is narrowed down: few queries, however many items share a title.
 *
 * <p>A free slug may be taken a moment later. The database then rejects it, and the caller tries again.
 */
public final class FreeSlugs {
    /** Chosen: an index tells about so many nearly as fast as about one. */
    private static final int AT_ONCE = 16;

    private FreeSlugs() {}

    /**
     * Finds a free slug.
     *
     * @param slug the wish
     * @param isReserved whether the wish itself cannot be had
     * @param taken selects the taken ones of several slugs
     * @return a slug that was free when {@code taken} was asked
     */
    public static String find(String slug, boolean isReserved, UnaryOperator<Set<String>> taken) {
        int last = isReserved ? 1 : 0;
        int[] numbers = IntStream.rangeClosed(last + 1, AT_ONCE).toArray();
        while (true) {
            int place = firstFree(slug, numbers, taken);
            last = place == 0 ? last : numbers[place - 1];
            if (place < numbers.length && numbers[place] == last + 1) {
                return numbered(slug, numbers[place]);
            }
            if (place < numbers.length) {
                numbers = between(last, numbers[place]);
            } else if (last > Integer.MAX_VALUE / 2) {
                // Somebody has chosen these numbers on purpose.
                return numbered(slug, ThreadLocalRandom.current().nextInt(AT_ONCE, Integer.MAX_VALUE));
            } else {
                numbers = IntStream.iterate(2 * last, number -> number > 0, number -> 2 * number)
                        .toArray();
            }
        }
    }

    private static int firstFree(String slug, int[] numbers, UnaryOperator<Set<String>> taken) {
        Map<Integer, String> wishes = new HashMap<>();
        IntStream.of(numbers).forEach(number -> wishes.put(number, numbered(slug, number)));
        Set<String> there = taken.apply(Set.copyOf(wishes.values()));
        int place = 0;
        while (place < numbers.length && there.contains(wishes.get(numbers[place]))) {
            place++;
        }
        return place;
    }

    /** Gives a few numbers above one and up to another, evenly spread. */
    private static int[] between(int low, int high) {
        int step = (high - low - 1) / AT_ONCE + 1;
        return IntStream.rangeClosed(1, (high - low - 1) / step + 1)
                .map(part -> part == (high - low - 1) / step + 1 ? high : low + part * step)
                .toArray();
    }

    private static String numbered(String slug, int number) {
        return number == 1 ? slug : Slugs.numbered(slug, number);
    }
}
