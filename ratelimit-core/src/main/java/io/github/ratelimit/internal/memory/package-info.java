/** The table of the in-process store, and the arithmetic of the shapes. No promise: it may change in any version. */
@NullMarked
package io.github.ratelimit.internal.memory;

import org.jspecify.annotations.NullMarked;
