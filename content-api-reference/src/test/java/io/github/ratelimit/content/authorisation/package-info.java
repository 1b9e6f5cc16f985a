/**
 * Who may do what, asked of the running server: every route, method, role, state of the item and context, beside a table that a
 * person can read.
 */
@NullMarked
package io.github.ratelimit.content.authorisation;

import org.jspecify.annotations.NullMarked;
