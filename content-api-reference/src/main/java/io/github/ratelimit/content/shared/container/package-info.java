/**
 * What the servlet container itself answers: JSON in place of its error pages, in the form that the surface at the
 * requested path uses everywhere else.
 */
@NullMarked
package io.github.ratelimit.content.shared.container;

import org.jspecify.annotations.NullMarked;
