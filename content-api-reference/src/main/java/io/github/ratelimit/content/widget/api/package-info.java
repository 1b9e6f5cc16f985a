/**
 * What the widget and bulk-sync surfaces share: one form of error, how a body is read and checked, and one form of list.
 */
@NullMarked
package io.github.ratelimit.content.widget.api;

import org.jspecify.annotations.NullMarked;
