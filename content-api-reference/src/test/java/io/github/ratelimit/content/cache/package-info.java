@NullMarked
package io.github.ratelimit.content.cache;

import org.jspecify.annotations.NullMarked;
