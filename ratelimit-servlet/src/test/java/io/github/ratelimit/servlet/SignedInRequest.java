package io.github.ratelimit.servlet;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** Is signed in as whom a header field names: as behind an application's authentication. */
final class SignedInRequest extends HttpServletRequestWrapper {

    private final @Nullable Principal principal;

    SignedInRequest(ServletRequest request) {
        super((HttpServletRequest) request);
        String name = getHeader("User");
        this.principal = name == null ? null : () -> name;
    }

    @Override
    public @Nullable Principal getUserPrincipal() {
        return principal;
    }
}
