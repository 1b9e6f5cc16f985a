package io.github.ratelimit.spring.autoconfigure;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.util.ClassUtils;

/** A Boot application that serves on a free port of the loopback interface. */
final class RunningApplication implements AutoCloseable {

    private final ConfigurableApplicationContext context;

    private RunningApplication(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static Builder of(Class<?>... sources) {
        return new Builder(sources);
    }

    URI base() {
        return URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"));
    }

    ConfigurableApplicationContext context() {
        return context;
    }

    @Override
    public void close() {
        context.close();
        if (context.getParent() instanceof ConfigurableApplicationContext parent) {
            parent.close();
        }
    }

    /** The servers of WebFlux on either line. */
    private static final List<String> NETTY = List.of(
            "org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory", // 3.5
            "org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory"); // 4

    private static final List<String> TOMCAT = List.of(
            "org.springframework.boot.web.embedded.tomcat.TomcatReactiveWebServerFactory", // 3.5
            "org.springframework.boot.tomcat.reactive.TomcatReactiveWebServerFactory"); // 4

    /** By their names on either line: what is not there is not missed. */
    private static final List<String> SECURITY = List.of(
            "org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration", // 3.5
            "org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.servlet.SecurityFilterAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.security.servlet.ManagementWebSecurityAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.reactive.ReactiveSecurityAutoConfiguration",
            "org.springframework.boot.autoconfigure.security.reactive.ReactiveUserDetailsServiceAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.security.reactive.ReactiveManagementWebSecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration", // 4
            "org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration");

    /** What serves requests, on either line. */
    private static final Pattern SERVING = Pattern.compile(
            ".*\\.(web|webmvc|webflux|servlet|reactor|netty|tomcat|http|jackson|context)\\..*|io\\.github\\.ratelimit\\..*");

    private static final Pattern BESIDE = Pattern.compile(".*\\.(actuate|security)\\..*");

    private static final String NOT_SERVING = Stream.concat(
                    SECURITY.stream(),
                    StreamSupport.stream(
                                    ImportCandidates.load(AutoConfiguration.class, null)
                                            .spliterator(),
                                    false)
                            .filter(name -> BESIDE.matcher(name).matches()
                                    || !SERVING.matcher(name).matches()))
            .distinct()
            .collect(Collectors.joining(","));

    /** Gathers what the application is made of. */
    static final class Builder {

        private final Class<?>[] sources;
        private final Map<String, Object> properties = new LinkedHashMap<>();
        private final List<ApplicationContextInitializer<GenericApplicationContext>> beans = new ArrayList<>();
        private WebApplicationType type = WebApplicationType.SERVLET;
        private Class<?>[] parent = {};

        private Builder(Class<?>[] sources) {
            this.sources = sources;
            properties.put("server.port", "0");
            properties.put("server.address", "127.0.0.1");
            properties.put("spring.main.banner-mode", "off");
            properties.put("logging.level.root", "off");
            properties.put("spring.autoconfigure.exclude", String.join(",", SECURITY));
            properties.put(
                    "management.prometheus.metrics.export.enabled", "false"); // tests bring registries of their own
        }

        Builder property(String name, Object value) {
            properties.put(name, value);
            return this;
        }

        /** A limiter of so many permits an hour by address: longer than any test takes on a busy machine. */
        Builder limiter(String name, int permits) {
            String rule = "ratelimit.limiters." + name + ".";
            return property(rule + "permits", permits).property(rule + "window", "1h");
        }

        <T> Builder bean(Class<T> type, T bean) {
            beans.add(context -> context.registerBean(type, () -> bean));
            return this;
        }

        Builder bean(String name, Object bean) {
            beans.add(context -> context.registerBean(name, Object.class, () -> bean));
            return this;
        }

        /** Leaves out Actuator, Redis and whatever else the class path brings: they take most of the time of a start. */
        Builder servingOnly() {
            return property("spring.autoconfigure.exclude", NOT_SERVING);
        }

        /** Leaves out more, with a comma before each name. */
        Builder alsoExclude(String names) {
            return property("spring.autoconfigure.exclude", properties.get("spring.autoconfigure.exclude") + names);
        }

        /** Lets Spring Security in, which would ask every other application's callers who they are. */
        Builder secured() {
            return property("spring.autoconfigure.exclude", "");
        }

        /** Below a context of these, which serves nothing. */
        Builder parent(Class<?>... of) {
            parent = of;
            return this;
        }

        /** On WebFlux and Reactor Netty. */
        Builder reactive() {
            return reactive(NETTY);
        }

        /** On WebFlux and Tomcat. */
        Builder reactiveOnTomcat() {
            return reactive(TOMCAT);
        }

        /** Said, as both are on the class path, and each line of Spring Boot prefers another one. */
        private Builder reactive(List<String> servers) {
            type = WebApplicationType.REACTIVE;
            Class<?> server = servers.stream()
                    .filter(name -> ClassUtils.isPresent(name, null))
                    .<Class<?>>map(name -> ClassUtils.resolveClassName(name, null))
                    .findFirst()
                    .orElseThrow();
            beans.add(context -> context.registerBean(server));
            return property("spring.reactor.netty.shutdown-quiet-period", "0s"); // else each stop waits for two seconds
        }

        RunningApplication start() {
            SpringApplicationBuilder application = parent.length == 0
                    ? new SpringApplicationBuilder(sources).properties(properties)
                    : new SpringApplicationBuilder(parent)
                            .properties(properties)
                            .child(sources);
            application.web(type).registerShutdownHook(false);
            beans.forEach(application::initializers);
            return new RunningApplication(application.run());
        }
    }
}
