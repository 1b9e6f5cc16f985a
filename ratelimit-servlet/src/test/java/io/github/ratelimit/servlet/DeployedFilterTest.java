package io.github.ratelimit.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.contract.RawHttp;
import io.undertow.Undertow;
import io.undertow.server.handlers.PathHandler;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.api.FilterInfo;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.io.File;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.catalina.Host;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.ContextConfig;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.JarScanType;
import org.apache.tomcat.JarScannerCallback;
import org.apache.tomcat.util.scan.StandardJarScanner;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A filter that the container makes, in an application that is deployed again and again with a class loader of its own. */
class DeployedFilterTest {

    private static final String FILTER = ServletExamplesTest.Limits.class.getName();
    private static final int DEPLOYMENTS = Boolean.getBoolean("full") ? 50 : 12;

    /** Deploys the application at {@code /app}, and returns what undeploys it. */
    private interface Deployer {
        AutoCloseable deploy(ClassLoader loader) throws Exception;
    }

    @Test
    void tomcatDeploysItAgainAndAgain(@TempDir Path directory) throws Exception {
        Files.createDirectories(directory.resolve("application/WEB-INF"));
        Files.writeString(directory.resolve("application/WEB-INF/web.xml"), """
                <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0" metadata-complete="true">
                  <filter>
                    <filter-name>limits</filter-name>
                    <filter-class>%s</filter-class>
                    <async-supported>true</async-supported>
                  </filter>
                  <filter-mapping>
                    <filter-name>limits</filter-name>
                    <url-pattern>/*</url-pattern>
                  </filter-mapping>
                </web-app>
                """.formatted(FILTER));
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(directory.toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        Host host = tomcat.getHost();
        tomcat.start();
        try {
            redeploy(URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort()), loader -> {
                StandardContext context = new StandardContext();
                context.setPath("/app");
                context.setJarScanner(new StandardJarScanner() {
                    @Override
                    public void scan(JarScanType type, ServletContext application, JarScannerCallback callback) {}
                });
                context.setDocBase(directory.resolve("application").toString());
                context.setParentClassLoader(loader);
                context.addLifecycleListener(new ContextConfig());
                Tomcat.addServlet(context, "servlet", new TestServlet()).setAsyncSupported(true);
                context.addServletMappingDecoded("/", "servlet");
                host.addChild(context);
                return () -> host.removeChild(context);
            });
        } finally {
            tomcat.stop();
            tomcat.destroy();
        }
    }

    @Test
    void jettyDeploysItAgainAndAgain() throws Exception {
        Server server = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        ContextHandlerCollection contexts = new ContextHandlerCollection(true);
        server.setHandler(contexts);
        server.start();
        try {
            redeploy(
                    URI.create("http://127.0.0.1:" + ((ServerConnector) server.getConnectors()[0]).getLocalPort()),
                    loader -> {
                        ServletContextHandler context = new ServletContextHandler("/app");
                        context.setClassLoader(loader);
                        context.addServlet(new ServletHolder(new TestServlet()), "/");
                        FilterHolder filter = new FilterHolder();
                        filter.setClassName(FILTER);
                        context.addFilter(filter, "/*", EnumSet.allOf(DispatcherType.class));
                        contexts.addHandler(context);
                        context.start();
                        return () -> {
                            context.stop();
                            contexts.removeHandler(context);
                        };
                    });
        } finally {
            server.stop();
        }
    }

