/** Revisions of posts and pages, and autosaves: an editor's tool stores unsaved work while an author writes. */
@NullMarked
package io.github.ratelimit.content.cms.revision;

import org.jspecify.annotations.NullMarked;
