@NullMarked
package io.github.ratelimit.content.cms.media;

import org.jspecify.annotations.NullMarked;
