package io.github.ratelimit.spring.web.reactive;

import io.github.ratelimit.spring.RateLimitException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
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
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;

/**
 * Whether the application words rejections itself: by a handler that names {@link RateLimitException}, in the controller that the request
 * is on its way to, or in an advice for it.
 *
 * <p>A handler for all exceptions does not mean rejections. Safe for concurrent use.
 */
final class WordedRejections {

    private static final MethodFilter MAKES_MODEL =
            method -> AnnotatedElementUtils.hasAnnotation(method, ModelAttribute.class)
                    && !AnnotatedElementUtils.hasAnnotation(method, RequestMapping.class);

    private static final Class<?> NONE = Void.class;

    private final ApplicationContext context;
    private final Map<Class<?>, Boolean> known = new ConcurrentHashMap<>(); // as many as there are controllers

    WordedRejections(ApplicationContext context) {
        this.context = context;
    }

    /**
     * Whether the first handler that WebFlux would ask names rejections: it asks no other one after it.
     *
     * @param controller that the request is on its way to; none: only advices for all controllers
     */
    boolean by(@Nullable Class<?> controller) {
        return known.computeIfAbsent(controller == null ? NONE : controller, none -> look(controller));
    }

    private boolean look(@Nullable Class<?> controller) {
        List<ControllerAdviceBean> advices = advices(controller);
        boolean named = Stream.concat(
                        Stream.ofNullable(controller),
                        advices.stream().flatMap(advice -> Stream.ofNullable(advice.getBeanType())))
                .filter(type -> type != ExchangeRejections.class)
                .flatMap(type -> Stream.ofNullable(handler(type)))
                .findFirst()
                .filter(WordedRejections::names)
                .isPresent();
        return named && (controller == null || !makesModel(controller, advices));
    }

    private List<ControllerAdviceBean> advices(@Nullable Class<?> controller) {
        return ControllerAdviceBean.findAnnotatedBeans(context).stream()
                .filter(advice -> advice.isApplicableToBeanType(controller))
                .toList();
    }

    private static @Nullable Method handler(Class<?> type) {
        return new ExceptionHandlerMethodResolver(type).resolveMethodByExceptionType(RateLimitException.class);
    }

    /** Whether methods would be called to make a model before the controller is told: a rejected request must not reach them. */
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
