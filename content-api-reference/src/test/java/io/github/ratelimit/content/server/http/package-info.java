/** Tests of the bounds that every request meets. */
@NullMarked
package io.github.ratelimit.content.server.http;

import org.jspecify.annotations.NullMarked;
