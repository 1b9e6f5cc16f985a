/** What only an administrator sees: limits at work, and what the actuator tells beside the server's health. */
@NullMarked
package io.github.ratelimit.content.operation;

import org.jspecify.annotations.NullMarked;
