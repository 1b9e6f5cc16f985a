/** The routes of the cache: services and administrators see and clear what {@link io.github.ratelimit.content.cms.rest.PageCache} keeps. */
@NullMarked
package io.github.ratelimit.content.cms.cache;

import org.jspecify.annotations.NullMarked;
