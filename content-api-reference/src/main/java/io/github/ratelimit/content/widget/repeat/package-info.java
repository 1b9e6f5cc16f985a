/**
 * Requests that are sent again: {@code Idempotency-Key} on every POST of the widget and bulk-sync surfaces.
 *
 * <p>What a key was answered is answered again for 24 hours, without doing anything twice.
 */
@NullMarked
package io.github.ratelimit.content.widget.repeat;

import org.jspecify.annotations.NullMarked;
