/**
 * The types that an application may name: the annotations, the exception of a rejection, what its beans implement, and what it builds itself.
 *
 * <p>A type comes in only if an application writes its name. Types below {@code internal} change without notice.
 */
@NullMarked
package io.github.ratelimit.spring;

import org.jspecify.annotations.NullMarked;
