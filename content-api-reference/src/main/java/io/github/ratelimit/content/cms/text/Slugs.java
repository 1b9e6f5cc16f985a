package io.github.ratelimit.content.cms.text;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The names that items have in addresses.
 *
 * <p>Letters with accents become plain ones, other scripts are percent-encoded, everything else that is no letter, digit,
 * underscore or hyphen goes away.
 */
public final class Slugs {
    /** The most characters that a slug has. Chosen: what clients and other servers of this interface store. */
    public static final int MAX_LENGTH = 200;

    /**
     * The most characters of a text that a slug is made of. Chosen: an address and a title of people are far shorter, and what
     * comes later could be part of the slug only where all before it is left out.
     */
    public static final int LONGEST_SOURCE = 10_000;

    /** No slug is long, so that a pattern may look for an end again. */
    private static final Pattern REFERENCE = Pattern.compile("&.[^;]*+;", Pattern.DOTALL);

    private static final String TIMES = encoded('×');

    /**
     * The first and the last of each run of letters that lose their accents: those of Western, Central and Northern Europe,
     * of Romanian, Pinyin and Vietnamese. Other letters are encoded, Latin ones too. Chosen: what clients of this interface
     * know.
     */
    private static final int[][] ACCENTED = {
        {0x00c0, 0x017f}, {0x01a0, 0x01a1}, {0x01af, 0x01b0}, {0x01cd, 0x01dc}, {0x0218, 0x021b}, {0x1ea0, 0x1ef9}
    };

    /** Latin letters that no normal form takes apart, each with its plain spelling. */
    private static final Map<Integer, String> LETTERS = Stream.of(
                    ("ªa ºo Æae æae Ðd ðd Đd đd Ħh ħh ıi Ĳij ĳij ĸk Ŀl ŀl Łl łl ŉn Ŋn ŋn Øo øo Œoe œoe ßs ſs Þth þth Ŧt ŧt "
                                    + "ɑa Əe ǝe €e £")
                            .split(" ", -1))
            .collect(Collectors.toMap(pair -> pair.codePointAt(0), pair -> pair.substring(1)));

    /** Spaces and dashes that count as a hyphen, and how HTML spells some of them. */
    private static final List<String> GAPS = Stream.concat(
                    encodedEach("\u00a0\u2011\u2013\u2014\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
                            + "\u2009\u200a\u2028\u2029\u202f"),
                    Stream.of("&nbsp;", "&#160;", "&#8209;", "&ndash;", "&#8211;", "&mdash;", "&#8212;", "/"))
            .toList();

    /** Marks beyond ASCII that are no part of a word. */
    private static final List<String> DROPPED = encodedEach("\u00a1\u00a9\u00ab\u00ad\u00ae\u00b0\u00b4\u00bb\u00bf"
                    + "\u02ca\u0300\u0301\u0304\u030c\u0341\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f"
                    + "\u2022\u2026\u2039\u203a\u2122\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d"
                    + "\u202e\ufeff\ufffc")
            .toList();

    /** Chosen: an index tells about so many nearly as fast as about one. */
    private static final int AT_ONCE = 16;

    private Slugs() {}

    /**
     * Makes a slug of a title, or of what a client sent as one.
     *
     * <p>A slug stays as it is, so the result may be passed in again.
     *
     * @param text any text; HTML tags and character references are left out
     * @return at most {@link #MAX_LENGTH} characters; empty where nothing is left (the item's id serves then)
     */
    public static String of(String text) {
        String plain = Markup.withoutTags(Letters.beginning(text, LONGEST_SOURCE));
        String composed = Letters.normalized(plain, Normalizer.Form.NFC);
        String slug = encoded(composed);
        if (slug.indexOf('%') >= 0 || slug.indexOf('&') >= 0 || slug.indexOf('/') >= 0) {
            for (String gap : GAPS) {
                slug = slug.replace(gap, "-");
            }
            for (String mark : DROPPED) {
                slug = slug.replace(mark, "");
            }
            slug = slug.replace(TIMES, "x");
        }
        return hyphenated(withoutReferences(slug));
    }

    /** Spells every letter in ASCII and in lower case, and leaves out what does not fit any more. */
    private static String encoded(String text) {
        StringBuilder spelled = new StringBuilder(Math.min(text.length(), MAX_LENGTH) + 16);
        for (int at = 0; at < text.length(); ) {
            int letter = text.codePointAt(at);
            int length = isEncodedByte(text, at) ? 3 : Character.charCount(letter);
            String part = length == 3 ? text.substring(at, at + 3) : spelled(letter);
            if (spelled.length() + part.length() > MAX_LENGTH) {
                break;
            }
            spelled.append(part);
            at += length;
        }
        return Letters.lower(spelled.toString());
    }

