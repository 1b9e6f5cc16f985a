/**
 * Reports at the startup which requests and calls are limited, and warns of mistakes by their codes.
 *
 * <p>A check comes in if it needs the whole application; it changes no decision.
 */
@NullMarked
package io.github.ratelimit.spring.internal.diagnostics;

import org.jspecify.annotations.NullMarked;
