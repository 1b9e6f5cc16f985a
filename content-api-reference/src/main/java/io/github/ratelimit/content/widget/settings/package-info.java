/** The settings of the widget and sync surfaces. */
@NullMarked
package io.github.ratelimit.content.widget.settings;

import org.jspecify.annotations.NullMarked;
