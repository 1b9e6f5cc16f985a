/** The store that counts in PostgreSQL, its schema, and the connections that it calls the server on. */
@NullMarked
package io.github.ratelimit.postgresql;

import org.jspecify.annotations.NullMarked;
