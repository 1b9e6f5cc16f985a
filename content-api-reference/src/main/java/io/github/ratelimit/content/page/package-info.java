/** The routes of pages. */
@NullMarked
package io.github.ratelimit.content.page;

import org.jspecify.annotations.NullMarked;
