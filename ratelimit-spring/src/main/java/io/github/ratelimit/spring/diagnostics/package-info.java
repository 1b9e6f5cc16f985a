/**
 * Says at the startup what is limited, and warns of mistakes, each by its code.
 *
 * <p>A check comes in if it needs the whole application; it changes no decision.
 */
@NullMarked
package io.github.ratelimit.spring.diagnostics;

import org.jspecify.annotations.NullMarked;
