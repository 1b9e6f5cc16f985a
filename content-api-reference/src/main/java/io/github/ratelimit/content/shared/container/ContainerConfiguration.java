package io.github.ratelimit.content.shared.container;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.http.ClientAddress;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.file.Path;
import org.apache.catalina.core.StandardHost;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.boot.task.SimpleAsyncTaskSchedulerCustomizer;
import org.springframework.boot.task.ThreadPoolTaskSchedulerCustomizer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.support.TaskUtils;
import org.springframework.util.ErrorHandler;
import tools.jackson.databind.node.JsonNodeFactory;

/** Replaces Tomcat's own error pages, and bounds what connections, requests and tasks take. */
@Configuration(proxyBeanMethods = false)
class ContainerConfiguration {
    private static final Logger log = LoggerFactory.getLogger(ContainerConfiguration.class);

    /** In bytes, of each connection. Chosen: requests are short. */
    private static final int READ_AT_ONCE = 4 * 1024;

    /** What Spring Boot starts where nothing is said. */
    private static final int USUAL_WORKERS = 200;

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> jsonInPlaceOfErrorPages() {
        return factory -> factory.addContextCustomizers(context -> {
            if (context.getParent() instanceof StandardHost host) {
                host.setErrorReportValveClass(JsonErrorValve.class.getName());
            }
        });
    }

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> routesAtTheRoot(Transfers transfers) {
        return factory -> {
            factory.addEngineValves(new BodyValve(transfers)); // around the valves that make pages of errors
            factory.addContextValves(new RootRouteValve());
        };
    }

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> connectionsOfOneAddress(
            RequestBounds bounds, Transfers transfers, ClientAddress addresses, Environment environment) {
        return factory -> {
            factory.setProtocol(BoundedProtocol.class.getName());
            factory.addProtocolHandlerCustomizers(handler -> {
                if (handler instanceof BoundedProtocol protocol) {
                    int most = bounds.maxConnectionsPerAddress();
                    protocol.bound(new PeerConnections(most, ipv6Prefix(environment), addresses::trusts), transfers);
                    protocol.setProperty("socket.appReadBufSize", Integer.toString(READ_AT_ONCE));
                    // They borrow what they write from, or make it as long as their encryption wants.
                    protocol.setProperty("socket.appWriteBufSize", "0");
                }
            });
        };
    }

    @Bean
    Transfers transfers(TimeSource clock, RequestBounds bounds, ClientAddress addresses, Environment environment) {
        int workers = environment.getProperty("server.tomcat.threads.max", Integer.class, USUAL_WORKERS);
        return new Transfers(clock, bounds, workers, ipv6Prefix(environment), addresses::trusts);
    }

    /** What bodies are read into, on every surface. */
    @Bean
    JsonNodeFactory countedNodes(Transfers transfers) {
        return new CountedNodes(transfers);
    }

    @Bean
    JsonMapperBuilderCustomizer bodiesThatAreCounted(JsonNodeFactory nodes) {
        return builder -> builder.nodeFactory(nodes);
    }

    private static int ipv6Prefix(Environment environment) {
        return environment.getProperty("ratelimit.http.ipv6-prefix", Integer.class, ClientAddress.DEFAULT_IPV6_PREFIX);
    }

    @Bean
    OutOfMemory outOfMemory() {
        return OutOfMemory.endingTheProcess();
    }

    @Bean
    FilterRegistrationBean<BoundsFilter> boundsFilter(
            Transfers transfers, MeterRegistry registry, OutOfMemory outOfMemory) {
        RequestMeters meters = new RequestMeters(registry, transfers);
        var registration = new FilterRegistrationBean<>(new BoundsFilter(transfers, meters, outOfMemory));
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return registration;
    }

    @Bean
    Disk disk(@Value("${content-api.data-dir:./data}") Path dataDirectory) {
        return Disk.of(dataDirectory);
    }

    /** Behind the header fields of every answer, and before everything that stores. */
    @Bean
    FilterRegistrationBean<FullDiskFilter> fullDiskFilter(Disk disk, ObjectProvider<MeantMethod> meant) {
        var registration = new FilterRegistrationBean<>(
                new FullDiskFilter(disk::isFull, meant.getIfAvailable(() -> HttpServletRequest::getMethod)));
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 25);
        return registration;
    }

    @Bean
    ThreadPoolTaskSchedulerCustomizer tasksThatRunOutOfMemory(OutOfMemory outOfMemory) {
        return scheduler -> scheduler.setErrorHandler(endingOrLogging(outOfMemory));
    }

    @Bean
    SimpleAsyncTaskSchedulerCustomizer tasksOnVirtualThreadsThatRunOutOfMemory(OutOfMemory outOfMemory) {
        return scheduler -> scheduler.setErrorHandler(endingOrLogging(outOfMemory));
    }

    /** A task is tried again next time; what it left behind without memory may never work again, such as an index. */
    private static ErrorHandler endingOrLogging(OutOfMemory outOfMemory) {
        return problem -> {
            outOfMemory.endIfCausedBy(problem);
            if (Causes.passing(problem).isPresent()) {
                log.warn("a task has to wait for its next time: {}", problem.toString());
            } else {
                TaskUtils.LOG_AND_SUPPRESS_ERROR_HANDLER.handleError(problem);
            }
        };
    }
}
