package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Store;

/**
 * The fallback during an outage of the store; no bean of the type {@link Store}, as there is one of those.
 *
 * @param store the store itself where that counts in this process, and so always answers
 */
record Fallback(InProcessStore store) {}
