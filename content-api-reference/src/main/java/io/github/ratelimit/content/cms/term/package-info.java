/** Categories and tags: what they are, which items they sort, and their routes. */
@NullMarked
package io.github.ratelimit.content.cms.term;

import org.jspecify.annotations.NullMarked;
