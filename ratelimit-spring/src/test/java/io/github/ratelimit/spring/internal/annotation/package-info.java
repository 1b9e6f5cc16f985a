/** Tests of how annotations are read. */
@NullMarked
package io.github.ratelimit.spring.internal.annotation;

import org.jspecify.annotations.NullMarked;
