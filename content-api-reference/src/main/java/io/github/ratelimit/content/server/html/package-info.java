/** Parts of the server's own pages: one look, one content security policy, and templates that escape texts. */
@NullMarked
package io.github.ratelimit.content.server.html;

import org.jspecify.annotations.NullMarked;
