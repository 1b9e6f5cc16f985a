package io.github.ratelimit.spring.boot;

import io.github.ratelimit.servlet.ExcludedPaths;
import io.github.ratelimit.servlet.PathPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * The paths of Actuator's health probes. A rejected probe would restart a busy application.
 */
final class HealthProbes {

    private static final List<String> ENDPOINTS = List.of(
            "org.springframework.boot.actuate.health.HealthEndpoint", // 3.5
            "org.springframework.boot.health.actuate.endpoint.HealthEndpoint"); // 4
    private static final int USUAL_PORT = 8080;

    private HealthProbes() {}

    /**
     * The paths on the application's own port: of the health endpoint, and of its groups {@code liveness} and {@code readiness}.
     *
     * @return none where Actuator is not there: the same paths then are the application's own
     */
    static ExcludedPaths paths(Environment environment) {
        ClassLoader loader = HealthProbes.class.getClassLoader();
        if (ENDPOINTS.stream().noneMatch(endpoint -> ClassUtils.isPresent(endpoint, loader))) {
            return ExcludedPaths.NONE;
        }
        String servlet = cleaned(environment.getProperty("spring.mvc.servlet.path", "/"));
        List<String> paths = new ArrayList<>();
        endpoint("health", environment)
                .ifPresent(health -> paths.addAll(List.of(health, health + "/liveness", health + "/readiness")));
        // Both for Kubernetes; on the application's port whatever the other's is.
        if (environment.getProperty("management.endpoint.health.probes.add-additional-paths", Boolean.class, false)) {
            paths.addAll(List.of(servlet + "/livez", servlet + "/readyz"));
        }
        return new ExcludedPaths(paths.stream()
                .filter(HealthProbes::isPattern)
                .map(PathPattern::parse)
                .toList());
    }

    /** The path of one of Actuator's endpoints, below the application's root; none where Actuator has a port of its own. */
    static Optional<String> endpoint(String id, Environment environment) {
        if (!isOnTheSamePort(environment)) {
            return Optional.empty();
        }
        String servlet = cleaned(environment.getProperty("spring.mvc.servlet.path", "/"));
        String base = cleaned(environment.getProperty("management.endpoints.web.base-path", "/actuator"));
        String mapped = environment.getProperty("management.endpoints.web.path-mapping." + id);
        return Optional.of(servlet + base + cleaned(StringUtils.hasText(mapped) ? mapped : id));
    }

    /** A mistake in a property of Actuator is not reported here; without an exclusion the path is limited, and the table shows it. */
    private static boolean isPattern(String path) {
        try {
            PathPattern.parse(path);
            return path.indexOf('*') < 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isOnTheSamePort(Environment environment) {
        @Nullable Integer management = environment.getProperty("management.server.port", Integer.class);
        if (management == null) {
            return true;
        }
        int server = environment.getProperty("server.port", Integer.class, USUAL_PORT);
        return management > 0 && management == server;
    }

    /** With a slash before it and none behind; nothing for the root. */
    private static String cleaned(String path) {
        String inner = StringUtils.trimTrailingCharacter(StringUtils.trimLeadingCharacter(path.strip(), '/'), '/');
        return inner.isEmpty() ? "" : "/" + inner;
    }
}
