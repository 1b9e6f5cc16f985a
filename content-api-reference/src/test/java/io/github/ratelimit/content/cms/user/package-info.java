/** Tests of the routes for accounts. */
@NullMarked
package io.github.ratelimit.content.cms.user;

import org.jspecify.annotations.NullMarked;
