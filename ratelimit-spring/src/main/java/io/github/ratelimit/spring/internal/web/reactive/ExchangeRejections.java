package io.github.ratelimit.spring.internal.web.reactive;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.RejectionBody;
import io.github.ratelimit.http.UnreadableCostException;
import io.github.ratelimit.http.adapter.AdapterMistake;
import io.github.ratelimit.spring.ExchangeOrigin;
import io.github.ratelimit.spring.RateLimitException;
import io.github.ratelimit.spring.RejectedRequest;
import io.github.ratelimit.spring.internal.web.RejectionAdvice;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationContext;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.cors.reactive.CorsUtils;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Answers all rejections of a WebFlux application: of filters, of controllers' methods and of other beans' methods.
 *
 * <p>If the application has a handler that names {@link RateLimitException}, in the controller or in an advice for it, it answers. Otherwise
 * the {@link RejectionBody} does. As an advice, this class takes rejections of beans' methods before a handler of all exceptions gets them. As a
 * handler mapping, it fails with the rejection, so that WebFlux asks the advices. Safe for concurrent use; blocks no thread.
 */
@ControllerAdvice(assignableTypes = Object.class) // of every controller, and therefore not asked once more without one
public final class ExchangeRejections implements HandlerMapping, Ordered {

    private static final boolean SECURITY = ClassUtils.isPresent(
            "org.springframework.security.web.server.SecurityWebFilterChain",
            ExchangeRejections.class.getClassLoader());

    private static final String FAILING = ExchangeRejections.class.getName();
    private static final String REJECTION = FAILING + ".rejection";

    /** Stands in for the controller's method: fails as if that had, so that WebFlux asks the advices for the controller. */
    private static final Method FAIL =
            requireNonNull(ReflectionUtils.findMethod(ExchangeRejections.class, "fail", ServerWebExchange.class));

    private static final MethodFilter MAKES_MODEL =
            method -> AnnotatedElementUtils.hasAnnotation(method, ModelAttribute.class)
                    && !AnnotatedElementUtils.hasAnnotation(method, RequestMapping.class);

    private final RejectionBody body;
    private final ExchangeOrigin origin;
    private final ObjectProvider<DispatcherHandler> dispatcher;
    private final ObjectProvider<CorsWebFilter> cors;
    private final Function<ServerWebExchange, Flux<WebFilter>> security;
    private final ObjectProvider<WebExceptionHandler> errors;
    private final Consumer<AdapterMistake> onMistake;
    private final RejectionAdvice advice;
    private final Map<Class<?>, Boolean> modelled = new ConcurrentHashMap<>(); // as many as there are controllers

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
        this.cors = context.getBeanProvider(CorsWebFilter.class);
        this.security = SECURITY ? Security.filters(context) : exchange -> Flux.empty();
        this.errors = context.getBeanProvider(WebExceptionHandler.class);
        this.onMistake = onMistake;
        this.advice = new RejectionAdvice(context);
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public Mono<Object> getHandler(ServerWebExchange exchange) {
        Object rejection = exchange.getAttributes().remove(FAILING);
        return rejection instanceof RateLimitException failure ? Mono.error(failure) : Mono.justOrEmpty(rejection);
    }

    /** Answers the rejection of a bean's method; a response that has begun ends without more. */
    @ExceptionHandler(RejectedRequest.class)
    public Mono<Void> answer(RateLimitException rejection, ServerWebExchange exchange) {
        return exchange.getResponse().isCommitted()
                ? Mono.empty()
                : reject(rejection.verdict(), ExchangeCall.beforeAuthentication(exchange, origin));
    }

    /** Answers a request whose cost cannot be read. */
    @ExceptionHandler(UnreadableCostException.class)
    public Mono<Void> answer(UnreadableCostException unreadable, ServerWebExchange exchange) {
        return ExchangeVerdict.write(unreadable.content(), exchange);
    }

