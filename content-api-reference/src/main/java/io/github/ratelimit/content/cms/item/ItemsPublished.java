package io.github.ratelimit.content.cms.item;

/** Says that items were published because their time came, without any request. For whoever keeps answers. */
public record ItemsPublished() {}
