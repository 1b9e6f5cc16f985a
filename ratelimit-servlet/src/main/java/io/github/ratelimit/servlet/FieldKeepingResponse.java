package io.github.ratelimit.servlet;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

/** A response that sets the remembered fields again after somebody has reset it. */
final class FieldKeepingResponse extends HttpServletResponseWrapper {

    private final ServletRequest request;

    FieldKeepingResponse(ServletRequest request, HttpServletResponse response) {
        super(response);
        this.request = request;
    }

    @Override
    public void reset() {
        super.reset();
        ServletVerdict.rewriteFields(request, this);
    }
}
