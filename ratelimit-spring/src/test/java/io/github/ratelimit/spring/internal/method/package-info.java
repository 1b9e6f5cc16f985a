/** Tests of limits on calls of methods. */
@NullMarked
package io.github.ratelimit.spring.internal.method;

import org.jspecify.annotations.NullMarked;
