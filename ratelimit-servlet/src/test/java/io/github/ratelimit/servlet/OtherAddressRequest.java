package io.github.ratelimit.servlet;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.Collections;
import java.util.Enumeration;

/** Says that it comes from where a header field says, as filters that believe forwarding fields do, and hides those. */
final class OtherAddressRequest extends HttpServletRequestWrapper {

    OtherAddressRequest(ServletRequest request) {
        super((HttpServletRequest) request);
    }

    @Override
    public String getRemoteAddr() {
        String claim = getHeader("Claim");
        return claim == null ? super.getRemoteAddr() : claim;
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        boolean hidden = name.equalsIgnoreCase("X-Forwarded-For") || name.equalsIgnoreCase("Forwarded");
        return hidden ? Collections.emptyEnumeration() : super.getHeaders(name);
    }
}
