/** Tests of the frame of the content interface. */
@NullMarked
package io.github.ratelimit.content.cms.rest;

import org.jspecify.annotations.NullMarked;
