package io.github.ratelimit.content.media.storage;

import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Makes names that are safe in a file system, in an address and on a page out of what people and programs send.
 *
 * <p>Pure. A clean name consists of {@code A-Z a-z 0-9 _ -} and one dot before its extension, has no dot or hyphen in
 * front and at most 120 characters.
 */
public final class FileNames {

    /** Chosen: leaves room for the sizes behind it within the 255 bytes of every file system. */
    private static final int LONGEST = 120;

    private static final Pattern MARKS = Pattern.compile("\\p{M}+");
    private static final Pattern FORBIDDEN = Pattern.compile("[^A-Za-z0-9_-]+");
    private static final Pattern HYPHENS = Pattern.compile("-{2,}");

    /** Names that some file systems take for devices. */
    private static final Pattern DEVICE = Pattern.compile("(?i)con|prn|aux|nul|com[0-9]|lpt[0-9]");

    /** Names that sub-sizes and scaled pictures have. */
    private static final Pattern DERIVED = Pattern.compile("(?i).*-(?:[0-9]+x[0-9]+|scaled|rotated)");

    private FileNames() {}

    /**
     * Cleans a name.
     *
     * @param name as it was sent; folders in front of it, of any system, are dropped
     * @return a clean name; its extension is empty if none was given
     */
    public static String clean(String name) {
        String base = name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
        int dot = base.lastIndexOf('.');
        String extension = dot < 0 ? "" : part(base.substring(dot + 1)).replace("-", "");
        // Dots within would make second extensions, which some servers run.
        String stem = part(dot < 0 ? base : base.substring(0, dot));
        if (stem.isEmpty() || DEVICE.matcher(stem).matches()) {
            stem = stem.isEmpty() ? "file" : "file-" + stem;
        }
        if (extension.length() > 10) {
            extension = extension.substring(0, 10);
        }
        int room = LONGEST - extension.length() - 1;
        stem = stem.length() > room ? trim(stem.substring(0, room)) : stem;
        return extension.isEmpty() ? stem : stem + "." + extension;
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

    private static String part(String text) {
        String plain =
                MARKS.matcher(Normalizer.normalize(text, Normalizer.Form.NFKD)).replaceAll("");
        return trim(HYPHENS.matcher(FORBIDDEN.matcher(plain).replaceAll("-")).replaceAll("-"));
    }

    private static String trim(String part) {
        int start = 0;
        int end = part.length();
        while (start < end && part.charAt(start) == '-') {
            start++;
        }
        while (end > start && part.charAt(end - 1) == '-') {
            end--;
        }
        return part.substring(start, end);
    }
}
