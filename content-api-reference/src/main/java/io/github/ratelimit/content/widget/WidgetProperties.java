package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.shared.settings.InvalidSettingException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The widget surface.
 *
 * @param allowedOrigins beside those of each workspace: the sites whose pages may call it from a browser, each like {@code https://www.example.org}; or
 *     {@code *} for every site; none by default, which leaves pages of the server's own origin
 */
@ConfigurationProperties("content-api.widget")
record WidgetProperties(@Nullable List<String> allowedOrigins) {

    WidgetProperties {
        allowedOrigins = allowedOrigins == null ? List.of() : List.copyOf(allowedOrigins);
        for (String origin : allowedOrigins) {
            if (!Origins.isWellFormed(origin)) {
                throw new InvalidSettingException(
                        "content-api.widget.allowed-origins",
                        "must be '*' or a scheme, a host in lower case and at most a port, was '" + origin + "'",
                        "write it as browsers do, like https://www.example.org");
            }
        }
    }

    List<String> origins() {
        return allowedOrigins == null ? List.of() : allowedOrigins;
    }
}
