package io.github.ratelimit.spring.internal.diagnostics;

import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import io.github.ratelimit.spring.internal.annotation.AnnotatedBeans;
import io.github.ratelimit.spring.internal.annotation.Handlers;
import io.github.ratelimit.spring.internal.method.ReactiveAnswers;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;

/**
 * A method of a controller, and the requests that are mapped to it.
 *
 * @param methods none: all
 * @param paths patterns below the application's root, as the framework reads them
 * @param handler the method
 */
public record MappedMethod(List<String> methods, List<String> paths, HandlerMethod handler) {

    /** In the order of the alphabet: what a framework tells is in none. */
    public static MappedMethod of(Set<RequestMethod> methods, Stream<String> paths, HandlerMethod handler) {
        return new MappedMethod(
                methods.stream().map(Enum::name).sorted().toList(),
                paths.sorted().toList(),
                handler);
    }

    /** The class of the controller as it is written. */
    Class<?> controller() {
        return Handlers.controller(handler);
    }

    /** The names of its limiters. */
    public List<String> limiters(AnnotatedBeans annotated) {
        return annotated.namesFor(controller(), handler.getMethod());
    }

    /**
     * Checks that a decision can wait for its arguments without a thread that does.
     *
     * @throws InvalidRateLimitException if it cannot
     */
    public void requireReactiveIfCosts(AnnotatedBeans annotated) {
        Method method = handler.getMethod();
        if (!annotated.costs(controller(), method).isEmpty() && ReactiveAnswers.adapter(method) == null) {
            throw new InvalidRateLimitException(
                    "cost of @RateLimit on %s: the method returns no Mono or Flux, and the decision would block its thread"
                            .formatted(name()),
                    "return a Mono or a Flux, or annotate a method of a bean that the controller calls");
        }
    }

    /** {@code PostController.create}. */
    public String name() {
        return handler.getBeanType().getSimpleName() + "." + handler.getMethod().getName();
    }
}
