/** Tests of the routes for terms. */
@NullMarked
package io.github.ratelimit.content.cms.term;

import org.jspecify.annotations.NullMarked;
