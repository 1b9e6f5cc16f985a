/** Several writes in one request. */
@NullMarked
package io.github.ratelimit.content.batch;

import org.jspecify.annotations.NullMarked;
