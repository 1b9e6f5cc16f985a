@NullMarked
package io.github.ratelimit.spring.test;

import org.jspecify.annotations.NullMarked;
