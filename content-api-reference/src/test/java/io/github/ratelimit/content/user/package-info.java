/** Tests of the routes for accounts. */
@NullMarked
package io.github.ratelimit.content.user;

import org.jspecify.annotations.NullMarked;
