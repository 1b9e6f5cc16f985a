/**
 * Texts of items: rendered titles, contents and excerpts, slugs, dates, and HTML without anything that could harm its
 * readers.
 *
 * <p>Pure functions of their arguments, safe for concurrent use. The time of each grows with the length of its input.
 */
@NullMarked
package io.github.ratelimit.content.cms.text;

import org.jspecify.annotations.NullMarked;
