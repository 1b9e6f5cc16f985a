/** Tests of who is calling and of what they may do. */
@NullMarked
package io.github.ratelimit.content.cms.security;

import org.jspecify.annotations.NullMarked;
