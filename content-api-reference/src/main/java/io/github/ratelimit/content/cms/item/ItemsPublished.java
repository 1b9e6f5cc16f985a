package io.github.ratelimit.content.cms.item;

/**
 * Says that items were published because their time came, without any request. For whoever keeps answers.
 *
 * @param count how many, 1 or more
 */
public record ItemsPublished(int count) {}
