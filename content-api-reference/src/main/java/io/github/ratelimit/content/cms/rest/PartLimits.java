package io.github.ratelimit.content.cms.rest;

import jakarta.servlet.MultipartConfigElement;
import java.nio.file.Path;

/**
 * The limits of a body with parts, and the folder of its files.
 *
 * <p>Not a {@link MultipartConfigElement}: as a bean, that would let every servlet store files.
 *
 * @param file the most bytes of one file
 * @param body the most bytes of all parts together
 * @param folder contains the files until their request ends
 */
public record PartLimits(long file, long body, Path folder) {
    /** Longer parts are files. Fields of the usual length stay in memory. */
    private static final int IN_MEMORY = 16 * 1024;

    MultipartConfigElement forServlet() {
        return new MultipartConfigElement(folder.toString(), file, body, IN_MEMORY);
    }
}
