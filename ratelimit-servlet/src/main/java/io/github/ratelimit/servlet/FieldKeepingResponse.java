package io.github.ratelimit.servlet;

import io.github.ratelimit.http.HttpVerdict;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

/** A response that sets the remembered fields again after somebody has reset it, and takes no second ones of a server behind. */
final class FieldKeepingResponse extends HttpServletResponseWrapper {

    private final RequestState remembered;

    FieldKeepingResponse(RequestState remembered, HttpServletResponse response) {
        super(response);
        this.remembered = remembered;
    }

    @Override
    public void reset() {
        super.reset();
        remembered.rewrite(this);
    }

    @Override
    public void addHeader(String name, String value) {
        if (!remembered.hasField(name)) {
            super.addHeader(name, value);
        } else if (getStatus() == HttpVerdict.TOO_MANY_REQUESTS && remembered.isAllowed()) {
            super.setHeader(name, value); // the server behind rejected the request by its own limits
        }
    }
}
