@NullMarked
package io.github.ratelimit.content.fetch;

import org.jspecify.annotations.NullMarked;
