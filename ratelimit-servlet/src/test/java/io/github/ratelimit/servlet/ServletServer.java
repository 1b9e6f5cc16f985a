package io.github.ratelimit.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import java.net.URI;
import java.util.EnumSet;
import java.util.List;

/** A container that serves one servlet behind some filters on a free port of the loopback interface. */
interface ServletServer extends AutoCloseable {

    EnumSet<DispatcherType> ALL_DISPATCHES = EnumSet.allOf(DispatcherType.class);

    /** Where the container shows what became of a request that failed. */
    String ERROR_PAGE = "/error-page";

    URI base();

    @Override
    void close();

    /** Starts a container. */
    interface Starter {

        /**
         * Starts one.
         *
         * @param servlet for every path
         * @param filters for every path and every kind of dispatch, in order
         */
        ServletServer start(HttpServlet servlet, List<Filter> filters) throws Exception;
    }
}
