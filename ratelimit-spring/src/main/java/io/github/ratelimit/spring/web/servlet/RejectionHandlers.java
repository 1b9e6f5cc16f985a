package io.github.ratelimit.spring.web.servlet;

import io.github.ratelimit.spring.RateLimitException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.converter.StringHttpMessageConverter;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;
import org.springframework.web.servlet.mvc.method.annotation.ServletInvocableHandlerMethod;

/**
 * The application's methods that take rejections.
 *
 * <p>Spring MVC is asked which method it would call, and nothing is called here: so the order of advices, their scopes and media types are
 * what they are for every other exception. Safe for concurrent use.
 */
final class RejectionHandlers {

    private final ApplicationContext context;
    private volatile @Nullable Choice choice;

    RejectionHandlers(ApplicationContext context) {
        this.context = context;
    }

    boolean haveOneFor(
            RateLimitException rejection,
            @Nullable Object handler,
            HttpServletRequest request,
            HttpServletResponse response) {
        Method chosen = choice().of(
                        handler instanceof HandlerMethod method ? method : null,
                        rejection,
                        new ServletWebRequest(request, response));
        return chosen != null && names(chosen, rejection);
    }

    /** Late: with the first rejection all advices are there. Made twice at worst, to no harm. */
    private Choice choice() {
        Choice known = choice;
        if (known == null) {
            known = new Choice();
            known.setApplicationContext(context);
            known.setMessageConverters(
                    List.of(new StringHttpMessageConverter())); // writes nothing, and so needs no other
            known.afterPropertiesSet();
            choice = known;
        }
        return known;
    }

    private static boolean names(Method handler, RateLimitException rejection) {
        ExceptionHandler annotation = AnnotatedElementUtils.findMergedAnnotation(handler, ExceptionHandler.class);
        Class<?>[] named = annotation == null || annotation.value().length == 0
                ? handler.getParameterTypes() // as Spring does: what is not said is read off the parameters
                : annotation.value();
        return Stream.of(named).anyMatch(type -> isNarrow(type) && type.isInstance(rejection));
    }

    private static boolean isNarrow(Class<?> type) {
        return RuntimeException.class.isAssignableFrom(type) && type != RuntimeException.class;
    }

    /** Opens what Spring MVC chooses by. */
    private static final class Choice extends ExceptionHandlerExceptionResolver {

        @Nullable
        Method of(@Nullable HandlerMethod handler, Exception failure, ServletWebRequest request) {
            ServletInvocableHandlerMethod chosen = getExceptionHandlerMethod(handler, failure, request);
            return chosen == null ? null : chosen.getMethod();
        }
    }
}
