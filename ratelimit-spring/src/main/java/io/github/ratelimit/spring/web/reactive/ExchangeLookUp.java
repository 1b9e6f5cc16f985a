package io.github.ratelimit.spring.web.reactive;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.result.method.AbstractHandlerMethodMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Finds the handler of an exchange outside of WebFlux's dispatcher, for example in a filter before it.
 *
 * <p>Asks the application's handler mappings as WebFlux does, and leaves no trace on the exchange. Finds nothing if a mapping fails or needs
 * the body. Safe for concurrent use.
 */
public final class ExchangeLookUp {

    private static final Log LOG = LogFactory.getLog(ExchangeLookUp.class);

    private final ApplicationContext context;
    private volatile @Nullable List<HandlerMapping> mappings;

    /** Creates one that asks the handler mappings of this context and of those above it. */
    public ExchangeLookUp(ApplicationContext context) {
        this.context = context;
    }

    /** The controller's method that an exchange will be dispatched to; empty if another kind of handler serves it, or if none is found. */
    public Mono<HandlerMethod> method(ServerWebExchange exchange) {
        LookUp lookUp = new LookUp(exchange);
        return Flux.fromIterable(mappings())
                .concatMap(mapping -> mapping.getHandler(lookUp))
                .next()
                .ofType(HandlerMethod.class)
                .onErrorResume(
                        e -> { // such as a method that is not allowed: WebFlux will say so
                            LOG.debug("No handler is known beforehand", e);
                            return Mono.empty();
                        });
    }

    /** Late: mappings are made long after filters. Those behind the last one of methods find none, and may do much to find another handler. */
    private List<HandlerMapping> mappings() {
        List<HandlerMapping> known = mappings;
        if (known == null) {
            List<HandlerMapping> all = new ArrayList<>(
                    BeanFactoryUtils.beansOfTypeIncludingAncestors(context, HandlerMapping.class, true, false)
                            .values());
            AnnotationAwareOrderComparator.sort(all);
            while (!all.isEmpty() && !(all.get(all.size() - 1) instanceof AbstractHandlerMethodMapping)) {
                all.remove(all.size() - 1);
            }
            known = List.copyOf(all);
            mappings = known;
        }
        return known;
    }

    /** Keeps to itself what a look-up attaches to an exchange, and does not let it read the body. */
    private static final class LookUp extends ServerWebExchangeDecorator {

        private final Map<String, Object> attributes;
        private final ServerHttpRequest request;
        private final ServerHttpResponse response;

        LookUp(ServerWebExchange exchange) {
            super(exchange);
            this.attributes = new ConcurrentHashMap<>(exchange.getAttributes());
            this.request = new Unread(exchange.getRequest());
            this.response = new Unwritten(exchange.getResponse());
        }

        @Override
        public Map<String, Object> getAttributes() {
            return attributes;
        }

        @Override
        public ServerHttpRequest getRequest() {
            return request;
        }

        @Override
        public ServerHttpResponse getResponse() {
            return response;
        }
    }

    private static final class Unread extends ServerHttpRequestDecorator {

        Unread(ServerHttpRequest request) {
            super(request);
        }

        @Override
        public Flux<DataBuffer> getBody() {
            return Flux.error(
                    new IllegalStateException("which method it is depends on the body, which is not read beforehand"));
        }
    }

    /** What a mapping says of a request from another origin. */
    private static final class Unwritten extends ServerHttpResponseDecorator {

        private final HttpHeaders headers = new HttpHeaders();

        Unwritten(ServerHttpResponse response) {
            super(response);
        }

        @Override
        public HttpHeaders getHeaders() {
            return headers;
        }

        @Override
        public boolean setStatusCode(@Nullable HttpStatusCode status) {
            return true;
        }
    }
}
