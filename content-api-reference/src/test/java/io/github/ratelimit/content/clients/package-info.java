/** Published clients of this kind of interface, unmodified, against the server. */
@NullMarked
package io.github.ratelimit.content.clients;

import org.jspecify.annotations.NullMarked;
