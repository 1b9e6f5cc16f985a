package io.github.ratelimit.content.cms.rest;

/**
 * One of several requests that another request holds, as far as it matters to limits.
 *
 * @param method what it does
 * @param route where, such as {@code /cms/v2/posts}
 */
public record RestPart(RestMethod method, String route) {}
