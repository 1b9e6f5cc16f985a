/** Pages for administrators: the live page of the limits, and the actuator. */
@NullMarked
package io.github.ratelimit.content.operation;

import org.jspecify.annotations.NullMarked;
