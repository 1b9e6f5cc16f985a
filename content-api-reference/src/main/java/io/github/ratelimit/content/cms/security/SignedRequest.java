package io.github.ratelimit.content.cms.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.security.Principal;

/** Tells limiters, logs and the audit of changes who is signed in. */
public final class SignedRequest extends HttpServletRequestWrapper {
    private final Caller caller;

    /**
     * Adds the caller to a request.
     *
     * @param request the request
     * @param caller the account that was found
     */
    public SignedRequest(HttpServletRequest request, Caller caller) {
        super(request);
        this.caller = caller;
    }

    @Override
    public String getRemoteUser() {
        return caller.getName();
    }

    @Override
    public Principal getUserPrincipal() {
        return caller;
    }
}
