package io.github.ratelimit.content.limits;

import io.github.ratelimit.spring.RateLimit;
import org.springframework.stereotype.Component;

/**
 * Limits an account beyond single requests: bytes of uploads, calls of the proxy. The library counts each call of these methods before it would
 * run, so they have nothing to do. Safe for concurrent use.
 */
@Component
public class AccountLimit {

    /**
     * Counts the bytes of an upload.
     *
     * @param account the account's id
     * @param bytes 1 or more
     * @throws io.github.ratelimit.spring.RateLimitException if the account has fewer left
     */
    @RateLimit(value = "uploads", cost = "#bytes")
    public void upload(long account, long bytes) {}

    /**
     * Counts a call to another site.
     *
     * @param account the account's id
     * @param host the site's host
     * @throws io.github.ratelimit.spring.RateLimitException if the account or the site has none left
     */
    @RateLimit("oembed-proxy")
    public void callOut(long account, String host) {}
}
