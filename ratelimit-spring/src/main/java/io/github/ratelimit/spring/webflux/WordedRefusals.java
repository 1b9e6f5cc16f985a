package io.github.ratelimit.spring.webflux;

import io.github.ratelimit.spring.RateLimitException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.SessionAttributes;
import org.springframework.web.method.ControllerAdviceBean;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;

/**
 * Whether the application words refusals itself: by a handler that names {@link RateLimitException}, in the controller that the request
 * was on its way to, or in an advice.
 *
 * <p>A handler for all exceptions does not mean refusals. Safe for concurrent use.
 */
final class WordedRefusals {

    /** Who words a refusal. */
    enum By {
        /** Nobody: the library answers. */
        NOBODY,
        /** An advice for all controllers. */
        EVERYWHERE,
        /** The controller itself, or an advice for some controllers: WebFlux asks it only if it knows which one it is. */
        CONTROLLER
    }

    private static final MethodFilter MAKES_MODEL =
            method -> AnnotatedElementUtils.hasAnnotation(method, ModelAttribute.class)
                    && !AnnotatedElementUtils.hasAnnotation(method, RequestMapping.class);

    private final ApplicationContext context;
    private final Map<Class<?>, By> found = new ConcurrentHashMap<>(); // as many as there are controllers

    WordedRefusals(ApplicationContext context) {
        this.context = context;
    }

    By by(HandlerMethod handler) {
        return found.computeIfAbsent(handler.getBeanType(), this::look);
    }

    private By look(Class<?> controller) {
        List<ControllerAdviceBean> advices = ControllerAdviceBean.findAnnotatedBeans(context).stream()
                .filter(advice -> advice.isApplicableToBeanType(controller))
                .toList();
        Method own = handler(controller);
        if (own != null && names(own)) {
            return makesModel(controller, advices) ? By.NOBODY : By.CONTROLLER;
        }
        // The first advice that would be asked decides: WebFlux asks no other one after it.
        for (ControllerAdviceBean advice : advices) {
            Class<?> type = advice.getBeanType();
            Method handler = type == null ? null : handler(type);
            if (handler != null) {
                boolean everywhere = advice.isApplicableToBeanType(null);
                return !names(handler) || (!everywhere && makesModel(controller, advices))
                        ? By.NOBODY
                        : everywhere ? By.EVERYWHERE : By.CONTROLLER;
            }
        }
        return By.NOBODY;
    }

    private static @Nullable Method handler(Class<?> type) {
        return new ExceptionHandlerMethodResolver(type).resolveMethodByExceptionType(RateLimitException.class);
    }

    /** Whether methods would be called to make a model before the controller is told: a refused request must not reach them. */
    private static boolean makesModel(Class<?> controller, List<ControllerAdviceBean> advices) {
        return AnnotatedElementUtils.hasAnnotation(controller, SessionAttributes.class)
                || makesModel(controller)
                || advices.stream()
                        .anyMatch(advice -> advice.getBeanType() != null && makesModel(advice.getBeanType()));
    }

    private static boolean makesModel(Class<?> type) {
        return !MethodIntrospector.selectMethods(type, MAKES_MODEL).isEmpty();
    }

    private static boolean names(Method handler) {
        ExceptionHandler annotation = AnnotatedElementUtils.findMergedAnnotation(handler, ExceptionHandler.class);
        List<Class<?>> named = annotation == null || annotation.value().length == 0
                ? List.of(handler.getParameterTypes())
                : List.of(annotation.value());
        return named.contains(RateLimitException.class);
    }
}
