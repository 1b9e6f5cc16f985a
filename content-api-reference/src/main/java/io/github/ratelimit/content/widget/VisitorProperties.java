package io.github.ratelimit.content.widget;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Visitor tokens.
 *
 * @param signingKey base64 of 32 bytes or more that sign the tokens; derived from the server's key where it is missing
 * @param tokenLifetime how long a token is valid
 */
@ConfigurationProperties("content-api.visitor")
record VisitorProperties(
        @Nullable String signingKey, @DefaultValue("24h") Duration tokenLifetime) {

    /** Does not print the key. */
    @Override
    public String toString() {
        return "VisitorProperties[tokenLifetime=" + tokenLifetime + "]";
    }
}
