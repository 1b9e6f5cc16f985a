package io.github.ratelimit.content.cms.rest;

import jakarta.servlet.ServletRequest;
import java.util.List;
import java.util.Optional;

/** The requests that a request holds, known before anything is decided about it: a batch costs as many permits. */
public final class RestParts {
    private static final String ATTRIBUTE = RestParts.class.getName();

    private final Dispatcher.Prepared whole;
    private final List<RestPart> parts;

    private RestParts(Dispatcher.Prepared whole, List<RestPart> parts) {
        this.whole = whole;
        this.parts = List.copyOf(parts);
    }

    /**
     * Tells what a request holds.
     *
     * @param request any
     * @return empty for a request that is only itself
     */
    public static List<RestPart> of(ServletRequest request) {
        return known(request).map(known -> known.parts).orElse(List.of());
    }

    /** Finds the request that was read to tell its parts. It is the one that is served: nothing is read twice. */
    static Optional<Dispatcher.Prepared> whole(ServletRequest request) {
        return known(request).map(known -> known.whole);
    }

    private static Optional<RestParts> known(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof RestParts known ? Optional.of(known) : Optional.empty();
    }

    static void set(ServletRequest request, Dispatcher.Prepared whole, List<RestPart> parts) {
        request.setAttribute(ATTRIBUTE, new RestParts(whole, parts));
    }
}
