package io.github.ratelimit.spring.internal.web.reactive;

import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.adapter.ExcludedPaths;
import io.github.ratelimit.spring.ExchangeCost;
import io.github.ratelimit.spring.ExchangeOrigin;
import io.github.ratelimit.spring.RateLimitException;
import io.github.ratelimit.spring.RateLimitedCall;
import io.github.ratelimit.spring.internal.annotation.AnnotatedBeans;
import io.github.ratelimit.spring.internal.annotation.Handlers;
import io.github.ratelimit.spring.internal.method.CurrentCall.Pending;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Asks all limiters of a controller's method before it is called, in one decision, and sets the header fields.
 *
 * <p>It stands between WebFlux and the adapter that calls the method. Only there the method is known: a filter could look up another path than
 * WebFlux dispatches on. No method, not even a suspending function, is
 * called before the decision.
 *
 * <p>A request is charged once by each limiter, also where a filter has asked the same one before or the exchange is dispatched again.
 * Preflight requests reach no controller and are not counted; a {@code HEAD} is served, and counted, as the {@code GET} it stands for.
 *
 * <p>Safe for concurrent use. Holds no resources and blocks no thread.
 */
public final class RateLimitHandlerAdapter implements HandlerAdapter, Ordered {

    private final HttpRateLimiter limiter;
    private final AnnotatedBeans annotated;
    private final ExchangeRejections rejections;
    private final ExchangeCost cost;
    private final ExchangeOrigin origin;
    private final ExcludedPaths excluded;
    private final ObjectProvider<HandlerAdapter> adapters;
    private volatile @Nullable List<HandlerAdapter> others;

    /**
     * Makes one.
     *
     * @param limiter knows every limiter that an annotation names or describes
     * @param annotated which limiters a method has
     * @param rejections answers rejections
     * @param cost the cost of requests; asked once for each limiter, also if a request is dispatched again
     * @param origin finds where a request comes from
     * @param excluded paths on which no method is limited
     * @param context where the application's other handler adapters are
     */
    public RateLimitHandlerAdapter(
            HttpRateLimiter limiter,
            AnnotatedBeans annotated,
            ExchangeRejections rejections,
            ExchangeCost cost,
            ExchangeOrigin origin,
            ExcludedPaths excluded,
            ApplicationContext context) {
        this.limiter = limiter;
        this.annotated = annotated;
        this.rejections = rejections;
        this.cost = cost;
        this.origin = origin;
        this.excluded = excluded;
        this.adapters = context.getBeanProvider(HandlerAdapter.class);
    }

    /** First: an adapter before it would call methods without a decision. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public boolean supports(Object handler) {
        return handler instanceof HandlerMethod method && !names(method).isEmpty();
    }

    private List<String> names(HandlerMethod handler) {
        return annotated.namesFor(Handlers.controller(handler), handler.getMethod());
    }

    /** Calls the method, or rejects the request: then the answer is written and there is no result to handle. */
    @Override
    public Mono<HandlerResult> handle(ServerWebExchange exchange, Object handler) {
        if (ExchangeState.of(exchange).decisions().isRejected()
                || excluded.contains(ExchangeCall.beforeAuthentication(exchange, origin))) {
            return call(
                    exchange,
                    handler); // excluded, or the client has been told: this may be the page that words a rejection
        }
        HandlerMethod method = (HandlerMethod) handler;
        List<String> names = names(method);
        Class<?> controller = Handlers.controller(method);
        if (!annotated.costs(controller, method.getMethod()).isEmpty()) {
            Function<UnaryOperator<HttpRateLimiter>, Mono<RateLimitedCall>> decision =
                    costs -> decide(names, costs.apply(limiter), exchange);
            Method called = AopUtils.getMostSpecificMethod(method.getMethod(), controller);
            exchange.getAttributes().put(Pending.ATTRIBUTE, new Pending<>(called, decision));
            return call(exchange, handler);
        }
        return ExchangeCall.afterAuthentication(exchange, origin)
                .flatMap(call -> ExchangeVerdict.of(limiter, names, call, cost).flatMap(verdict -> {
                    if (!verdict.allowed()) {
                        return rejections.reject(verdict, call).then(Mono.empty());
                    }
                    ExchangeVerdict.writeFields(verdict, exchange);
                    return call(exchange, handler);
                }));
    }

    /** Once the arguments are known; a rejection is how the method's answer fails. */
    private Mono<RateLimitedCall> decide(List<String> names, HttpRateLimiter knowing, ServerWebExchange exchange) {
        return ExchangeCall.afterAuthentication(exchange, origin)
                .flatMap(call -> ExchangeVerdict.of(knowing, names, call, cost))
                .map(verdict -> {
                    if (!verdict.allowed()) {
                        throw RateLimitException.of(verdict);
                    }
                    ExchangeVerdict.writeFields(verdict, exchange);
                    return ExchangeState.of(exchange).call(exchange);
                });
    }

    /** As WebFlux would have called it, were this adapter not there. */
    private Mono<HandlerResult> call(ServerWebExchange exchange, Object handler) {
        for (HandlerAdapter adapter : others()) {
            if (adapter.supports(handler)) {
                return adapter.handle(exchange, handler);
            }
        }
        return Mono.error(new IllegalStateException("no HandlerAdapter: " + handler));
    }

    /** Late: they may ask for beans that ask for this one. */
    private List<HandlerAdapter> others() {
        List<HandlerAdapter> known = others;
        if (known == null) {
            known = adapters.orderedStream().filter(adapter -> adapter != this).toList();
            others = known;
        }
        return known;
    }
}