    @Test
    void undertowDeploysItAgainAndAgain() throws Exception {
        PathHandler paths = new PathHandler();
        Undertow undertow = Undertow.builder()
                .addHttpListener(0, "127.0.0.1")
                .setIoThreads(2)
                .setWorkerThreads(4)
                .setHandler(paths)
                .build();
        undertow.start();
        InetSocketAddress address =
                (InetSocketAddress) undertow.getListenerInfo().get(0).getAddress();
        try {
            redeploy(URI.create("http://127.0.0.1:" + address.getPort()), loader -> {
                DeploymentInfo application = Servlets.deployment()
                        .setClassLoader(loader)
                        .setContextPath("/app")
                        .setDeploymentName("test")
                        .addServlet(Servlets.servlet(
                                        "servlet", TestServlet.class, new ImmediateInstanceFactory<>(new TestServlet()))
                                .addMapping("/"))
                        .addFilter(new FilterInfo(
                                "limits", loader.loadClass(FILTER).asSubclass(Filter.class)))
                        .addFilterUrlMapping("limits", "/*", DispatcherType.REQUEST);
                DeploymentManager deployment = Servlets.newContainer().addDeployment(application);
                deployment.deploy();
                paths.addPrefixPath("/app", deployment.start());
                return () -> {
                    paths.removePrefixPath("/app");
                    deployment.stop();
                    deployment.undeploy();
                };
            });
        } finally {
            undertow.stop();
        }
    }

    private static void redeploy(URI server, Deployer deployer) throws Exception {
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        int threads = 0;
        for (int i = 0; i < DEPLOYMENTS; i++) {
            loaders.add(deployOnce(server, deployer));
            threads = i == 9 ? Thread.activeCount() : threads;
        }
        int most = threads + 2; // what the container itself adds
        long end = System.nanoTime() + 30_000_000_000L;
        while (Thread.activeCount() > most || alive(loaders) > 1) { // Undertow and Jetty hold the last one
            assertThat(System.nanoTime() - end)
                    .as("%d threads where %d were, %d class loaders", Thread.activeCount(), most, alive(loaders))
                    .isNegative();
            System.gc();
            Thread.sleep(20);
        }
    }

    private static long alive(List<WeakReference<ClassLoader>> loaders) {
        return loaders.stream().filter(loader -> !loader.refersTo(null)).count();
    }

    private static WeakReference<ClassLoader> deployOnce(URI server, Deployer deployer) throws Exception {
        try (URLClassLoader loader = applicationLoader();
                AutoCloseable deployed = deployer.deploy(loader)) {
            assertThat(deployed).isNotNull();
            assertThat(RawHttp.get(server, "/app/limited/200").values("X-RateLimit-Remaining"))
                    .containsExactly("29");
            return new WeakReference<>(loader);
        }
    }

    /** Has the library's classes and the tests'; servlets and the container itself are not in it. */
    private static URLClassLoader applicationLoader() throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!entry.matches(".*(tomcat|jetty|undertow|servlet-api).*\\.jar")) {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        ClassLoader container = DeployedFilterTest.class.getClassLoader();
        ClassLoader shared = new ClassLoader(ClassLoader.getPlatformClassLoader()) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                if (name.startsWith("jakarta.servlet.") || name.startsWith("org.apache.")) {
                    return container.loadClass(name);
                }
                throw new ClassNotFoundException(name);
            }

            @Override
            protected @Nullable URL findResource(String name) {
                return name.startsWith("org/apache/") ? container.getResource(name) : null;
            }
        };
        return new URLClassLoader(urls.toArray(URL[]::new), shared);
    }

    @Test
    void startFailsWithTheReasonAndClosesWhatWasOpened() {
        List<String> closed = new ArrayList<>();
        DeployedRateLimitFilter filter = new DeployedRateLimitFilter() {
            @Override
            protected RateLimitFilter create(FilterConfig config) {
                closing(() -> closed.add("first"));
                closing(() -> {
                    throw new IllegalStateException("does not close");
                });
                closing(() -> closed.add("last"));
                throw new IllegalArgumentException("no such address: \"x\"");
            }
        };
        assertThatThrownBy(() -> filter.init(config()))
                .isInstanceOf(ServletException.class)
                .hasMessage("the limits of the filter \"limits\" cannot be made: no such address: \"x\"");
        assertThat(closed).containsExactly("last", "first");
    }

    private static FilterConfig config() {
        return (FilterConfig) Proxy.newProxyInstance(
                FilterConfig.class.getClassLoader(),
                new Class<?>[] {FilterConfig.class},
                (proxy, method, arguments) -> method.getName().equals("getFilterName") ? "limits" : null);
    }
}
