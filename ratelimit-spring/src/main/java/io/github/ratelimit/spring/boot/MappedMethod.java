package io.github.ratelimit.spring.boot;

import java.util.List;
import org.springframework.web.method.HandlerMethod;

/**
 * A method of a controller, and the requests that are mapped to it.
 *
 * @param methods none: all
 * @param paths patterns below the application's root, as the framework reads them
 * @param handler the method
 */
record MappedMethod(List<String> methods, List<String> paths, HandlerMethod handler) {

    MappedMethod {
        methods = List.copyOf(methods);
        paths = List.copyOf(paths);
    }

    /** {@code PostController.create}. */
    String name() {
        return handler.getBeanType().getSimpleName() + "." + handler.getMethod().getName();
    }
}
