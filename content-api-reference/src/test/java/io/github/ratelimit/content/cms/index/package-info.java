/** Tests of the routes for types and taxonomies. */
@NullMarked
package io.github.ratelimit.content.cms.index;

import org.jspecify.annotations.NullMarked;