    /** Leaves letters, digits, underscores and encoded bytes, and one hyphen for what is between them. */
    private static String hyphenated(String spelled) {
        String words = spelled.replaceAll("[^a-z0-9_% .-]", "").replaceAll("[ .-]+", "-");
        return withoutLastHyphens(words.startsWith("-") ? words.substring(1) : words);
    }

    /**
     * Spells letters with accents plainly.
     *
     * @param text any text
     * @return the same in its letter case; letters and signs of other scripts stay, accents without a letter go away
     */
    public static String withoutAccents(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        String composed = Letters.normalized(text, Normalizer.Form.NFC);
        composed.codePoints().forEach(letter -> {
            if (letter < 0x80) {
                plain.append((char) letter);
                return;
            }
            String spelled = spelled(letter);
            if (!spelled.startsWith("%")) {
                plain.append(Character.isUpperCase(letter) ? spelled.toUpperCase(Locale.ROOT) : spelled);
            } else if (!isAccent(letter)) {
                plain.appendCodePoint(letter);
            }
        });
        return plain.toString();
    }

    /** Of what any script uses, joiners are no accents. */
    private static boolean isAccent(int sign) {
        return Character.UnicodeScript.of(sign) == Character.UnicodeScript.INHERITED
                && Character.getType(sign) != Character.FORMAT;
    }

    /** Returns the slug with a number from 2 on at its end, shortened so that both fit. */
    static String numbered(String slug, int number) {
        if (number == 1) {
            return slug;
        }
        String end = "-" + number;
        int room = MAX_LENGTH - end.length();
        if (slug.length() <= room) {
            return slug + end;
        }
        return withoutLastHyphens(slug.substring(0, characterStart(slug, room))) + end;
    }

    /** Finds the last place, at or before a limit, where no percent-encoded character is cut in two. */
    private static int characterStart(String slug, int limit) {
        int at = limit;
        for (int back = 1; back <= 2 && back <= at; back++) {
            if (slug.charAt(at - back) == '%') {
                at -= back;
                break;
            }
        }
        // The bytes after the first one of a character have the form 10xxxxxx.
        while (at >= 3 && at < slug.length() && isEncodedByte(slug, at) && "89ab".indexOf(slug.charAt(at + 1)) >= 0) {
            at -= 3;
        }
        return at;
    }

    private static String spelled(int letter) {
        if (letter < 0x80) {
            return letter == '%' ? "" : String.valueOf((char) letter);
        }
        String latin = LETTERS.get(letter);
        if (latin != null) {
            return latin;
        }
        if (Character.getType(letter) == Character.SURROGATE) {
            return "";
        }
        for (int[] run : ACCENTED) {
            if (run[0] <= letter && letter <= run[1]) {
                String parts = Normalizer.normalize(Character.toString(letter), Normalizer.Form.NFD);
                return parts.charAt(0) < 0x80 ? parts.substring(0, 1) : encoded(Character.toLowerCase(letter));
            }
        }
        return encoded(Character.toLowerCase(letter));
    }

    private static Stream<String> encodedEach(String letters) {
        return letters.codePoints().mapToObj(Slugs::encoded);
    }

    private static String encoded(int letter) {
        return Letters.lower(URLEncoder.encode(Character.toString(letter), StandardCharsets.UTF_8));
    }

    private static boolean isEncodedByte(String text, int at) {
        return at + 2 < text.length()
                && text.charAt(at) == '%'
                && Character.digit(text.charAt(at + 1), 16) >= 0
                && Character.digit(text.charAt(at + 2), 16) >= 0;
    }

    /** Leaves out what begins with an ampersand and ends with the next semicolon on its line. */
    private static String withoutReferences(String text) {
        return REFERENCE.matcher(text).replaceAll("");
    }

    private static String withoutLastHyphens(String slug) {
        return slug.replaceAll("-+\\z", "");
    }

    /**
     * Finds a free slug among {@code slug}, {@code slug-2}, {@code slug-3} …
     *
     * <p>The first numbers are all tried. Beyond them the number is doubled until it is free, and then the border between
     * taken and free numbers is narrowed down: few queries, however many items share a title.
     *
     * <p>A free slug may be taken a moment later. The database then rejects it, and the caller tries again.
     *
     * @param slug the wish
     * @param isReserved whether the wish itself cannot be had
     * @param taken selects the taken ones of several slugs
     * @return a slug that was free when {@code taken} was asked
     */
    public static String free(String slug, boolean isReserved, UnaryOperator<Set<String>> taken) {
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
}
