package io.github.ratelimit.spring.internal.web.servlet;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.web.servlet.FrameworkServlet;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Finds the handler of a rejected request outside of the dispatcher servlet, in a filter before it.
 *
 * <p>Asks the application's handler mappings as the dispatcher servlet does, and leaves no attribute on the request. Finds nothing if a
 * mapping fails. Safe for concurrent use.
 */
public final class HandlerLookUp {

    private static final Log LOG = LogFactory.getLog(HandlerLookUp.class);
    private static final String BOOTS_DISPATCHER = "dispatcherServlet";

    private final ApplicationContext context;
    private volatile @Nullable List<HandlerMapping> mappings;

    /** Creates one that asks the handler mappings of this context and of those above it. */
    public HandlerLookUp(ApplicationContext context) {
        this.context = context;
    }

    /** The handler that a request will be dispatched to, with its interceptors. */
    public Optional<HandlerExecutionChain> handler(HttpServletRequest request) {
        try {
            return isDispatched(request) ? Optional.ofNullable(handler(new Aside(request))) : Optional.empty();
        } catch (Exception e) { // such as a method that is not allowed: the dispatcher servlet will say so
            LOG.debug("No handler is known beforehand", e);
            return Optional.empty();
        }
    }

    /**
     * The first that is found, as the dispatcher servlet takes it.
     *
     * @throws Exception of a mapping
     */
    public @Nullable HandlerExecutionChain handler(Aside request) throws Exception {
        ServletRequestPathUtils.parseAndCache(request);
        for (HandlerMapping mapping : mappings()) {
            HandlerExecutionChain found = mapping.getHandler(request);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** Dispatches to the servlet that the container has chosen, or to Spring Boot's; null without a container. */
    public @Nullable RequestDispatcher dispatcher(HttpServletRequest request) {
        String chosen = request.getHttpServletMapping().getServletName();
        return request.getServletContext().getNamedDispatcher(isDispatched(request) ? chosen : BOOTS_DISPATCHER);
    }

    /** Late: mappings are made long after filters. */
    private List<HandlerMapping> mappings() {
        List<HandlerMapping> known = mappings;
        if (known == null) {
            known = new ArrayList<>(
                    BeanFactoryUtils.beansOfTypeIncludingAncestors(context, HandlerMapping.class, true, false)
                            .values());
            AnnotationAwareOrderComparator.sort(known);
            mappings = known;
        }
        return known;
    }

    /** Whether the servlet that the container has chosen asks these handler mappings: another one's paths and controllers are its own. */
    private boolean isDispatched(HttpServletRequest request) {
        String servlet = request.getHttpServletMapping().getServletName();
        Object of = request.getServletContext().getAttribute(FrameworkServlet.SERVLET_CONTEXT_PREFIX + servlet);
        // Spring Boot's own is made ready by the first request.
        return of == null ? BOOTS_DISPATCHER.equals(servlet) : of == context;
    }

    /** Keeps to itself the attributes that are set on it. */
    public static class Aside extends HttpServletRequestWrapper {

        private static final Object REMOVED = new Object();

        private final Map<String, Object> changed = new HashMap<>();

        Aside(HttpServletRequest request) {
            super(request);
        }

        @Override
        public @Nullable Object getAttribute(String name) {
            Object value = changed.get(name);
            return value == null ? super.getAttribute(name) : value == REMOVED ? null : value;
        }

        @Override
        public void setAttribute(String name, @Nullable Object value) {
            changed.put(name, value == null ? REMOVED : value);
        }

        @Override
        public void removeAttribute(String name) {
            changed.put(name, REMOVED);
        }
    }
}
