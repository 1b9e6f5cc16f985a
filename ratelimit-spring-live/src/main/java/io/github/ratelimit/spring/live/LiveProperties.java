package io.github.ratelimit.spring.live;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The page that shows limiters at work.
 *
 * @param enabled Whether to serve a page with all limiters at work, which the application must protect.
 * @param path Path of the page, below the application's root.
 */
@ConfigurationProperties("ratelimit.live")
record LiveProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue(PATH) String path) {

    static final String PATH = "/ratelimits/live";
}
