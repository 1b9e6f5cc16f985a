/** Tests of annotations. */
@NullMarked
package io.github.ratelimit.spring;

import org.jspecify.annotations.NullMarked;
