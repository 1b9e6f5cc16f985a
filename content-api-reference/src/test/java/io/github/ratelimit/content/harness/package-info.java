/** What tests of the whole server share: starting it on either database, its accounts, and a small HTTP client. */
@NullMarked
package io.github.ratelimit.content.harness;

import org.jspecify.annotations.NullMarked;
