package io.github.ratelimit.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.http.Origin;
import io.undertow.server.handlers.ProxyPeerAddressHandler;
import io.undertow.servlet.spec.HttpServletRequestImpl;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class FilterOnUndertowTest extends FilterContract {

    @Override
    ServletServer start(List<Filter> filters) throws Exception {
        return UndertowServer.start(new TestServlet(), filters, handler -> handler);
    }

    /** The handler rewrites below the servlet API; only Undertow's own types know better. */
    @Test
    void peerCanBeFoundBehindUndertowsHandler() throws Exception {
        Filter probe = (request, response, chain) -> {
            HttpServletRequest call = (HttpServletRequest) request;
            String found = ServletCall.of(call).origin().peer() + " "
                    + ServletCall.of(call, UNDERTOW).origin().peer();
            ((HttpServletResponse) response).setHeader("Found", found);
            chain.doFilter(request, response);
        };
        try (ServletServer server =
                UndertowServer.start(new TestServlet(), List.of(probe), ProxyPeerAddressHandler::new)) {
            assertThat(send(server, "GET", "/free", "X-Forwarded-For: 198.51.100.1")
                            .values("Found"))
                    .containsExactly("198.51.100.1 127.0.0.1");
        }
    }

    // region undertow-origin
    private static final ServletOrigin UNDERTOW = request -> {
        HttpServletRequestImpl inner = (HttpServletRequestImpl) ServletOrigin.innermost(request);
        InetSocketAddress peer = inner.getExchange().getConnection().getPeerAddress(InetSocketAddress.class);
        return Origin.of(
                peer.getAddress().getHostAddress(),
                inner.getRequestURI(),
                field -> Collections.list(inner.getHeaders(field)));
    };
    // endregion
}
