package io.github.ratelimit.content.demo;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.core.env.Environment;

/**
 * Whether there is a demonstration.
 *
 * @param demo whether an empty site is filled at start, and /demo shows the widget at work; where it is not said, on the embedded database
 *     only
 * @param demoControls whether an administrator may take the in-process store away at /demo; off where it is not said
 */
@ConfigurationProperties("content-api")
record DemoProperties(@Nullable Boolean demo, @Nullable Boolean demoControls) {

    boolean isWanted(Environment environment) {
        return demo == null
                ? environment
                        .getProperty("spring.datasource.url", "")
                        .toLowerCase(Locale.ROOT)
                        .startsWith("jdbc:h2:")
                : demo;
    }
}
