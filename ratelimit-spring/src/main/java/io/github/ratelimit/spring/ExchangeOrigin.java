package io.github.ratelimit.spring;

import io.github.ratelimit.http.Origin;
import io.github.ratelimit.spring.internal.web.reactive.ServerOrigin;
import org.springframework.web.server.ServerWebExchange;

/**
 * Finds the peer and the target of a request, behind filters that rewrite them.
 *
 * <p>Spring's {@code ForwardedHeaderTransformer} and filters that mutate an exchange hide the socket's peer, the target of the request line
 * and the forwarding fields. The request of the server itself has them still. Safe for concurrent use.
 */
@FunctionalInterface
public interface ExchangeOrigin {

    /**
     * The request's origin.
     *
     * @param exchange as it came, mutated or not
     */
    Origin of(ServerWebExchange exchange);

    /**
     * What the server's own request says: that of Reactor Netty, also where it is told to believe forwarding fields, or that of a servlet
     * container, below all wrappers and before Tomcat's own valve.
     *
     * <p>Of another server, what the first {@code ServerHttpRequest} says: where that believes forwarding fields, give a function that knows
     * the server.
     */
    static ExchangeOrigin ofServer() {
        return ServerOrigin::of;
    }
}
