/**
 * The settings, the start, the health and the meters of every store behind a network.
 *
 * <p>Nothing here is loaded without {@code ratelimit-remote}.
 */
@NullMarked
package io.github.ratelimit.spring.internal.remote;

import org.jspecify.annotations.NullMarked;
