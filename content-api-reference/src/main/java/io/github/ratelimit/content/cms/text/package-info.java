/**
 * What people write, and what becomes of it: rendered titles, contents and excerpts, slugs, dates, and HTML without what
 * could harm its readers.
 *
 * <p>Pure functions of their arguments, safe for concurrent use. Each takes time in proportion to the length of its
 * input, whatever the input.
 */
@NullMarked
package io.github.ratelimit.content.cms.text;

import org.jspecify.annotations.NullMarked;
