package io.github.ratelimit.content.server.fetch;

/**
 * A document that was fetched.
 *
 * @param address where it came from, after redirects
 * @param text the body, read in the charset that was given with it, else as UTF-8; malformed bytes are replaced
 */
public record Fetched(String address, String text) {}
