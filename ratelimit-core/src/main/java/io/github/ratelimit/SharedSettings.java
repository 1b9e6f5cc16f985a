package io.github.ratelimit;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Settings that a store keeps for all nodes, such as limits that an operator changed. Optional for a {@link Store}.
 *
 * <p>Each is a text by its name. Settings outlive the nodes, and have nothing to do with counters. Every call completes within a few seconds,
 * exceptionally with {@link StoreException} if the store did not do it. Implementations are safe for concurrent use.
 */
public interface SharedSettings {

    /** Reads all settings. */
    CompletableFuture<Map<String, String>> read();

    /** Writes settings, all or none; others stay. */
    CompletableFuture<Void> put(Map<String, String> settings);

    /** Removes settings, all or none. A missing one is ignored. */
    CompletableFuture<Void> remove(Set<String> names);

    /** Names a counter by a digest of its key: the same on all nodes, and it shows no key. */
    String digest(Charge charge);
}
