/** Several writes in one request. */
@NullMarked
package io.github.ratelimit.content.cms.batch;

import org.jspecify.annotations.NullMarked;
