/** Limits on the interface: what a request costs, and rules for single routes. */
@NullMarked
package io.github.ratelimit.content.cms.limit;

import org.jspecify.annotations.NullMarked;
