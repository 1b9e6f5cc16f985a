package io.github.ratelimit;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

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

    /**
     * Removes each of these settings that still has the given value, so that nothing is lost that another node has written meanwhile. By
     * default reads and removes; a server should compare and remove in one step.
     */
    default CompletableFuture<Void> remove(Map<String, String> seen) {
        return read().thenCompose(all -> remove(seen.keySet().stream()
                .filter(name -> Objects.equals(seen.get(name), all.get(name)))
                .collect(Collectors.toSet())));
    }

    /** Names a counter by a digest of its key: the same on all nodes, and it shows no key. */
    String digest(Charge charge);
}
