/** The site in a browser: a front page, the published items, and links to the interface. */
@NullMarked
package io.github.ratelimit.content.cms.site;

import org.jspecify.annotations.NullMarked;
