/** What requests cost the database. */
@NullMarked
package io.github.ratelimit.content.shared.storage;

import org.jspecify.annotations.NullMarked;
