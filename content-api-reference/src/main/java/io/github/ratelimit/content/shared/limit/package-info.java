/** Quotas: limits that no header field shows, on what callers may leave behind. */
@NullMarked
package io.github.ratelimit.content.shared.limit;

import org.jspecify.annotations.NullMarked;
