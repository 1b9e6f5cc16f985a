package io.github.ratelimit.spring.internal.properties;

import io.github.ratelimit.http.adapter.ExcludedPaths;
import io.github.ratelimit.http.adapter.PathPattern;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.AdditionalPathsMapper;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * The paths of Actuator's health probes. A rejected probe would restart a busy application.
 */
public final class HealthProbes {

    private static final String ACTUATOR =
            "org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType";

    private HealthProbes() {}

    /**
     * The paths on the application's own port: of the health endpoint with all below it, and the additional ones of its groups.
     *
     * @return none where Actuator is not there: the same paths then are the application's own
     */
    public static ExcludedPaths paths(BeanFactory beans, Environment environment) {
        if (!ClassUtils.isPresent(ACTUATOR, HealthProbes.class.getClassLoader())) {
            return ExcludedPaths.NONE;
        }
        String servlet = cleaned(environment.getProperty("spring.mvc.servlet.path", "/"));
        String base = cleaned(environment.getProperty("management.endpoints.web.base-path", "/actuator"));
        String mapped = environment.getProperty("management.endpoints.web.path-mapping.health", "");
        String health = servlet + base + cleaned(mapped.isBlank() ? "health" : mapped);
        return new ExcludedPaths(Stream.concat(
                        Stream.of(health).filter(any -> ManagementPortType.get(environment) == ManagementPortType.SAME),
                        beans.getBeanProvider(AdditionalPathsMapper.class).stream()
                                .flatMap(
                                        groups -> groups
                                                .getAdditionalPaths(EndpointId.of("health"), WebServerNamespace.SERVER)
                                                .stream())
                                .map(path -> servlet + cleaned(path)))
                .filter(HealthProbes::isPattern)
                .map(path -> PathPattern.parse(path + "/**"))
                .toList());
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

    /** With a slash before it and none behind; nothing for the root. */
    private static String cleaned(String path) {
        String inner = StringUtils.trimTrailingCharacter(StringUtils.trimLeadingCharacter(path.strip(), '/'), '/');
        return inner.isEmpty() ? "" : "/" + inner;
    }
}
