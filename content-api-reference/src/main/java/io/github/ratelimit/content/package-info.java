/**
 * The reference server.
 *
 * <p>Its two surfaces do not use each other: {@code widget}, with bulk sync below it, and {@code cms}, the content interface with its
 * pages for people. Both use {@code server} and {@code limits}. {@code operation} serves administrators; {@code demo} fills a first start.
 */
@NullMarked
package io.github.ratelimit.content;

import org.jspecify.annotations.NullMarked;
