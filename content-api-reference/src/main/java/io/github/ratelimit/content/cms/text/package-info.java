/**
 * Texts of items: rendered titles, contents and excerpts, slugs, dates, and safe HTML.
 *
 * <p>All of it consists of pure functions, safe for concurrent use. Their time grows linearly with the input.
 */
@NullMarked
package io.github.ratelimit.content.cms.text;

import org.jspecify.annotations.NullMarked;
