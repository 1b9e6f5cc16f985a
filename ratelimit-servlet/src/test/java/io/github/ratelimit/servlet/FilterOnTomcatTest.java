package io.github.ratelimit.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.apache.catalina.Valve;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.RemoteIpValve;
import org.apache.catalina.valves.ValveBase;
import org.junit.jupiter.api.Test;

class FilterOnTomcatTest extends FilterContract {

    @Override
    ServletServer start(List<Filter> filters) throws Exception {
        return TomcatServer.start(new TestServlet(), filters);
    }

    @Test
    void peerIsTheSocketsWhateverTheValveSays() throws Exception {
        Filter probe = (request, response, chain) -> {
            HttpServletRequest call = (HttpServletRequest) request;
            ((HttpServletResponse) response)
                    .setHeader(
                            "Found",
                            call.getRemoteAddr() + " "
                                    + ServletCall.of(call).origin().peer() + " "
                                    + ServletCall.of(call).headers("x-forwarded-for"));
            chain.doFilter(request, response);
        };
        // It believes private addresses by itself, and a detected cloud platform turns it on.
        Valve rewriting = new RemoteIpValve();
        try (ServletServer server =
                TomcatServer.start(new TestServlet(), List.of(probe), new Remembering(), rewriting)) {
            assertThat(send(server, "GET", "/free", "X-Forwarded-For: 198.51.100.1")
                            .values("Found"))
                    .containsExactly("198.51.100.1 127.0.0.1 [198.51.100.1]");
        }
    }

    private static final class Remembering extends ValveBase {

        Remembering() {
            super(true);
        }

        @Override
        public void invoke(Request request, Response response) throws IOException, ServletException {
            ServletOrigin.remember(request);
            getNext().invoke(request, response);
        }
    }
}
