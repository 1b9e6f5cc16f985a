/** What readers see of the site in a browser: a front page, the published items, and the way from there to the interface. */
@NullMarked
package io.github.ratelimit.content.cms.site;

import org.jspecify.annotations.NullMarked;
