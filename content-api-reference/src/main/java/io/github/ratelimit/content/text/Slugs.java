package io.github.ratelimit.content.text;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Map;

/**
 * The names that items have in addresses.
 *
 * <p>Letters with accents become plain ones, other scripts are percent-encoded, everything else that is no letter, digit,
 * underscore or hyphen goes away.
 */
public final class Slugs {
    /** The most characters that a slug has. Chosen: what clients and other servers of this interface store. */
    public static final int MAX_LENGTH = 200;

    private static final String HEX = "0123456789abcdef";

    /** Latin letters that no normal form takes apart. */
    private static final Map<Integer, String> LETTERS = Map.ofEntries(
            Map.entry((int) 'ª', "a"),
            Map.entry((int) 'º', "o"),
            Map.entry((int) 'Æ', "ae"),
            Map.entry((int) 'æ', "ae"),
            Map.entry((int) 'Ǽ', "ae"),
            Map.entry((int) 'ǽ', "ae"),
            Map.entry((int) 'Ð', "d"),
            Map.entry((int) 'ð', "d"),
            Map.entry((int) 'Đ', "d"),
            Map.entry((int) 'đ', "d"),
            Map.entry((int) 'Ħ', "h"),
            Map.entry((int) 'ħ', "h"),
            Map.entry((int) 'ı', "i"),
            Map.entry((int) 'Ĳ', "ij"),
            Map.entry((int) 'ĳ', "ij"),
            Map.entry((int) 'ĸ', "k"),
            Map.entry((int) 'Ŀ', "l"),
            Map.entry((int) 'ŀ', "l"),
            Map.entry((int) 'Ł', "l"),
            Map.entry((int) 'ł', "l"),
            Map.entry((int) 'ŉ', "n"),
            Map.entry((int) 'Ŋ', "n"),
            Map.entry((int) 'ŋ', "n"),
            Map.entry((int) 'Ø', "o"),
            Map.entry((int) 'ø', "o"),
            Map.entry((int) 'Ǿ', "o"),
            Map.entry((int) 'ǿ', "o"),
            Map.entry((int) 'Œ', "oe"),
            Map.entry((int) 'œ', "oe"),
            Map.entry((int) 'ß', "ss"),
            Map.entry((int) 'ſ', "s"),
            Map.entry((int) 'Þ', "th"),
            Map.entry((int) 'þ', "th"),
            Map.entry((int) 'Ŧ', "t"),
            Map.entry((int) 'ŧ', "t"),
            Map.entry((int) '€', "e"),
            Map.entry((int) '×', "x"));

    /** Marks that look like a hyphen or a space, and count as one. */
    private static final String GAPS = "\u00a0\u2010\u2011\u2012\u2013\u2014\u2015./";

    /** Marks beyond ASCII that are no part of a word. */
    private static final String DROPPED = "\u00a1\u00a3\u00a9\u00ab\u00ad\u00ae\u00b0\u00b4\u00bb\u00bf"
            + "\u0300\u0301\u0304\u030c\u02ca\u02c7\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2020\u2021"
            + "\u2022\u2026\u2039\u203a\u2122\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060"
            + "\ufeff\ufffc\ufffd";

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
        String plain = withoutReferences(Markup.withoutTags(text));
        String composed = Normalizer.normalize(plain, Normalizer.Form.NFC);
        StringBuilder slug = new StringBuilder(Math.min(composed.length(), MAX_LENGTH) + 16);
        for (int at = 0; at < composed.length(); ) {
            int letter = composed.codePointAt(at);
            int length = isEncodedByte(composed, at) ? 3 : Character.charCount(letter);
            String part = length == 3 ? composed.substring(at, at + 3).toLowerCase(Locale.ROOT) : spelled(letter);
            if (slug.length() + part.length() > MAX_LENGTH) {
                break;
            }
            if (!part.equals("-") || !(slug.isEmpty() || slug.charAt(slug.length() - 1) == '-')) {
                slug.append(part);
            }
            at += length;
        }
        return withoutLastHyphens(slug.toString());
    }

    /**
     * Makes the slug that is tried when another item has it already.
     *
     * @param slug the slug that is taken
     * @param number 2 for the first try, and so on
     * @return the slug with the number at its end, shortened so that both fit
     */
    public static String numbered(String slug, int number) {
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
            return ascii((char) letter);
        }
        String latin = LETTERS.get(letter);
        if (latin != null) {
            return latin;
        }
        if (GAPS.indexOf(letter) >= 0 || Character.isWhitespace(letter)) {
            return "-";
        }
        if (DROPPED.indexOf(letter) >= 0 || Character.getType(letter) == Character.SURROGATE) {
            return "";
        }
        return Character.UnicodeScript.of(letter) == Character.UnicodeScript.LATIN
                ? withoutAccents(letter)
                : encoded(Character.toLowerCase(letter));
    }

    private static String ascii(char letter) {
        if ((letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '_') {
            return String.valueOf(letter);
        }
        if (letter >= 'A' && letter <= 'Z') {
            return String.valueOf((char) (letter + ('a' - 'A')));
        }
        return letter == '-' || letter == '.' || letter == '/' || Character.isWhitespace(letter) ? "-" : "";
    }

    private static String withoutAccents(int letter) {
        String parts = Normalizer.normalize(Character.toString(letter), Normalizer.Form.NFD);
        char base = parts.charAt(0);
        return base < 0x80 ? ascii(base) : encoded(Character.toLowerCase(letter));
    }

    private static String encoded(int letter) {
        StringBuilder bytes = new StringBuilder(12);
        for (byte one : Character.toString(letter).getBytes(StandardCharsets.UTF_8)) {
            bytes.append('%').append(HEX.charAt((one >> 4) & 0xf)).append(HEX.charAt(one & 0xf));
        }
        return bytes.toString();
    }

    private static boolean isEncodedByte(String text, int at) {
        return at + 2 < text.length()
                && text.charAt(at) == '%'
                && Character.digit(text.charAt(at + 1), 16) >= 0
                && Character.digit(text.charAt(at + 2), 16) >= 0;
    }

    /** Leaves out what begins with an ampersand and ends with the next semicolon on its line. */
    private static String withoutReferences(String text) {
        int from = text.indexOf('&');
        if (from < 0) {
            return text;
        }
        StringBuilder rest = new StringBuilder(text.length());
        int copied = 0;
        int end = -1;
        while (from >= 0) {
            if (end < from + 2) {
                end = text.indexOf(';', from + 2);
            }
            if (end < 0) {
                break;
            }
            rest.append(text, copied, from);
            copied = end + 1;
            from = text.indexOf('&', copied);
        }
        return rest.append(text, copied, text.length()).toString();
    }

    private static String withoutLastHyphens(String slug) {
        int end = slug.length();
        while (end > 0 && slug.charAt(end - 1) == '-') {
            end--;
        }
        return slug.substring(0, end);
    }
}
