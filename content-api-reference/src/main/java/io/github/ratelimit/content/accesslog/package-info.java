/** Says what limits would have done to the requests of an access log. */
@NullMarked
package io.github.ratelimit.content.accesslog;

import org.jspecify.annotations.NullMarked;
