package io.github.ratelimit.content.cms.cache;

import io.github.ratelimit.http.AddressRange;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the page cache.
 *
 * @param enabled whether pages and answers are kept at all
 * @param maxSize the most memory that they may take
 * @param ttl how long they are kept without any write; other nodes of a cluster see writes no later than this
 * @param trustedCallers address ranges whose callers the protected routes obey
 * @param serviceKey public key of the service that may ask for an echo: Ed25519, X.509, base64; empty for none
 * @param guestLists address of a text that names the agents of testing tools, one a line; empty for none
 * @param outsideAddress the address by which others see this server; empty to find out
 */
@ConfigurationProperties("content-api.cache")
public record CacheProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("32MB") DataSize maxSize,
        @DefaultValue("30s") Duration ttl,
        @DefaultValue List<String> trustedCallers,
        @DefaultValue("") String serviceKey,
        @DefaultValue("") String guestLists,
        @DefaultValue("") String outsideAddress) {

    /** Checks the values. */
    public CacheProperties {
        trustedCallers = List.copyOf(trustedCallers);
        for (String range : trustedCallers) {
            try {
                AddressRange.parse(range);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("content-api.cache.trusted-callers: " + e.getMessage(), e);
            }
        }
        if (ttl.isNegative() || ttl.isZero()) {
            throw new IllegalArgumentException("content-api.cache.ttl: must be positive, was " + ttl);
        }
    }
}
