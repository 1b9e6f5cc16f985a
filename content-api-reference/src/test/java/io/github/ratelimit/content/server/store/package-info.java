/** What requests cost the database. */
@NullMarked
package io.github.ratelimit.content.server.store;

import org.jspecify.annotations.NullMarked;
