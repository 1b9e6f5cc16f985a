package io.github.ratelimit.content.cms.site;

/**
 * What stands on the front page beside the newest posts.
 *
 * @param hasWidget whether visitors can chat there
 */
public record FrontPage(boolean hasWidget) {}
