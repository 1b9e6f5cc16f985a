@NullMarked
package io.github.ratelimit.content.media.storage;

import org.jspecify.annotations.NullMarked;
