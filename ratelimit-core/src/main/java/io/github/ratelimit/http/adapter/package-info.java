/** For those who write adapters: path rules, ambiguous paths, and mistakes in the set-up. */
@NullMarked
package io.github.ratelimit.http.adapter;

import org.jspecify.annotations.NullMarked;
