@NullMarked
package io.github.ratelimit.content.cms.cache;

import org.jspecify.annotations.NullMarked;
