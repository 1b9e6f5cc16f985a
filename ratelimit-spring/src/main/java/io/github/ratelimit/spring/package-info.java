/**
 * The types that an application may name: the annotations, the exception of a rejection, and what its beans implement.
 *
 * <p>A type comes in only if an application writes its name, and it needs no other package of this module.
 */
@NullMarked
package io.github.ratelimit.spring;

import org.jspecify.annotations.NullMarked;
