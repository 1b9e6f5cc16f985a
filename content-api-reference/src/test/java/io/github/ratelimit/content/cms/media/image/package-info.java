@NullMarked
package io.github.ratelimit.content.cms.media.image;

import org.jspecify.annotations.NullMarked;
