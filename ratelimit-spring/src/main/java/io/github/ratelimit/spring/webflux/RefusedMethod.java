package io.github.ratelimit.spring.webflux;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.spring.RateLimitException;
import java.lang.reflect.Method;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.ErrorResponse;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.server.ServerWebExchange;

/**
 * Stands in for a controller's method, and fails with the refusal when it is called: so WebFlux asks the exception handlers of the controller,
 * and those for it, as if the method itself had failed.
 */
final class RefusedMethod {

    private static final String ATTRIBUTE = RefusedMethod.class.getName();

    private static final Method METHOD =
            requireNonNull(ReflectionUtils.findMethod(RefusedMethod.class, "refuse", ServerWebExchange.class));

    private RefusedMethod() {}

    /**
     * The method for an exchange.
     *
     * @param handler the one that is not called
     */
    static HandlerMethod of(HandlerMethod handler, RateLimitException refusal, ServerWebExchange exchange) {
        exchange.getAttributes().put(ATTRIBUTE, new Worded(refusal));
        return new HandlerMethod(handler.getBean(), METHOD);
    }

    /** Called by WebFlux, in place of the controller's method. */
    static void refuse(ServerWebExchange exchange) {
        RateLimitException refusal = exchange.getAttribute(ATTRIBUTE);
        if (refusal != null) { // there always is one
            throw refusal;
        }
    }

    /** Not what {@link ExchangeRefusals} handles, which as an advice comes before those of the application. */
    private static final class Worded extends RateLimitException implements ErrorResponse {

        private static final long serialVersionUID = 1;

        private final transient ErrorResponse refusal;

        Worded(RateLimitException refusal) {
            super(refusal.verdict());
            this.refusal = (ErrorResponse) refusal;
        }

        @Override
        public HttpStatusCode getStatusCode() {
            return refusal.getStatusCode();
        }

        @Override
        public ProblemDetail getBody() {
            return refusal.getBody();
        }
    }
}
