/** What is left of acknowledged writes when the server is killed in the middle of its work. */
@NullMarked
package io.github.ratelimit.content.crash;

import org.jspecify.annotations.NullMarked;
