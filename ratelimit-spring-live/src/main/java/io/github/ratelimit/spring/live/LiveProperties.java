package io.github.ratelimit.spring.live;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The page that shows limiters at work.
 *
 * @param enabled Whether there is one. Let only those see it who operate the application: the library asks nobody who they are.
 * @param path Where it is, below the application's root.
 */
@ConfigurationProperties("ratelimit.live")
record LiveProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue(PATH) String path) {

    static final String PATH = "/ratelimits/live";
}
