package io.github.ratelimit.content.shared.container;

import jakarta.servlet.http.HttpServletRequest;

/** What a request is to do, for the surfaces that may be asked to take it for one of another method. */
@FunctionalInterface
public interface MeantMethod {
    /**
     * Tells the method that a request is served as.
     *
     * @param http its body is not read
     * @return as on the wire; empty for one that is refused for what it asks to be
     */
    String of(HttpServletRequest http);
}
