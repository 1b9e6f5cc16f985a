/** The page where applications are given passwords. */
@NullMarked
package io.github.ratelimit.content.cms.signin;

import org.jspecify.annotations.NullMarked;
