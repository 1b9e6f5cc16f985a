/** The widget and bulk-sync surfaces over real HTTP, and the limits on them. */
@NullMarked
package io.github.ratelimit.content.widget;

import org.jspecify.annotations.NullMarked;
