package io.github.ratelimit.content.cms.rest;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Looks into requests that hold others, before a limiter decides about them.
 *
 * <p>Only such requests are read here, up to the size that is read at all; everything else passes untouched.
 */
final class PartsFilter implements Filter {
    private final Dispatcher dispatcher;
    private final RequestReader reader;

    PartsFilter(Dispatcher dispatcher, RequestReader reader) {
        this.dispatcher = dispatcher;
        this.reader = reader;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest http && http.getMethod().equals("POST")) {
            lookInto(http);
        }
        chain.doFilter(request, response);
    }

    private void lookInto(HttpServletRequest http) throws IOException {
        try {
            ObjectNode query = reader.query(http);
            Optional<RestMethod> method = RequestReader.method(http, query);
            if (method.isPresent()) {
                lookInto(http, RequestReader.bare(http, method.get(), reader.origin(http), query), query);
            }
        } catch (RestError unreadable) {
            // The servlet will say so.
        }
    }

    private void lookInto(HttpServletRequest http, RestRequest bare, ObjectNode query) throws IOException {
        Optional<Endpoint> endpoint = dispatcher.endpoint(bare).filter(Endpoint::holdsOthers);
        if (endpoint.isPresent()) {
            RestRequest whole = reader.request(http, bare.method(), reader.origin(http), query, false);
            Dispatcher.Prepared prepared = dispatcher.prepare(whole);
            // One that is refused as a whole holds none: it costs as much as any request.
            boolean isServed = prepared.refusal() == null;
            RestParts.set(http, prepared, isServed ? endpoint.get().parts().apply(prepared.request()) : List.of());
        }
    }
}
