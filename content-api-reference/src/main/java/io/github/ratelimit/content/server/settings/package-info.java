/** Settings that stop the start when they do not fit, told by the property's full name and with what to do about it. */
@NullMarked
package io.github.ratelimit.content.server.settings;

import org.jspecify.annotations.NullMarked;
