package io.github.ratelimit.content.cms.text;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Finds a slug that nobody has among {@code slug}, {@code slug-2}, {@code slug-3} …
 *
 * <p>The first ones are all asked for, so that among few the first free one is found. Beyond them the numbers are doubled
 * until one is free, and then the border between taken and free ones is narrowed down: that takes one look for each power
 * of sixteen, however many items share a title. Where there are gaps among the taken, any of them may be the border.
 *
 * <p>What is free now may be taken in a moment: the database has the last word, and whoever is refused asks again.
 */
public final class FreeSlugs {
    /** Chosen: an index tells about so many nearly as fast as about one. */
    private static final int AT_ONCE = 16;

    /** From the last of the first ones beyond any number of items. */
    private static final int DOUBLINGS = 25;

    private FreeSlugs() {}

    /**
     * Finds one.
     *
     * @param slug the wish
     * @param isReserved whether the wish itself cannot be had
     * @param taken finds those of several slugs that somebody has
     * @return a slug that was free when {@code taken} was asked
     */
    public static String find(String slug, boolean isReserved, UnaryOperator<Set<String>> taken) {
        int last = isReserved ? 1 : 0;
        int[] numbers = IntStream.rangeClosed(last + 1, AT_ONCE).toArray();
        while (true) {
            int place = firstFree(slug, numbers, taken);
            last = place == 0 ? last : numbers[place - 1];
            if (place == numbers.length) {
                numbers = IntStream.iterate(2 * last, number -> 2 * number)
                        .limit(DOUBLINGS)
                        .toArray();
            } else if (numbers[place] == last + 1) {
                return numbered(slug, numbers[place]);
            } else {
                numbers = between(last, numbers[place]);
            }
        }
    }

    private static int firstFree(String slug, int[] numbers, UnaryOperator<Set<String>> taken) {
        List<String> wishes = Arrays.stream(numbers)
                .mapToObj(number -> numbered(slug, number))
                .toList();
        Set<String> found = taken.apply(Set.copyOf(wishes));
        int place = 0;
        while (place < numbers.length && found.contains(wishes.get(place))) {
            place++;
        }
        return place;
    }

    /** Gives a few numbers above one and up to another, evenly spread. */
    private static int[] between(int low, int high) {
        int step = (high - low + AT_ONCE - 1) / AT_ONCE;
        return IntStream.iterate(low + step, number -> number < high + step, number -> number + step)
                .map(number -> Math.min(number, high))
                .toArray();
    }

    private static String numbered(String slug, int number) {
        return number == 1 ? slug : Slugs.numbered(slug, number);
    }
}
