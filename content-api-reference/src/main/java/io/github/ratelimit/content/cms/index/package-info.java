/** The index document and the namespace indexes, from which clients learn what the interface offers. */
@NullMarked
package io.github.ratelimit.content.cms.index;

import org.jspecify.annotations.NullMarked;
