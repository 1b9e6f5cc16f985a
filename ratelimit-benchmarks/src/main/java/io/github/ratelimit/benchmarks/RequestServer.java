package io.github.ratelimit.benchmarks;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/**
 * The process that {@link RequestCost} measures: an embedded Tomcat with a web application for each contender, and one that says what the
 * process has used. Ends when its standard input does, so that it never outlives whoever started it.
 */
final class RequestServer {

    static final byte[] ANSWER = "{\"id\":42,\"title\":\"A short answer\",\"likes\":7}".getBytes(US_ASCII);

    /** Where it is told what the process has used: {@value #USED_LENGTH} bytes, CPU nanoseconds and allocated bytes. */
    static final String USED = "/us/used";

    static final int USED_LENGTH = 39;

    private RequestServer() {}

    /** Serves; the argument is how many connections there will be. Prints its port. */
    public static void main(String[] arguments) throws Exception {
        Logger.getLogger("").setLevel(Level.SEVERE);
        Tomcat tomcat = new Tomcat();
        Path folder = Files.createTempDirectory("request-cost");
        tomcat.setBaseDir(folder.toString());
        Connector connector = new Connector();
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxKeepAliveRequests", "-1");
        // All threads from the start: what an ended thread has allocated is counted no more.
        String threads = Integer.toString(Integer.parseInt(arguments[0]) + 2);
        connector.setProperty("minSpareThreads", threads);
        connector.setProperty("maxThreads", threads);
        tomcat.setConnector(connector);
        for (RequestContender contender : RequestContender.values()) {
            serve(tomcat, contender.contextPath(), new Answer(), contender.filter());
        }
        serve(tomcat, "/us", new Used(), Optional.empty());
        try {
            tomcat.start();
            System.out.println(connector.getLocalPort());
            while (System.in.read() >= 0) {
                // until whoever started it closes it or ends
            }
        } finally {
            tomcat.stop();
            tomcat.destroy();
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static void serve(Tomcat tomcat, String path, Servlet servlet, Optional<Filter> filter) {
        Context context = tomcat.addContext(path, null);
        context.addServletContainerInitializer(
                (classes, to) -> {
                    ServletRegistration.Dynamic served = to.addServlet("servlet", servlet);
                    served.addMapping("/*");
                    served.setAsyncSupported(true);
                    if (filter.isPresent()) {
                        FilterRegistration.Dynamic filtered = to.addFilter("filter", filter.get());
                        filtered.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), false, "/*");
                        filtered.setAsyncSupported(true);
                    }
                },
                Set.of());
    }

    private static final class Answer extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentType("application/json");
            response.setContentLength(ANSWER.length);
            response.getOutputStream().write(ANSWER);
        }
    }

    private static final class Used extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentLength(USED_LENGTH);
            long cpu = ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
            String used = String.format(Locale.ROOT, "%019d %019d", cpu, allocated());
            response.getOutputStream().write(used.getBytes(US_ASCII));
        }

        private static long allocated() {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long sum = 0;
            for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
                sum += Math.max(0, bytes);
            }
            return sum;
        }
    }
}