    /**
     * Answers a rejected request.
     *
     * @return completes when the answer is written
     */
    public Mono<Void> reject(HttpVerdict verdict, ExchangeCall call) {
        ServerWebExchange exchange = call.exchange();
        WebFilterChain answer = same -> handler(exchange)
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .flatMap(handler -> reject(verdict, call, handler.orElse(null)));
        return isCrossOrigin(exchange) ? corsFilters(exchange, answer) : answer.filter(exchange);
    }

    /** The application's own CORS filters around an answer: one that the request has passed already only passes it on. */
    private Mono<Void> corsFilters(ServerWebExchange exchange, WebFilterChain answer) {
        return Flux.concat(security.apply(exchange).ofType(CorsWebFilter.class), Flux.fromStream(cors.orderedStream()))
                .collectList()
                .flatMap(filters -> {
                    WebFilterChain all = answer;
                    for (CorsWebFilter filter : filters) {
                        WebFilterChain inner = all;
                        all = same -> filter.filter(same, inner);
                    }
                    return all.filter(exchange);
                });
    }

    private static boolean isCrossOrigin(ServerWebExchange exchange) {
        try {
            return CorsUtils.isCorsRequest(exchange.getRequest());
        } catch (IllegalArgumentException e) {
            return false; // an Origin that is no address is allowed nothing
        }
    }

    private Mono<Void> reject(HttpVerdict verdict, ExchangeCall call, @Nullable HandlerMethod handler) {
        ServerWebExchange exchange = call.exchange();
        Mono<Void> byBody = Mono.defer(() -> ExchangeVerdict.reject(verdict, body, call)
                .onErrorResume(ResponseStatusException.class, page -> errorPage(page, exchange)));
        RateLimitException rejection = RateLimitException.of(verdict);
        Object failing = rejection;
        if (handler != null && advice.answersFor(handler) && !makesModel(handler.getBeanType())) {
            exchange.getAttributes().put(REJECTION, new AnsweredByAdvice(rejection));
            failing = new HandlerMethod(handler.getBean(), FAIL);
        } else if (!advice.answersFor(null)) {
            return byBody; // not thrown: a handler for all exceptions would make another status of it
        }
        tell(verdict, exchange);
        exchange.getAttributes().put(FAILING, failing);
        return dispatcher.getObject().handle(exchange).onErrorResume(RateLimitException.class, none -> byBody);
    }

    /** Whether WebFlux would call methods that make a model before it fails: a rejected request must not reach them. */
    private boolean makesModel(Class<?> controller) {
        return modelled.computeIfAbsent(
                controller,
                type -> advice.types(type)
                        .anyMatch(each -> !MethodIntrospector.selectMethods(each, MAKES_MODEL)
                                .isEmpty()));
    }

    /** Called by WebFlux, in place of the controller's method. */
    static void fail(ServerWebExchange exchange) {
        throw exchange.<RateLimitException>getRequiredAttribute(REJECTION);
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

    /** The controller's method that the request is on its way to, if there is one. The mappings set their CORS fields meanwhile. */
    private Mono<HandlerMethod> handler(ServerWebExchange exchange) {
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

    /** A separate class, so that it is loaded only with Spring Security. */
    private static final class Security {

        static Function<ServerWebExchange, Flux<WebFilter>> filters(ApplicationContext context) {
            ObjectProvider<SecurityWebFilterChain> chains = context.getBeanProvider(SecurityWebFilterChain.class);
            return exchange -> Flux.fromStream(chains.orderedStream())
                    .filterWhen(chain -> chain.matches(exchange))
                    .next()
                    .flatMapMany(SecurityWebFilterChain::getWebFilters);
        }
    }

    /** Not what this advice handles, which comes before those of the application. */
    private static final class AnsweredByAdvice extends RateLimitException implements ErrorResponse {

        private static final long serialVersionUID = 1;

        private final transient ErrorResponse rejection;

        AnsweredByAdvice(RateLimitException rejection) {
            super(rejection.verdict());
            this.rejection = (ErrorResponse) rejection;
        }

        @Override
        public HttpStatusCode getStatusCode() {
            return rejection.getStatusCode();
        }

        @Override
        public ProblemDetail getBody() {
            return rejection.getBody();
        }
    }
}
