/**
 * What every store and every door must pass, for us and for whoever writes another one.
 *
 * <p>Extend {@link io.github.ratelimit.contract.StoreContract} or {@link io.github.ratelimit.contract.HttpContract} in your own tests
 * and say how yours is made. JUnit Jupiter 5.12 or newer, jqwik and AssertJ must be on the test class path.
 */
@NullMarked
package io.github.ratelimit.contract;

import org.jspecify.annotations.NullMarked;
