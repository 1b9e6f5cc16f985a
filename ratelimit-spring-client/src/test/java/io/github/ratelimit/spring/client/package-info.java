@NullMarked
package io.github.ratelimit.spring.client;

import org.jspecify.annotations.NullMarked;
