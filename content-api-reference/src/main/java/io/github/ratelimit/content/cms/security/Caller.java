package io.github.ratelimit.content.cms.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/**
 * Who sends a request: nobody in particular, or an account.
 *
 * <p>A value, safe to share between threads. It says what was true when the request came in; a role that changes
 * meanwhile counts from the next request on.
 */
public record Caller(long accountId, String login, @Nullable Role role) implements Principal {
    private static final Caller ANONYMOUS = new Caller(0, "", null);

    /** Checks the id. */
    public Caller {
        if (role != null && accountId < 1) {
            throw new IllegalArgumentException("account id must be 1 or more, was " + accountId);
        }
    }

    /**
     * Returns the caller without credentials, or with wrong ones.
     *
     * @return a caller that may do nothing that needs a capability
     */
    public static Caller anonymous() {
        return ANONYMOUS;
    }

    /**
     * Says whether the caller may do something; an anonymous one may do nothing that has a name.
     *
     * @param capability what the caller wants to do
     * @return whether its role lists it
     */
    public boolean may(Capability capability) {
        return role != null && role.may(capability);
    }

    /**
     * Says whether the caller is nobody in particular.
     *
     * @return whether there is no account
     */
    public boolean isAnonymous() {
        return role == null;
    }

    /**
     * Says whether the caller is a certain account: the author of an item, the owner of a password.
     *
     * @param id an account's id; 0, the author of nothing, is nobody
     * @return whether the caller is that account
     */
    public boolean is(long id) {
        return !isAnonymous() && accountId == id;
    }

    /**
     * Names the caller's account as people do.
     *
     * @return its login name, or nothing for an anonymous caller
     */
    @Override
    public String getName() {
        return login;
    }

    /**
     * Tells who sends a request.
     *
     * @param request one that the authentication filter saw
     * @return anonymous unless its credentials were right
     */
    public static Caller of(HttpServletRequest request) {
        return request.getUserPrincipal() instanceof Caller caller ? caller : ANONYMOUS;
    }

    /**
     * Tells limiters, logs and the audit of changes who is signed in.
     *
     * @param request of this caller
     * @return the request with this caller as its user
     */
    public HttpServletRequest signed(HttpServletRequest request) {
        return new HttpServletRequestWrapper(request) {
            @Override
            public String getRemoteUser() {
                return login;
            }

            @Override
            public Principal getUserPrincipal() {
                return Caller.this;
            }
        };
    }

    @Override
    public String toString() {
        return isAnonymous() ? "anonymous" : "account " + accountId;
    }
}
