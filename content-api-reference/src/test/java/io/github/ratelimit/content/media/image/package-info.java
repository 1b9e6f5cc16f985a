@NullMarked
package io.github.ratelimit.content.media.image;

import org.jspecify.annotations.NullMarked;
