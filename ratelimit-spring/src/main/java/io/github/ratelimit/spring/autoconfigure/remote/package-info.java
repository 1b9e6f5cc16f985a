/**
 * What every store behind a network has in Spring: its settings, its start, its health and its meters.
 *
 * <p>Nothing here is loaded without {@code ratelimit-remote}.
 */
@NullMarked
package io.github.ratelimit.spring.autoconfigure.remote;

import org.jspecify.annotations.NullMarked;
