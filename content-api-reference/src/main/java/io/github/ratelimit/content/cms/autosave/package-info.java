/** What an author's tool saves by itself while somebody writes. */
@NullMarked
package io.github.ratelimit.content.cms.autosave;

import org.jspecify.annotations.NullMarked;
