package io.github.ratelimit.spring.internal.web.reactive;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpDecisions;
import io.github.ratelimit.http.Origin;
import io.github.ratelimit.spring.ExchangeOrigin;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.PathSegment;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.security.core.Authentication;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import reactor.core.publisher.Mono;

/**
 * A WebFlux exchange as an HTTP call.
 *
 * <p>Its decisions are kept with the exchange and survive its mutations and dispatches. Used by one thread at a time.
 */
public final class ExchangeCall implements HttpCall {

    private static final String ANONYMOUS = "org.springframework.security.authentication.AnonymousAuthenticationToken";

    private static final boolean SECURITY = ClassUtils.isPresent(
            "org.springframework.security.core.Authentication", ExchangeCall.class.getClassLoader());

    private final ServerWebExchange exchange;
    private final ExchangeOrigin origins;
    private final @Nullable Principal principal;
    private @Nullable Origin origin;
    private boolean lacksUser;

    private ExchangeCall(ServerWebExchange exchange, ExchangeOrigin origins, @Nullable Principal principal) {
        this.exchange = requireNonNull(exchange, "exchange");
        this.origins = requireNonNull(origins, "origin");
        this.principal = principal;
    }

    /**
     * Describes a request before authentication.
     *
     * @param origin finds where the request comes from
     */
    public static ExchangeCall beforeAuthentication(ServerWebExchange exchange, ExchangeOrigin origin) {
        return new ExchangeCall(exchange, origin, null);
    }

    /**
     * Describes a request after authentication.
     *
     * @param origin finds where the request comes from
     * @return completes with the call, or with the failure of the authentication
     */
    public static Mono<ExchangeCall> afterAuthentication(ServerWebExchange exchange, ExchangeOrigin origin) {
        return exchange.getPrincipal()
                .filter(principal -> !principal.getClass().getName().equals(ANONYMOUS)) // as of servlets: nobody
                .map(principal -> new ExchangeCall(exchange, origin, principal))
                .switchIfEmpty(Mono.fromSupplier(() -> beforeAuthentication(exchange, origin)));
    }

    @Override
    public String method() {
        return exchange.getRequest().getMethod().name();
    }

    /** As WebFlux matches it: each segment decoded, without path parameters. */
    @Override
    public String path() {
        StringBuilder path = new StringBuilder();
        for (PathContainer.Element element :
                exchange.getRequest().getPath().pathWithinApplication().elements()) {
            path.append(element instanceof PathSegment segment ? segment.valueToMatch() : element.value());
        }
        return path.toString();
    }

    /** Of the forwarding fields, those that the peer sent: see {@link ExchangeOrigin}. */
    @Override
    public List<String> headers(String name) {
        if (name.equalsIgnoreCase("X-Forwarded-For")) {
            return origin().xForwardedFor();
        }
        if (name.equalsIgnoreCase("Forwarded")) {
            return origin().forwarded();
        }
        return ServerOrigin.lines(exchange.getRequest().getHeaders(), name);
    }

    @Override
    public Origin origin() {
        Origin found = origin;
        if (found == null) {
            found = origins.of(exchange);
            origin = found;
        }
        return found;
    }

    @Override
    public Optional<Principal> principal() {
        lacksUser |= principal == null;
        return Optional.ofNullable(principal);
    }

    /** Whether Spring Security granted it, by the name that {@code hasRole} of its rules takes. */
    @Override
    public boolean hasRole(String role) {
        return SECURITY && Granted.is(principal().orElse(null), role.startsWith("ROLE_") ? role : "ROLE_" + role);
    }

    /** An attribute of the exchange that is a text, a number or a UUID; anything else has no text that is surely its identity. */
    @Override
    public Optional<String> attribute(String name) {
        Object value = exchange.getAttributes().get(name);
        boolean text = value instanceof CharSequence || value instanceof Number || value instanceof UUID;
        return value != null && text ? Optional.of(value.toString()) : Optional.empty();
    }

    /** The exchange or its request, or the first one below their decorators that is of the type, or the server's own request. */
    @Override
    public <T> Optional<T> request(Class<T> type) {
        ServerWebExchange outer = exchange;
        while (!type.isInstance(outer) && outer instanceof ServerWebExchangeDecorator decorator) {
            outer = decorator.getDelegate();
        }
        if (type.isInstance(outer)) {
            return Optional.of(type.cast(outer));
        }
        ServerHttpRequest inner = exchange.getRequest();
        while (!type.isInstance(inner) && inner instanceof ServerHttpRequestDecorator decorator) {
            inner = decorator.getDelegate();
        }
        return Optional.<Object>of(inner)
                .filter(type::isInstance)
                .or(() -> Optional.ofNullable(ServerOrigin.nativeRequest(exchange.getRequest())))
                .filter(type::isInstance)
                .map(type::cast);
    }

    @Override
    public HttpDecisions decisions() {
        return ExchangeState.of(exchange).decisions();
    }

    /** Whether somebody asked for the user in vain. */
    public boolean lacksUser() {
        return lacksUser;
    }

    /** The exchange. */
    public ServerWebExchange exchange() {
        return exchange;
    }

    /** A separate class, so that it is loaded only with Spring Security. */
    private static final class Granted {

        static boolean is(@Nullable Principal principal, String authority) {
            return principal instanceof Authentication known
                    && known.getAuthorities().stream().anyMatch(one -> authority.equals(one.getAuthority()));
        }
    }
}
