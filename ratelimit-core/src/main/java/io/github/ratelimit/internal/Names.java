package io.github.ratelimit.internal;

import static java.util.Objects.requireNonNull;

import java.util.regex.Pattern;

/** The form that names of limits and limiters share: they become parts of stored keys, header fields and metric tags. */
public final class Names {

    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private Names() {}

    /** Checks a name. */
    public static void require(String kind, String name) {
        requireNonNull(name, () -> kind + ": name must not be null");
        if (!FORM.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "%s '%s': name must be 1 to 64 of the characters A-Z, a-z, 0-9, '.', '_' and '-'"
                            .formatted(kind, shown(name)));
        }
    }

    /** A rejected name may be anything: it is cut and stripped of control characters before it goes into a message. */
    private static String shown(String name) {
        String start = name.length() > 64 ? name.substring(0, 64) + "…" : name;
        return start.replaceAll("\\p{Cntrl}", "?");
    }
}
