package io.github.ratelimit.spring.internal.web.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;
import org.jspecify.annotations.Nullable;
import org.springframework.web.filter.ServerHttpObservationFilter;

/**
 * A request for the application's error page, which the dispatcher servlet renders.
 *
 * <p>An error dispatch would pass the application's authentication, which asks an unknown client to sign in instead.
 */
public final class ErrorPage extends HandlerLookUp.Aside {

    private final String servletPath;
    private final String pathInfo;

    /**
     * Makes it.
     *
     * @param path of the page, below the path of the dispatcher servlet
     */
    public ErrorPage(HttpServletRequest request, String path, int status) {
        super(request);
        boolean below = request.getHttpServletMapping().getMappingMatch() == MappingMatch.PATH;
        this.servletPath = below ? request.getServletPath() : path;
        this.pathInfo = below ? path : "";
        setAttribute(RequestDispatcher.ERROR_STATUS_CODE, status);
        setAttribute(RequestDispatcher.ERROR_REQUEST_URI, request.getRequestURI());
        // The request is observed by its own path.
        setAttribute(ServerHttpObservationFilter.CURRENT_OBSERVATION_CONTEXT_ATTRIBUTE, null);
    }

    /** None: the parts of a rejected upload are not read. */
    @Override
    public @Nullable String getContentType() {
        return null;
    }

    @Override
    public DispatcherType getDispatcherType() {
        return DispatcherType.ERROR;
    }

    @Override
    public String getRequestURI() {
        return getContextPath() + servletPath + pathInfo;
    }

    @Override
    public String getServletPath() {
        return servletPath;
    }

    @Override
    public String getPathInfo() {
        return pathInfo;
    }
}
