@NullMarked
package io.github.ratelimit.content.media;

import org.jspecify.annotations.NullMarked;
