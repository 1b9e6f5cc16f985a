/** The settings of the content interface. */
@NullMarked
package io.github.ratelimit.content.cms.settings;

import org.jspecify.annotations.NullMarked;
