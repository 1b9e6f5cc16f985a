/** Tests of the filter, over real HTTP in three containers. */
@NullMarked
package io.github.ratelimit.servlet;

import org.jspecify.annotations.NullMarked;
