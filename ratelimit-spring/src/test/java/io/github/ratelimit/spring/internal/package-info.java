/** Tests of the codes of diagnostics. */
@NullMarked
package io.github.ratelimit.spring.internal;

import org.jspecify.annotations.NullMarked;
