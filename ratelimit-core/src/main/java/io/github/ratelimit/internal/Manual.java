package io.github.ratelimit.internal;

import org.jspecify.annotations.Nullable;

/** Addresses of the manual's pages, for messages. Thread-safe. */
public final class Manual {

    private static final String REPOSITORY = "https://github.com/ratelimit/ratelimit";

    private Manual() {}

    /**
     * The address of a page, as of this version of the library.
     *
     * @param path from the repository's root, such as {@code docs/redis.md}
     */
    public static String page(String path) {
        return page(path, Manual.class.getPackage().getImplementationVersion());
    }

    static String page(String path, @Nullable String version) {
        String tag = version == null || version.endsWith("-SNAPSHOT") ? "main" : "v" + version;
        return REPOSITORY + "/blob/" + tag + "/" + path;
    }
}
