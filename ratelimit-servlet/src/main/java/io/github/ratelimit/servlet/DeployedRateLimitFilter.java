package io.github.ratelimit.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A {@link RateLimitFilter} that the container makes, from a {@code web.xml} or a {@code @WebFilter}. A subclass has a public constructor without
 * parameters and says its limits in {@link #create}.
 *
 * <p>Safe for concurrent use once {@link #init} has returned, as containers see to.
 */
public abstract class DeployedRateLimitFilter implements Filter {

    private final Deque<AutoCloseable> resources = new ArrayDeque<>();
    private @Nullable RateLimitFilter filter;

    /** For subclasses. */
    protected DeployedRateLimitFilter() {}

    /**
     * Makes the filter, once for each deployment. If it fails, the application does not start, and the argument of {@link #closing} is closed.
     *
     * @param config the filter's name, its parameters and the application's context
     * @throws Exception if the limits cannot be made
     */
    protected abstract RateLimitFilter create(FilterConfig config) throws Exception;

    /**
     * Keeps a resource to be closed when the application is undeployed, the last one first.
     *
     * @param resource most often a store
     * @return the resource
     */
    protected final <T extends AutoCloseable> T closing(T resource) {
        resources.push(resource);
        return resource;
    }

    @Override
    public final void init(FilterConfig config) throws ServletException {
        try {
            filter = create(config);
        } catch (Exception e) {
            destroy();
            throw new ServletException(
                    "the limits of the filter \"" + config.getFilterName() + "\" cannot be made: " + e.getMessage(), e);
        }
    }

    @Override
    public final void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (filter == null) {
            throw new IllegalStateException("the filter was not initialized, or is destroyed");
        }
        filter.doFilter(request, response, chain);
    }

    @Override
    public final void destroy() {
        while (!resources.isEmpty()) {
            AutoCloseable resource = resources.pop();
            try {
                resource.close();
            } catch (Exception e) {
                System.getLogger(RateLimitFilter.class.getName())
                        .log(System.Logger.Level.WARNING, "could not close " + resource, e);
            }
        }
    }
}
