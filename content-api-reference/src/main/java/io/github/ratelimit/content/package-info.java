/** The reference server: how it starts and what all its features share. */
@NullMarked
package io.github.ratelimit.content;

import org.jspecify.annotations.NullMarked;
