/** Tests of earlier wordings and of what tools save by themselves. */
@NullMarked
package io.github.ratelimit.content.cms.revision;

import org.jspecify.annotations.NullMarked;
