package io.github.ratelimit.spring.web.reactive;

import io.github.ratelimit.http.AdapterMistake;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.RejectionBody;
import io.github.ratelimit.spring.RateLimitException;
import io.github.ratelimit.spring.RejectedRequest;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.cors.reactive.CorsConfigurationSource;
import org.springframework.web.cors.reactive.CorsUtils;
import org.springframework.web.cors.reactive.DefaultCorsProcessor;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Answers all rejections of a WebFlux application: of filters, of controllers' methods and of other beans' methods.
 *
 * <p>If the application has a handler that names {@link RateLimitException}, in the controller or in an advice for it, it answers. Otherwise
 * the {@link RejectionBody} does. As an advice this class takes the rejections of beans' methods before a handler of all exceptions gets them; as a
 * handler mapping it fails with the rejection, so that WebFlux asks the advices. Safe for concurrent use; blocks no thread.
 */
@ControllerAdvice(assignableTypes = Object.class) // of every controller, and therefore not asked once more without one
public final class ExchangeRejections implements HandlerMapping, Ordered {

    private static final String ATTRIBUTE = ExchangeRejections.class.getName();

    private final RejectionBody body;
    private final ExchangeOrigin origin;
    private final ObjectProvider<DispatcherHandler> dispatcher;
    private final ObjectProvider<CorsConfigurationSource> cors;
    private final ObjectProvider<WebExceptionHandler> errors;
    private final Consumer<AdapterMistake> onMistake;
    private final WordedRejections worded;

    /**
     * Makes one.
     *
     * @param body makes the answer, unless the application has a handler for {@link RateLimitException}
     * @param origin finds where a request comes from
     * @param context where the application's exception handlers are
     * @param onMistake hears of rejections that the application answers as something else; on a thread that must not block
     */
    public ExchangeRejections(
            RejectionBody body, ExchangeOrigin origin, ApplicationContext context, Consumer<AdapterMistake> onMistake) {
        this.body = body;
        this.origin = origin;
        this.dispatcher = context.getBeanProvider(DispatcherHandler.class);
        this.cors = context.getBeanProvider(CorsConfigurationSource.class);
        this.errors = context.getBeanProvider(WebExceptionHandler.class);
        this.onMistake = onMistake;
        this.worded = new WordedRejections(context);
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public Mono<Object> getHandler(ServerWebExchange exchange) {
        Object rejection = exchange.getAttributes().remove(ATTRIBUTE);
        return rejection instanceof RateLimitException failure ? Mono.error(failure) : Mono.justOrEmpty(rejection);
    }

    /** Answers the rejection of a bean's method. */
    @ExceptionHandler(RejectedRequest.class)
    public Mono<Void> answer(RateLimitException rejection, ServerWebExchange exchange) {
        return reject(rejection.verdict(), ExchangeCall.beforeAuthentication(exchange, origin));
    }

    /**
     * Answers a rejected request.
     *
     * @return completes when the answer is written
     */
    public Mono<Void> reject(HttpVerdict verdict, ExchangeCall call) {
        ServerWebExchange exchange = call.exchange();
        return handler(exchange)
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .flatMap(handler -> reject(verdict, call, handler.orElse(null)));
    }

    private Mono<Void> reject(HttpVerdict verdict, ExchangeCall call, @Nullable HandlerMethod handler) {
        ServerWebExchange exchange = call.exchange();
        Mono<Void> byBody = Mono.defer(() -> ExchangeVerdict.reject(verdict, body, call)
                .onErrorResume(ResponseStatusException.class, page -> errorPage(page, exchange)));
        RateLimitException rejection = RateLimitException.of(verdict);
        Object failing = rejection;
        if (handler != null && worded.by(handler.getBeanType())) {
            failing = RejectedMethod.of(handler, rejection, exchange);
        } else if (!worded.by(null)) {
            return byBody; // not thrown: a handler for all exceptions would make another status of it
        }
        tell(verdict, exchange);
        exchange.getAttributes().put(ATTRIBUTE, failing);
        return dispatcher.getObject().handle(exchange).onErrorResume(RateLimitException.class, none -> byBody);
    }

    /** Sets the fields, and looks whether the application's handler tells the client. */
    private void tell(HttpVerdict verdict, ServerWebExchange exchange) {
        ExchangeVerdict.writeFields(verdict, exchange);
        ServerHttpResponse response = exchange.getResponse();
        response.setStatusCode(null);
        response.beforeCommit(() -> Mono.fromRunnable(() -> {
            HttpStatusCode status = response.getStatusCode();
            if (status == null || AdapterMistake.swallows(status.value())) {
                onMistake.accept(AdapterMistake.REJECTION_SWALLOWED);
            }
        }));
    }

    /**
     * The controller's method that the request is on its way to, if there is one. The mappings set the CORS fields meanwhile, as they would
     * have done; the application's filters would have set others.
     */
    private Mono<HandlerMethod> handler(ServerWebExchange exchange) {
        try {
            if (CorsUtils.isCorsRequest(exchange.getRequest())) {
                cors.orderedStream()
                        .forEach(source ->
                                new DefaultCorsProcessor().process(source.getCorsConfiguration(exchange), exchange));
            }
        } catch (IllegalArgumentException e) {
            return Mono.empty(); // an Origin that is no address is allowed nothing
        }
        return Flux.fromStream(dispatcher.stream())
                .flatMapIterable(each -> each.getHandlerMappings())
                .concatMap(mapping -> mapping.getHandler(exchange))
                .next()
                .onErrorComplete() // such as a method that is not allowed
                .ofType(HandlerMethod.class);
    }

    /** As for any other error of the application. */
    private Mono<Void> errorPage(ResponseStatusException page, ServerWebExchange exchange) {
        Mono<Void> answer = Mono.error(page);
        for (WebExceptionHandler handler : errors.orderedStream().toList()) {
            answer = answer.onErrorResume(failure -> handler.handle(exchange, failure));
        }
        return answer;
    }
}
