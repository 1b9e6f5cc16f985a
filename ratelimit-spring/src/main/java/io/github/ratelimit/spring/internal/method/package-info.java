/**
 * Limits calls of beans' methods that no request is mapped to: services, scheduled methods and listeners.
 *
 * <p>Nothing here needs Spring Web.
 */
@NullMarked
package io.github.ratelimit.spring.internal.method;

import org.jspecify.annotations.NullMarked;
