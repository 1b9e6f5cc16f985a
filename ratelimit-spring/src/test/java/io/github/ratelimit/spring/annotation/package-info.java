/** Tests of how annotations are read. */
@NullMarked
package io.github.ratelimit.spring.annotation;

import org.jspecify.annotations.NullMarked;
