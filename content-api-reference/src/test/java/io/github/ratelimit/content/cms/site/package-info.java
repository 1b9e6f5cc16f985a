/** Tests of the pages that people see: the site, and the authorisation of applications. */
@NullMarked
package io.github.ratelimit.content.cms.site;

import org.jspecify.annotations.NullMarked;
