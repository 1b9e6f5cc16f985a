package io.github.ratelimit.spring.internal.web.reactive;

import io.github.ratelimit.http.Origin;
import io.netty.channel.EventLoop;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.Connection;
import reactor.netty.http.server.HttpServerRequest;

/** The origin as the server's own request tells it. Safe for concurrent use. */
public final class ServerOrigin {

    private static final boolean NETTY = isPresent("reactor.netty.http.server.HttpServerRequest");
    private static final boolean SERVLET = isPresent("jakarta.servlet.http.HttpServletRequest");

    private ServerOrigin() {}

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, ServerOrigin.class.getClassLoader());
    }

    /** The origin of an exchange, below all of its decorators. */
    public static Origin of(ServerWebExchange exchange) {
        ServerHttpRequest request = exchange.getRequest();
        Object server = nativeRequest(request);
        Origin known = server == null ? null : known(server);
        if (known != null) {
            return known;
        }
        ServerHttpRequest inner = innermost(request);
        return Origin.of(
                address(inner.getRemoteAddress()),
                inner.getURI().getRawPath(),
                name -> lines(inner.getHeaders(), name));
    }

    /** Null if it is a server's that is not known. */
    private static @Nullable Origin known(Object server) {
        Origin ofNetty = NETTY ? OfNetty.origin(server) : null;
        return ofNetty == null && SERVLET ? OfServlet.origin(server) : ofNetty;
    }

    /** Null if there is none, as in a test without a server. */
    static @Nullable Object nativeRequest(ServerHttpRequest request) {
        try {
            return ServerHttpRequestDecorator.getNativeRequest(request);
        } catch (IllegalArgumentException | IllegalStateException e) {
            return null;
        }
    }

    /**
     * Where a request continues that waits on this thread: on its connection's event loop, if this is its thread.
     *
     * <p>Reactor Netty 1.2.18, 1.3.6 and 1.3.7 stop reading a connection if an answer from another thread precedes one from the event loop:
     * see their issue 4361. Other servers have no such fault.
     */
    public static Scheduler scheduler(ServerWebExchange exchange) {
        Object server = nativeRequest(exchange.getRequest());
        Executor loop = NETTY && server != null ? OfNetty.loop(server) : null;
        return loop == null ? Schedulers.parallel() : Schedulers.fromExecutor(loop);
    }

    private static ServerHttpRequest innermost(ServerHttpRequest request) {
        ServerHttpRequest inner = request;
        while (inner instanceof ServerHttpRequestDecorator decorator) {
            inner = decorator.getDelegate();
        }
        return inner;
    }

    /** Read in the only way that is the same to Spring 6 and 7: {@code get} has another signature in each. */
    static List<String> lines(HttpHeaders headers, String name) {
        if (headers.getFirst(name) == null) {
            return List.of();
        }
        return headers.headerSet().stream()
                .filter(field -> field.getKey().equalsIgnoreCase(name))
                .findFirst()
                .map(field -> List.copyOf(field.getValue()))
                .orElse(List.of());
    }

    private static String address(@Nullable SocketAddress peer) {
        return peer instanceof InetSocketAddress address && address.getAddress() != null
                ? address.getAddress().getHostAddress()
                : ""; // of a socket of this machine's own
    }

    /** The path of a request line's target: behind the authority where there is one, before the query. As Spring reads it. */
    static String path(String target) {
        int end = end(target, 0);
        int colon = target.indexOf("://");
        if (colon <= 0 || colon >= end || target.indexOf('/') < colon) {
            return target.substring(0, end);
        }
        int start = colon + "://".length();
        while (start < target.length() && "/?#".indexOf(target.charAt(start)) < 0) {
            start++;
        }
        return target.substring(start, end(target, start));
    }

    private static int end(String target, int from) {
        int end = from;
        while (end < target.length() && target.charAt(end) != '?' && target.charAt(end) != '#') {
            end++;
        }
        return end;
    }

    /** A separate class, so that it is loaded only with Netty. */
    private static final class OfNetty {

        /** Null if this is another thread. */
        static @Nullable Executor loop(Object server) {
            EventLoop loop = server instanceof Connection connection
                    ? connection.channel().eventLoop()
                    : null;
            return loop != null && loop.inEventLoop() ? task -> loop.execute(task) : null;
        }

        /** The connection's address: Netty's other address comes from a forwarding field if Netty trusts these. */
        static @Nullable Origin origin(Object server) {
            return server instanceof HttpServerRequest request
                    ? Origin.of(
                            address(request.connectionRemoteAddress()),
                            path(request.uri()),
                            name -> request.requestHeaders().getAll(name))
                    : null;
        }
    }

    /** A separate class, so that it is loaded only with the servlet API. */
    private static final class OfServlet {

        static @Nullable Origin origin(Object server) {
            return server instanceof HttpServletRequest request ? of(request) : null;
        }

        /** Kept before the container believed forwarding fields, or else what the request says below all wrappers. */
        private static Origin of(HttpServletRequest request) {
            if (request.getAttribute(Origin.class.getName()) instanceof Origin kept) {
                return kept;
            }
            HttpServletRequest inner = request;
            while (inner instanceof ServletRequestWrapper wrapper
                    && wrapper.getRequest() instanceof HttpServletRequest wrapped) {
                inner = wrapped;
            }
            HttpServletRequest container = inner;
            return Origin.of(
                    container.getRemoteAddr(),
                    container.getRequestURI(),
                    name -> Collections.list(container.getHeaders(name)));
        }
    }
}
