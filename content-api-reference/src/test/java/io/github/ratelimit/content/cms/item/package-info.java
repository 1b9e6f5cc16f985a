/** Tests of what posts, pages and files have in common. */
@NullMarked
package io.github.ratelimit.content.cms.item;

import org.jspecify.annotations.NullMarked;
