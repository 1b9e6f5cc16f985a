package io.github.ratelimit.content.demo;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Whether there is a demonstration site.
 *
 * @param demo whether an empty site is filled at start; where it is not said, on the embedded database only
 * @param baseUrl the address that the site is shown under, where it is not the one of this machine
 */
@ConfigurationProperties("content-api")
record DemoProperties(@Nullable Boolean demo, @Nullable String baseUrl) {}
