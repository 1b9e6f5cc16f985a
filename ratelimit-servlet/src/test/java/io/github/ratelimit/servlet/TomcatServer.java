package io.github.ratelimit.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.http.HttpServlet;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Valve;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** Tomcat. */
final class TomcatServer implements ServletServer {

    private static final Logger LOGGER =
            Logger.getLogger("org.apache"); // held: a logger nobody holds forgets its level

    private final Tomcat tomcat;
    private final Path directory;

    private TomcatServer(Tomcat tomcat, Path directory) {
        this.tomcat = tomcat;
        this.directory = directory;
    }

    static ServletServer start(HttpServlet servlet, List<Filter> filters, Valve... valves) throws Exception {
        return start(servlet, filters, (classes, context) -> {}, valves);
    }

    /** Starts one that is set up further by an initializer. */
    static ServletServer start(
            HttpServlet servlet, List<Filter> filters, ServletContainerInitializer initializer, Valve... valves)
            throws Exception {
        LOGGER.setLevel(Level.OFF);
        Path directory = Files.createTempDirectory("ratelimit-tomcat");
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(directory.toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        Context context = tomcat.addContext("", null);
        context.addServletContainerInitializer(initializer, null);
        for (Valve valve : valves) {
            context.getPipeline().addValve(valve);
        }
        Tomcat.addServlet(context, "servlet", servlet).setAsyncSupported(true);
        context.addServletMappingDecoded("/", "servlet");
        context.addServletMappingDecoded("/secret/*", "servlet");
        for (int i = 0; i < filters.size(); i++) {
            add(context, "filter" + i, filters.get(i));
        }
        for (int status : new int[] {404, 500}) {
            ErrorPage page = new ErrorPage();
            page.setErrorCode(status);
            page.setLocation(ERROR_PAGE);
            context.addErrorPage(page);
        }
        tomcat.start();
        return new TomcatServer(tomcat, directory);
    }

    private static void add(Context context, String name, Filter filter) {
        FilterDef definition = new FilterDef();
        definition.setFilterName(name);
        definition.setFilter(filter);
        definition.setAsyncSupported("true");
        context.addFilterDef(definition);
        FilterMap mapping = new FilterMap();
        mapping.setFilterName(name);
        mapping.addURLPattern("/*");
        for (DispatcherType type : ALL_DISPATCHES) {
            mapping.setDispatcher(type.name());
        }
        context.addFilterMap(mapping);
    }

    @Override
    public URI base() {
        return URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort());
    }

    @Override
    public void close() {
        try {
            tomcat.stop();
            tomcat.destroy();
            try (Stream<Path> files = Files.walk(directory)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
        } catch (LifecycleException | IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
