/** Tests of settings that stop the start. */
@NullMarked
package io.github.ratelimit.content.shared.settings;

import org.jspecify.annotations.NullMarked;
