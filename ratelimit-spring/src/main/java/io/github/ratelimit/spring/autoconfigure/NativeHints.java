package io.github.ratelimit.spring.autoconfigure;

import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/** Lets a native image find what this module asks for by name. */
class NativeHints implements RuntimeHintsRegistrar {

    /** Classes whose presence decides something. */
    static final List<String> TYPES = List.of(
            "jakarta.servlet.http.HttpServletRequest",
            "kotlinx.coroutines.reactor.MonoKt",
            "org.apache.catalina.startup.Tomcat",
            "org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType",
            "org.springframework.security.core.Authentication",
            "org.springframework.security.web.FilterChainProxy",
            "org.springframework.security.web.server.SecurityWebFilterChain",
            "org.springframework.web.ErrorResponse",
            "org.springframework.web.servlet.DispatcherServlet",
            "reactor.core.publisher.Flux",
            "reactor.netty.http.server.HttpServerRequest");

    /** Each declares {@code addEngineValves}. */
    private static final List<String> TOMCAT_FACTORIES = List.of(
            "org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory", // 3.5
            "org.springframework.boot.web.embedded.tomcat.TomcatReactiveWebServerFactory",
            "org.springframework.boot.tomcat.TomcatWebServerFactory"); // 4

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        hints.resources().registerPattern("io/github/ratelimit/redis/*.lua");
        hints.resources().registerPattern("io/github/ratelimit/postgresql/*.sql");
        hints.proxies().registerJdkProxy(DataSource.class);
        ReflectionHints reflection = hints.reflection();
        TYPES.forEach(name -> reflection.registerTypeIfPresent(loader, name, type -> {}));
        TOMCAT_FACTORIES.forEach(
                name -> method(reflection, loader, name, "addEngineValves", "org.apache.catalina.Valve[]"));
        method(
                reflection,
                loader,
                "io.github.ratelimit.spring.internal.web.reactive.ExchangeRejections",
                "fail",
                "org.springframework.web.server.ServerWebExchange");
        reflection.registerTypeIfPresent(
                loader,
                "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory",
                type -> type.withField("configuration"));
    }

    private static void method(
            ReflectionHints hints, @Nullable ClassLoader loader, String owner, String name, String parameter) {
        List<TypeReference> parameters = List.of(TypeReference.of(parameter));
        hints.registerTypeIfPresent(loader, owner, type -> type.withMethod(name, parameters, ExecutableMode.INVOKE));
    }
}
