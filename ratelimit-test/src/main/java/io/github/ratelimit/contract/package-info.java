/**
 * Tests that every store and every adapter must pass, ours and those of others, and a proxy that breaks the network.
 *
 * <p>Extend {@link io.github.ratelimit.contract.StoreContract} or {@link io.github.ratelimit.contract.HttpContract} in your own tests
 * and say how yours is made. The libraries that they need are dependencies of this module; run them on JUnit Platform 6.0 or newer.
 */
@NullMarked
package io.github.ratelimit.contract;

import org.jspecify.annotations.NullMarked;
