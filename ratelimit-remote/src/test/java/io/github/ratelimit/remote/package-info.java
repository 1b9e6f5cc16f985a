@NullMarked
package io.github.ratelimit.remote;

import org.jspecify.annotations.NullMarked;
