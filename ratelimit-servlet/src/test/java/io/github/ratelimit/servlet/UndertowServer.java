package io.github.ratelimit.servlet;

import io.undertow.Undertow;
import io.undertow.server.HandlerWrapper;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.api.ErrorPage;
import io.undertow.servlet.api.FilterInfo;
import io.undertow.servlet.api.ServletStackTraces;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;

/** Undertow. */
final class UndertowServer implements ServletServer {

    private final Undertow undertow;
    private final DeploymentManager deployment;

    private UndertowServer(Undertow undertow, DeploymentManager deployment) {
        this.undertow = undertow;
        this.deployment = deployment;
    }

    static ServletServer start(HttpServlet servlet, List<Filter> filters, HandlerWrapper wrapper) throws Exception {
        DeploymentInfo application = Servlets.deployment()
                .setClassLoader(UndertowServer.class.getClassLoader())
                .setContextPath("/")
                .setDeploymentName("test")
                .setServletStackTraces(
                        ServletStackTraces.NONE) // or its own page would take the place of the error page
                .addServlet(Servlets.servlet("servlet", servlet.getClass(), new ImmediateInstanceFactory<>(servlet))
                        .addMapping("/")
                        .addMapping("/secret/*")
                        .setAsyncSupported(true))
                .addErrorPage(new ErrorPage(ERROR_PAGE, 404))
                .addErrorPage(new ErrorPage(ERROR_PAGE, 500));
        for (int i = 0; i < filters.size(); i++) {
            Filter filter = filters.get(i);
            application.addFilter(
                    new FilterInfo("filter" + i, filter.getClass(), new ImmediateInstanceFactory<>(filter))
                            .setAsyncSupported(true));
            for (DispatcherType type : ALL_DISPATCHES) {
                application.addFilterUrlMapping("filter" + i, "/*", type);
            }
        }
        DeploymentManager deployment = Servlets.newContainer().addDeployment(application);
        deployment.deploy();
        Undertow undertow = Undertow.builder()
                .addHttpListener(0, "127.0.0.1")
                .setIoThreads(2)
                .setWorkerThreads(16)
                .setHandler(wrapper.wrap(deployment.start()))
                .build();
        undertow.start();
        return new UndertowServer(undertow, deployment);
    }

    @Override
    public URI base() {
        InetSocketAddress address =
                (InetSocketAddress) undertow.getListenerInfo().get(0).getAddress();
        return URI.create("http://127.0.0.1:" + address.getPort());
    }

    @Override
    public void close() {
        try {
            deployment.stop();
        } catch (ServletException e) {
            throw new IllegalStateException(e);
        } finally {
            undertow.stop();
        }
    }
}
