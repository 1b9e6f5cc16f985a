/** How the widget and bulk-sync surfaces read what they are sent. */
@NullMarked
package io.github.ratelimit.content.widget.api;

import org.jspecify.annotations.NullMarked;
