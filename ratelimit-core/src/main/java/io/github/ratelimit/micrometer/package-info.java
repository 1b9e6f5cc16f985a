/** Counts and times decisions with Micrometer. The one package that knows it. */
@NullMarked
package io.github.ratelimit.micrometer;

import org.jspecify.annotations.NullMarked;
