package io.github.ratelimit.spring.internal.web;

import io.github.ratelimit.spring.RateLimitException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.ControllerAdviceBean;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;

/**
 * Finds out whether the application answers rejections itself: by an {@code @ExceptionHandler} that names {@link RateLimitException}, in the
 * controller of the request or in an advice for it.
 *
 * <p>Looks in the order of Spring MVC and WebFlux, and calls nothing. The first handler that they would call decides, and a handler of all
 * exceptions does not answer rejections. Safe for concurrent use.
 */
public final class RejectionAdvice {

    private static final Class<?> NONE = Void.class;

    private final ApplicationContext context;
    private final Map<Class<?>, Boolean> known = new ConcurrentHashMap<>(); // as many as there are controllers

    /** Makes one that looks for the advices of this context and of those above it, when it is first asked. */
    public RejectionAdvice(ApplicationContext context) {
        this.context = context;
    }

    /**
     * Whether the application answers a rejection.
     *
     * @param handler of the rejected request; other than a controller's method: only advices for all controllers count
     */
    public boolean answersFor(@Nullable Object handler) {
        Class<?> controller = handler instanceof HandlerMethod method ? method.getBeanType() : null;
        return known.computeIfAbsent(
                controller == null ? NONE : controller,
                none -> types(controller)
                        .flatMap(type -> Stream.ofNullable(handlerIn(type)))
                        .findFirst()
                        .filter(RejectionAdvice::namesRejections)
                        .isPresent());
    }

    /** The controller and the classes of its advices, in the order in which they are asked; none of the library's own. */
    public Stream<Class<?>> types(@Nullable Class<?> controller) {
        return Stream.concat(
                        Stream.ofNullable(controller),
                        ControllerAdviceBean.findAnnotatedBeans(context).stream()
                                .filter(advice -> advice.isApplicableToBeanType(controller))
                                .flatMap(advice -> Stream.ofNullable(advice.getBeanType())))
                .filter(type -> !type.getName().startsWith(RejectionAdvice.class.getPackageName() + "."));
    }

    /** The failure itself, where concurrent code has wrapped it. */
    public static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure instanceof CompletionException || failure instanceof ExecutionException
                ? failure.getCause()
                : null;
        return cause == null ? failure : unwrapped(cause);
    }

    private static @Nullable Method handlerIn(Class<?> type) {
        return new ExceptionHandlerMethodResolver(type).resolveMethodByExceptionType(RateLimitException.class);
    }

    private static boolean namesRejections(Method handler) {
        ExceptionHandler annotation = AnnotatedElementUtils.findMergedAnnotation(handler, ExceptionHandler.class);
        Class<?>[] named = annotation == null || annotation.value().length == 0
                ? handler.getParameterTypes() // as Spring reads it
                : annotation.value();
        return List.of(named).contains(RateLimitException.class);
    }
}
