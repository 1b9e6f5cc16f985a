/**
 * Joins the store on PostgreSQL to Spring: its data source and its settings.
 *
 * <p>Nothing here is loaded without {@code ratelimit-postgresql}.
 */
@NullMarked
package io.github.ratelimit.spring.internal.postgresql;

import org.jspecify.annotations.NullMarked;
