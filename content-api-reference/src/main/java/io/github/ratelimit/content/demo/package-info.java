/** The demonstration site: something to look at on a first start, and the keys to it. */
@NullMarked
package io.github.ratelimit.content.demo;

import org.jspecify.annotations.NullMarked;
