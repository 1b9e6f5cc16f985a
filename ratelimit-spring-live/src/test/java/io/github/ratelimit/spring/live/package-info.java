/** Tests of the live page. */
@NullMarked
package io.github.ratelimit.spring.live;

import org.jspecify.annotations.NullMarked;
