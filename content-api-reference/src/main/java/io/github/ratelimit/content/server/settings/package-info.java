/** Settings that stop the start if they are invalid. The message names the property and the remedy. */
@NullMarked
package io.github.ratelimit.content.server.settings;

import org.jspecify.annotations.NullMarked;
