package io.github.ratelimit.content.cms.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.security.Principal;

/** Tells limiters, logs and the audit of changes who is signed in. */
public final class SignedRequest extends HttpServletRequestWrapper {
    private final String login;

    /**
     * Adds a login name to a request.
     *
     * @param request the request
     * @param login of the account that was found
     */
    public SignedRequest(HttpServletRequest request, String login) {
        super(request);
        this.login = login;
    }

    @Override
    public String getRemoteUser() {
        return login;
    }

    @Override
    public Principal getUserPrincipal() {
        return () -> login;
    }
}
