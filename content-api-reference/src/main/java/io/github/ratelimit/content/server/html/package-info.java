/** What the server's own pages share: one look, one policy for their contents, and no way to write HTML by hand. */
@NullMarked
package io.github.ratelimit.content.server.html;

import org.jspecify.annotations.NullMarked;
