/** The meters of stores behind a network. The one package here that knows Micrometer. */
@NullMarked
package io.github.ratelimit.remote.micrometer;

import org.jspecify.annotations.NullMarked;
