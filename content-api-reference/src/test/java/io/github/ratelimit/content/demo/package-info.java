/** Tests of the demonstration site. */
@NullMarked
package io.github.ratelimit.content.demo;

import org.jspecify.annotations.NullMarked;
