@NullMarked
package io.github.ratelimit.content.server.fetch;

import org.jspecify.annotations.NullMarked;
