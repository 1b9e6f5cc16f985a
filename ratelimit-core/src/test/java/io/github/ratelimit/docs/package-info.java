/** What the documents show: each example is a region of a test that runs. */
@NullMarked
package io.github.ratelimit.docs;

import org.jspecify.annotations.NullMarked;
