/** Tests of what one request may take of the server. */
@NullMarked
package io.github.ratelimit.content.shared.container;

import org.jspecify.annotations.NullMarked;
