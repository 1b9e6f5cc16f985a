package io.github.ratelimit.content.cms.rest;

import jakarta.servlet.MultipartConfigElement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * How much the parts of a body may hold, and where they are stored.
 *
 * <p>Not the container's own type: as a bean that one would let every servlet store what anybody sends.
 *
 * @param file bytes of one file
 * @param body bytes of all parts together
 * @param folder where files lie as long as their request is served
 * @param failure makes of a failure to store one there what is thrown
 */
public record PartLimits(long file, long body, Path folder, Function<IOException, RuntimeException> failure) {
    /**
     * Fields stay in memory, files do not. Chosen: longer than most texts, and no shorter than what is read of a stranger by default, who is to have
     * nothing stored.
     */
    private static final int IN_MEMORY = 16 * 1024;

    /** What the container reads, unless server.tomcat.max-part-count says otherwise. */
    private static final int MOST_PARTS = 50;

    /** In bytes, of one body whose parts may be stored: each may be as short as stays there. */
    static final int MOST_IN_MEMORY = MOST_PARTS * IN_MEMORY;

    /**
     * Says whether parts may be too long to stay in memory.
     *
     * @param length of all of them, negative where it is not known
     */
    static boolean areStored(long length) {
        return length < 0 || length > IN_MEMORY;
    }

    MultipartConfigElement forServlet() {
        return new MultipartConfigElement(folder.toString(), file, body, IN_MEMORY);
    }
}
