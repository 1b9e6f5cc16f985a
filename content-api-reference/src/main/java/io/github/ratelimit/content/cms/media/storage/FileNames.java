package io.github.ratelimit.content.cms.media.storage;

import io.github.ratelimit.content.cms.text.Letters;
import io.github.ratelimit.content.cms.text.Slugs;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Makes names that are safe in a file system, in an address and on a page out of what people and programs send.
 *
 * <p>Pure. A clean name consists of {@code A-Z a-z 0-9 _ - @}, letters, signs and punctuation of other scripts, what
 * joins two of these, and single dots, has no dot,
 * hyphen or underscore at either end, an extension in lower case, and at most 233 bytes {@linkplain #onDisk on disk}.
 */
public final class FileNames {

    /** Bytes on disk. Chosen: leaves room for a number and a size behind it within the 255 of every file system. */
    private static final int LONGEST = 233;

    private static final int LONGEST_EXTENSION = 10;

    private static final Pattern GAPS = Pattern.compile("[\\r\\n\\t\\p{Z}-]+");
    /**
     * Marks that reorder or hide a text are neither letters nor punctuation, so they are among these, as are quotation marks. Fillers of Korean
     * syllables count as letters and the empty pattern of Braille as a sign, and show nothing.
     */
    private static final Pattern FORBIDDEN = Pattern.compile("[\\p{ASCII}&&[^A-Za-z0-9_.@-]]"
            + "|[^\\p{ASCII}\\p{L}\\p{M}\\p{N}\\p{S}\\p{P}\u200C\u200D]|[\u2019\u201C\u201D«»]"
            + "|[\u115F\u1160\u3164\uFFA0\u2800]");

    /** What joins nothing hides; between signs of other scripts it is how words of Persian or Hindi and families of emoji are spelled. */
    private static final Pattern JOINER =
            Pattern.compile("([^\\p{ASCII}\\p{C}\\p{Z}][\u200C\u200D](?=[^\\p{ASCII}\\p{C}\\p{Z}]))|[\u200C\u200D]");

    private static final Pattern DOTS = Pattern.compile("\\.{2,}");
    private static final Pattern LIKE_AN_EXTENSION = Pattern.compile("[A-Za-z]{2,5}[0-9]?");

    /** Names that some file systems take for devices, whatever stands behind a dot. */
    private static final Pattern DEVICE = Pattern.compile("(?i)con|prn|aux|nul|com[0-9]|lpt[0-9]");

    /** Names that sub-sizes and scaled pictures have. */
    private static final Pattern DERIVED = Pattern.compile("(?i).*-(?:[0-9]+x[0-9]+|scaled|rotated)");

    private FileNames() {}

    /**
     * Cleans a name.
     *
     * @param name as it was sent; letters with accents become plain ones, spaces hyphens, plain punctuation and quotation marks go away
     * @return a clean name; its extension is empty if none was given
     */
    public static String clean(String name) {
        String spaced = GAPS.matcher(Slugs.withoutAccents(name)).replaceAll("-");
        String allowed = joined(FORBIDDEN.matcher(spaced).replaceAll(""));
        // Once more: what stood between a letter and its mark, or parts of a syllable, is gone.
        String plain = DOTS.matcher(Slugs.withoutAccents(allowed)).replaceAll(".");
        String trimmed = withoutEmptyExtensions(trim(GAPS.matcher(plain).replaceAll("-")));
        if (trimmed.isEmpty()) {
            return "unnamed-file";
        }
        if (FileType.hasExtension(trimmed)) {
            return "unnamed-file." + trimmed.toLowerCase(Locale.ROOT);
        }
        String extension = kept(extension(trimmed));
        String whole = stem(trimmed) + (extension.isEmpty() ? "" : "." + extension);
        if (!whole.equals(trimmed)) {
            return clean(whole); // as if it had been sent so: small letters may have accents of their own
        }
        String stem = withoutSecondExtensions(stem(trimmed));
        if (DEVICE.matcher(stem.split("\\.", 2)[0]).matches()) {
            stem = "file-" + stem;
        }
        int room = LONGEST - onDisk(extension).length() - 1;
        String cut = Letters.beginning(stem, room);
        while (onDisk(cut).length() > room) {
            cut = Letters.beginning(cut, cut.length() - 1);
        }
        // A cut must not make an extension of what was none.
        stem = cut.length() < stem.length()
                ? GAPS.matcher(trim(cut).replace('.', '-')).replaceAll("-")
                : stem;
        // Nor must it leave half of what was joined.
        return joined(extension.isEmpty() ? stem : stem + "." + extension);
    }

    /** Where nothing is left of an extension, what stands before it may be one. */
    private static String withoutEmptyExtensions(String name) {
        int end = name.length();
        int dot = name.lastIndexOf('.');
        while (dot >= 0 && kept(name.substring(dot + 1, end)).isEmpty()) {
            end = dot;
            dot = name.lastIndexOf('.', dot - 1);
        }
        return end == name.length() ? name : trim(name.substring(0, end));
    }

    /** Returns the beginning of an extension. Chosen: longer than that of any file that is taken. */
    private static String kept(String extension) {
        return trim(Letters.beginning(extension, LONGEST_EXTENSION));
    }

    private static String joined(String name) {
        return JOINER.matcher(name).replaceAll("$1");
    }

    /**
     * Spells a path as it lies on disk: what is not ASCII as the bytes of an address, as not every system can name it otherwise.
     *
     * @param path clean names, parted by slashes; of any other path, what comes out is no clean one
     */
    static String onDisk(String path) {
        return URLEncoder.encode(path, StandardCharsets.UTF_8)
                .replace("%40", "@")
                .replace("%2F", "/");
    }

    /** Spells a path that {@link #onDisk} returned as it was. */
    static String fromDisk(String path) {
        return URLDecoder.decode(path, StandardCharsets.UTF_8);
    }

    /** Some servers run a file because of an extension that is not the last one. */
    private static String withoutSecondExtensions(String stem) {
        int dot = stem.indexOf('.');
        if (dot < 0) {
            return stem;
        }
        StringBuilder kept = new StringBuilder(stem.substring(0, dot));
        for (String part : stem.substring(dot + 1).split("\\.", -1)) {
            boolean isForeign = LIKE_AN_EXTENSION.matcher(part).matches() && !FileType.hasExtension(part);
            kept.append('.').append(part).append(isForeign ? "_" : "");
        }
        return kept.toString();
    }

    /** Returns what stands behind the last dot, in lower case; empty if there is none. */
    public static String extension(String name) {
        int dot = name.lastIndexOf('.');
        return dot < 0 ? "" : name.substring(dot + 1).toLowerCase(Locale.ROOT);
    }

    /** Returns a name without its extension. */
    public static String stem(String name) {
        int dot = name.lastIndexOf('.');
        return dot < 0 ? name : name.substring(0, dot);
    }

    /**
     * Returns a name with a number behind it.
     *
     * @param name a clean name
     * @param number 0 for the name itself, unless it looks like that of a sub-size
     */
    public static String numbered(String name, int number) {
        int shown = DERIVED.matcher(stem(name)).matches() ? number + 1 : number;
        return shown == 0 ? name : withSuffix(name, "-" + shown);
    }

    /**
     * Returns a name with something between its stem and its extension.
     *
     * @param suffix of letters that a clean name may have
     */
    public static String withSuffix(String name, String suffix) {
        String extension = extension(name);
        return stem(name) + suffix + (extension.isEmpty() ? "" : name.substring(name.lastIndexOf('.')));
    }

    /** Returns a name with another stem. */
    public static String withStem(String name, String stem) {
        return stem + name.substring(stem(name).length());
    }

    private static String trim(String part) {
        int start = 0;
        int end = part.length();
        while (start < end && isEdge(part.charAt(start))) {
            start++;
        }
        while (end > start && isEdge(part.charAt(end - 1))) {
            end--;
        }
        return part.substring(start, end);
    }

    private static boolean isEdge(char one) {
        return one == '.' || one == '-' || one == '_';
    }
}
