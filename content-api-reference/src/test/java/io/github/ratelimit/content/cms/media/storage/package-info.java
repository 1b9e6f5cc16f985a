@NullMarked
package io.github.ratelimit.content.cms.media.storage;

import org.jspecify.annotations.NullMarked;
