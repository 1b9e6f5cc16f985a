package io.github.ratelimit.content.web;

import jakarta.servlet.ServletRequest;
import java.util.List;

/** The requests that a request holds, known before anything is decided about it: a batch costs as many permits. */
public final class RestParts {
    private static final String ATTRIBUTE = RestParts.class.getName();

    private final List<RestPart> parts;

    private RestParts(List<RestPart> parts) {
        this.parts = List.copyOf(parts);
    }

    /**
     * Tells what a request holds.
     *
     * @param request any
     * @return empty for a request that is only itself
     */
    public static List<RestPart> of(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof RestParts known ? known.parts : List.of();
    }

    static void set(ServletRequest request, List<RestPart> parts) {
        request.setAttribute(ATTRIBUTE, new RestParts(parts));
    }
}
