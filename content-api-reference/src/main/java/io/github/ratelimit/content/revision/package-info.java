/** Earlier wordings of posts and pages. */
@NullMarked
package io.github.ratelimit.content.revision;

import org.jspecify.annotations.NullMarked;
