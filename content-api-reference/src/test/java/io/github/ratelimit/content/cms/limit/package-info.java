/** Tests of the limits on the content interface. */
@NullMarked
package io.github.ratelimit.content.cms.limit;

import org.jspecify.annotations.NullMarked;
