package io.github.ratelimit.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.http.Origin;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.List;
import org.eclipse.jetty.ee10.servlet.ServletApiRequest;
import org.eclipse.jetty.server.ForwardedRequestCustomizer;
import org.junit.jupiter.api.Test;

class FilterOnJettyTest extends FilterContract {

    @Override
    ServletServer start(List<Filter> filters) throws Exception {
        return JettyServer.start(new TestServlet(), filters);
    }

    /** The customizer rewrites below the servlet API; only Jetty's own types know better. */
    @Test
    void peerCanBeFoundBehindJettysCustomizer() throws Exception {
        Filter probe = (request, response, chain) -> {
            HttpServletRequest call = (HttpServletRequest) request;
            String found = call.getRemoteAddr() + " "
                    + ServletCall.of(call).origin().peer() + " "
                    + ServletCall.of(call, JETTY).origin().peer();
            ((HttpServletResponse) response).setHeader("Found", found);
            chain.doFilter(request, response);
        };
        try (ServletServer server =
                JettyServer.start(new TestServlet(), List.of(probe), new ForwardedRequestCustomizer())) {
            assertThat(send(server, "GET", "/free", "X-Forwarded-For: 198.51.100.1")
                            .values("Found"))
                    .containsExactly("198.51.100.1 198.51.100.1 127.0.0.1");
        }
    }

    // region jetty-origin
    private static final ServletOrigin JETTY = request -> {
        HttpServletRequest inner = ServletOrigin.innermost(request);
        InetSocketAddress peer = (InetSocketAddress) ((ServletApiRequest) inner)
                .getRequest()
                .getConnectionMetaData()
                .getConnection()
                .getEndPoint()
                .getRemoteSocketAddress();
        return Origin.of(
                peer.getAddress().getHostAddress(),
                inner.getRequestURI(),
                field -> Collections.list(inner.getHeaders(field)));
    };
    // endregion
}
