package io.github.ratelimit.content.web;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Looks into requests that hold others, before a limiter decides about them.
 *
 * <p>Only such requests are read here, up to the size that is read at all; everything else passes untouched.
 */
final class PartsFilter implements Filter {
    private final RouteTable routes;
    private final RequestReader reader;

    PartsFilter(RouteTable routes, RequestReader reader) {
        this.routes = routes;
        this.reader = reader;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest http && http.getMethod().equals("POST")) {
            chain.doFilter(lookedInto(http), response);
        } else {
            chain.doFilter(request, response);
        }
    }

    private HttpServletRequest lookedInto(HttpServletRequest http) throws IOException {
        try {
            ObjectNode query = reader.query(http);
            Optional<Endpoint> endpoint = reader.method(http, query)
                    .flatMap(method -> routes.find(reader.route(query))
                            .flatMap(match -> match.route().endpoint(method)));
            if (endpoint.isEmpty() || !endpoint.get().holdsOthers()) {
                return http;
            }
            HttpServletRequest kept = Kept.of(http);
            RestRequest.Origin origin = reader.origin(kept);
            RestRequest whole = reader.request(kept, RestMethod.POST, origin, query);
            RestParts.set(http, endpoint.get().parts().apply(whole));
            return kept;
        } catch (RestError unreadable) {
            // The servlet will say so.
            return http;
        }
    }

    /** A request whose body was read and can be read again. */
    private static final class Kept extends HttpServletRequestWrapper {
        private final byte[] body;

        private Kept(HttpServletRequest http, byte[] body) {
            super(http);
            this.body = body;
        }

        static HttpServletRequest of(HttpServletRequest http) throws IOException {
            String type = String.valueOf(http.getContentType());
            // The container keeps the parts of a multipart body by itself.
            return type.startsWith("multipart/")
                    ? http
                    : new Kept(http, http.getInputStream().readNBytes(RestJson.MOST_BYTES + 1));
        }

        @Override
        public ServletInputStream getInputStream() {
            return new KeptStream(new ByteArrayInputStream(body));
        }
    }

    private static final class KeptStream extends ServletInputStream {
        private final ByteArrayInputStream bytes;

        KeptStream(ByteArrayInputStream bytes) {
            this.bytes = bytes;
        }

        @Override
        public int read() {
            return bytes.read();
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            return bytes.read(target, offset, length);
        }

        @Override
        public boolean isFinished() {
            return bytes.available() == 0;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new IllegalStateException("this body is read at once");
        }
    }
}
