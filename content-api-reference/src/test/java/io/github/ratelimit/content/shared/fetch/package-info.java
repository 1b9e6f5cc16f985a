@NullMarked
package io.github.ratelimit.content.shared.fetch;

import org.jspecify.annotations.NullMarked;
