package io.github.ratelimit.spring.web.reactive;

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
 * Stands in for a controller's method, and fails with the rejection when it is called: so WebFlux asks the exception handlers of the controller,
 * and those for it, as if the method itself had failed.
 */
final class RejectedMethod {

    private static final String ATTRIBUTE = RejectedMethod.class.getName();

    private static final Method METHOD =
            requireNonNull(ReflectionUtils.findMethod(RejectedMethod.class, "reject", ServerWebExchange.class));

    private RejectedMethod() {}

    /**
     * The method for an exchange.
     *
     * @param handler the one that is not called
     */
    static HandlerMethod of(HandlerMethod handler, RateLimitException rejection, ServerWebExchange exchange) {
        exchange.getAttributes().put(ATTRIBUTE, new Worded(rejection));
        return new HandlerMethod(handler.getBean(), METHOD);
    }

    /** Called by WebFlux, in place of the controller's method. */
    static void reject(ServerWebExchange exchange) {
        RateLimitException rejection = exchange.getAttribute(ATTRIBUTE);
        if (rejection != null) { // there always is one
            throw rejection;
        }
    }

    /** Not what {@link ExchangeRejections} handles, which as an advice comes before those of the application. */
    private static final class Worded extends RateLimitException implements ErrorResponse {

        private static final long serialVersionUID = 1;

        private final transient ErrorResponse rejection;

        Worded(RateLimitException rejection) {
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
