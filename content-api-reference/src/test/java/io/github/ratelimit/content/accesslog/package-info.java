/** What limits would have done to the requests of a log. */
@NullMarked
package io.github.ratelimit.content.accesslog;

import org.jspecify.annotations.NullMarked;
