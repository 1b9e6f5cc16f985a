/** Revisions of posts and pages. */
@NullMarked
package io.github.ratelimit.content.cms.revision;

import org.jspecify.annotations.NullMarked;
