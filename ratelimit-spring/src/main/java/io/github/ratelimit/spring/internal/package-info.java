/**
 * The mistakes that stop a startup, and the codes of diagnostics.
 *
 * <p>No application names a type here or below: they change without notice. Needs no other package of this module.
 */
@NullMarked
package io.github.ratelimit.spring.internal;

import org.jspecify.annotations.NullMarked;
