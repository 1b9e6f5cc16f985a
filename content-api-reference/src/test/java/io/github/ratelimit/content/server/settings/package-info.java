/** Tests of settings that stop the start. */
@NullMarked
package io.github.ratelimit.content.server.settings;

import org.jspecify.annotations.NullMarked;
