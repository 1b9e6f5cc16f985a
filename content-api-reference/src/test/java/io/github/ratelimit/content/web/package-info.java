/** Tests of the frame of the content interface. */
@NullMarked
package io.github.ratelimit.content.web;

import org.jspecify.annotations.NullMarked;
