/** Autosaves: an editor's tool stores unsaved work while an author writes. */
@NullMarked
package io.github.ratelimit.content.cms.autosave;

import org.jspecify.annotations.NullMarked;
