/**
 * The reference server: how it starts.
 *
 * <p>Two surfaces that do not know each other: {@code widget}, with bulk sync below it, and {@code cms}, the
 * content-management interface, whose pages for people are {@code cms.site} and {@code cms.signin}. What both stand on is
 * {@code shared}; {@code demo} fills a first start with something to see.
 */
@NullMarked
package io.github.ratelimit.content;

import org.jspecify.annotations.NullMarked;
