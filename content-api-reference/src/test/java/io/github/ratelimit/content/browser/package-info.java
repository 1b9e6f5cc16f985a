/**
 * What people see, in a real browser. Skipped where none is installed, unless {@code REQUIRE_BROWSER=1} says that one has
 * to be.
 */
@NullMarked
package io.github.ratelimit.content.browser;

import org.jspecify.annotations.NullMarked;
