/** The index document, the namespace indexes, and the routes that describe types. */
@NullMarked
package io.github.ratelimit.content.cms.index;

import org.jspecify.annotations.NullMarked;
