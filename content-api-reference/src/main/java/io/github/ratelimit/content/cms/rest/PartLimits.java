package io.github.ratelimit.content.cms.rest;

import jakarta.servlet.MultipartConfigElement;
import java.nio.file.Path;

/**
 * The settings of uploads.
 *
 * <p>Not a {@link MultipartConfigElement}: as a bean, that would let every servlet store files.
 *
 * @param body the most bytes of a body with files
 * @param folder contains the parts until their request ends
 */
public record PartLimits(long body, Path folder) {
    /** Longer parts are written to disk. */
    private static final int IN_MEMORY = 16 * 1024;

    MultipartConfigElement forServlet() {
        return new MultipartConfigElement(folder.toString(), -1, -1, IN_MEMORY);
    }
}
