/** The demonstration site: content for a first start, and its credentials. */
@NullMarked
package io.github.ratelimit.content.demo;

import org.jspecify.annotations.NullMarked;
