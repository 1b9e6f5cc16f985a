@NullMarked
package io.github.ratelimit.content.oembed;

import org.jspecify.annotations.NullMarked;
