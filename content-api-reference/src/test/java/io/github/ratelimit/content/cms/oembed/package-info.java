@NullMarked
package io.github.ratelimit.content.cms.oembed;

import org.jspecify.annotations.NullMarked;
