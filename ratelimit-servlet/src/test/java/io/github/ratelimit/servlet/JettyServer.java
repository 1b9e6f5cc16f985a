package io.github.ratelimit.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import java.net.URI;
import java.util.List;
import org.eclipse.jetty.ee10.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Jetty. */
final class JettyServer implements ServletServer {

    private final Server server;

    private JettyServer(Server server) {
        this.server = server;
    }

    static ServletServer start(HttpServlet servlet, List<Filter> filters, HttpConfiguration.Customizer... customizers)
            throws Exception {
        Server server = new Server();
        HttpConfiguration configuration = new HttpConfiguration();
        for (HttpConfiguration.Customizer customizer : customizers) {
            configuration.addCustomizer(customizer);
        }
        ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(configuration));
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler("/");
        ServletHolder holder = new ServletHolder(servlet);
        holder.setAsyncSupported(true);
        context.addServlet(holder, "/");
        context.addServlet(holder, "/secret/*");
        for (Filter filter : filters) {
            FilterHolder filterHolder = new FilterHolder(filter);
            filterHolder.setAsyncSupported(true);
            context.addFilter(filterHolder, "/*", ALL_DISPATCHES);
        }
        ErrorPageErrorHandler errors = new ErrorPageErrorHandler();
        errors.addErrorPage(404, ERROR_PAGE);
        errors.addErrorPage(500, ERROR_PAGE);
        context.setErrorHandler(errors);
        server.setHandler(context);
        server.start();
        return new JettyServer(server);
    }

    @Override
    public URI base() {
        return URI.create("http://127.0.0.1:" + ((ServerConnector) server.getConnectors()[0]).getLocalPort());
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
