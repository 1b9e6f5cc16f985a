package io.github.ratelimit.content.cms.text;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Finds a slug that nobody has among {@code slug}, {@code slug-2}, {@code slug-3} …
 *
 * <p>The first ones are all asked for, so that among few the first free one is found. Beyond them the numbers are doubled
 * until one is free, and then the border between taken and free ones is narrowed down: that takes one look for each power
 * of sixteen, however many items share a title. Where there are gaps among the taken, any of them may be the border. Where all
 * doubled numbers are taken, which takes somebody who chose them, numbers are drawn.
 *
 * <p>What is free now may be taken in a moment: the database has the last word, and whoever is refused asks again.
 */
public final class FreeSlugs {
    /** Chosen: an index tells about so many nearly as fast as about one. */
    private static final int AT_ONCE = 16;

    /** Chosen: as many may be taken while somebody looks. */
    private static final int NEAR = 4;

    /** Beyond any number of items, and sums of such numbers are numbers. */
    private static final int HIGHEST = 1 << 30;

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
        return numbered(slug, number(slug, isReserved, 0, taken));
    }

    /**
     * Finds the number of one.
     *
     * @param slug the wish
     * @param isReserved whether the wish itself cannot be had
     * @param expected where the border was when somebody last looked; anything where nobody did. A good guess saves all looks but the first
     * @param taken finds those of several slugs that somebody has
     * @return of a slug that was free when {@code taken} was asked; 1 for the wish itself
     */
    public static int number(String slug, boolean isReserved, int expected, UnaryOperator<Set<String>> taken) {
        int last = isReserved ? 1 : 0;
        int[] numbers = IntStream.rangeClosed(last + 1, AT_ONCE).toArray();
        if (expected > AT_ONCE && expected < HIGHEST) {
            int[] first = numbers;
            int[] near = IntStream.rangeClosed(Math.max(AT_ONCE, expected - 1), expected + NEAR)
                    .toArray();
            Set<Integer> there = taken(slug, IntStream.concat(IntStream.of(first), IntStream.of(near)), taken);
            int place = firstFree(first, there);
            if (place < first.length) {
                return first[place];
            }
            int border = firstFree(near, there);
            if (border > 0 && border < near.length) {
                return near[border];
            }
            last = border == 0 ? AT_ONCE : near[border - 1];
            numbers = doubled(last);
        }
        while (numbers.length > 0) {
            int place = firstFree(numbers, taken(slug, IntStream.of(numbers), taken));
            last = place == 0 ? last : numbers[place - 1];
            if (place == numbers.length) {
                numbers = doubled(last);
            } else if (numbers[place] == last + 1) {
                return numbers[place];
            } else {
                numbers = between(last, numbers[place]);
            }
        }
        return drawn(slug, taken);
    }

    /** All doublings are taken only where somebody chose them to be. Of all numbers nobody has more than a few. */
    private static int drawn(String slug, UnaryOperator<Set<String>> taken) {
        while (true) {
            int[] numbers = ThreadLocalRandom.current()
                    .ints(AT_ONCE, AT_ONCE + 1, HIGHEST)
                    .toArray();
            int place = firstFree(numbers, taken(slug, IntStream.of(numbers), taken));
            if (place < numbers.length) {
                return numbers[place];
            }
        }
    }

    private static int[] doubled(int last) {
        return LongStream.iterate(2L * last, number -> 2 * number)
                .takeWhile(number -> number <= HIGHEST)
                .mapToInt(number -> (int) number)
                .toArray();
    }

    private static Set<Integer> taken(String slug, IntStream numbers, UnaryOperator<Set<String>> taken) {
        Map<String, Integer> wishes = new HashMap<>();
        numbers.forEach(number -> wishes.put(numbered(slug, number), number));
        return taken.apply(wishes.keySet()).stream().map(wishes::get).collect(Collectors.toSet());
    }

    private static int firstFree(int[] numbers, Set<Integer> taken) {
        int place = 0;
        while (place < numbers.length && taken.contains(numbers[place])) {
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

    /**
     * Spells a slug with its number.
     *
     * @param slug the wish
     * @param number 1 or more
     * @return the wish itself for 1
     */
    public static String numbered(String slug, int number) {
        return number == 1 ? slug : Slugs.numbered(slug, number);
    }
}
