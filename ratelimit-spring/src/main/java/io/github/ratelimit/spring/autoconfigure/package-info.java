/**
 * The auto-configurations, each of which an application may exclude, with the beans of the library.
 *
 * <p>Only configurations and the conditions beside them come in; what a bean does stands in another package.
 */
@NullMarked
package io.github.ratelimit.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
