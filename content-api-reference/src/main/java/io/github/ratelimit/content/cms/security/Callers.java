package io.github.ratelimit.content.cms.security;

import jakarta.servlet.ServletRequest;

/** Where a request's caller is kept once it is known. */
public final class Callers {
    private static final String ATTRIBUTE = Callers.class.getName();

    private Callers() {}

    /**
     * Tells who sent a request.
     *
     * @param request a request that passed the authentication filter
     * @return its caller; anonymous where no credentials came, or wrong ones
     */
    public static Caller of(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof Caller caller ? caller : Caller.anonymous();
    }

    /**
     * Sets who sent a request. For tests that come without credentials, and for the filter.
     *
     * @param request the request
     * @param caller who sent it
     */
    public static void set(ServletRequest request, Caller caller) {
        request.setAttribute(ATTRIBUTE, caller);
    }
}
