/** What the modules of this library share. No promise: it may change in any version. */
@NullMarked
package io.github.ratelimit.internal;

import org.jspecify.annotations.NullMarked;
