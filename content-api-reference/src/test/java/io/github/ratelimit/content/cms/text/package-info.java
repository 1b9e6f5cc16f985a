/** Tests of what becomes of written text. */
@NullMarked
package io.github.ratelimit.content.cms.text;

import org.jspecify.annotations.NullMarked;
