/** Limits on the interface: what a request costs, rules for single routes, and limits of its own on what takes the most work. */
@NullMarked
package io.github.ratelimit.content.cms.limit;

import org.jspecify.annotations.NullMarked;
