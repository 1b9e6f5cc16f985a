/** The routes of posts. */
@NullMarked
package io.github.ratelimit.content.post;

import org.jspecify.annotations.NullMarked;
