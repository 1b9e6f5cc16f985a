package io.github.ratelimit.remote;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A connection to one server. All methods are called on the engine's thread, which may be a caller's, and none of them blocks. */
public interface Connection {

    /**
     * Sends batches, in one flush where that can be. Each ends by {@link Batch#answer} or {@link Batch#fail}, on any thread.
     *
     * @throws RuntimeException if nothing can be sent; the engine ends the batches then
     */
    void send(List<Batch> batches);

    /** Whether it can be used. */
    boolean isOpen();

    /** Closes it without waiting. Batches that were sent on it still end. */
    void close();

    /** Reads all settings; fails with {@link UnansweredException} if the server rejects it. For {@link RemoteStore#settingsOn}. */
    default CompletionStage<Map<String, String>> readSettings() {
        return CompletableFuture.failedFuture(new UnansweredException("this backend keeps no settings"));
    }

    /** Writes settings, all or none. */
    default CompletionStage<Void> putSettings(Map<String, String> settings) {
        return CompletableFuture.failedFuture(new UnansweredException("this backend keeps no settings"));
    }

    /** Removes each setting that still has the given value, all of them or none. */
    default CompletionStage<Void> removeSettings(Map<String, String> seen) {
        return CompletableFuture.failedFuture(new UnansweredException("this backend keeps no settings"));
    }

    /** Is called several times a second, for what the backend wants to know of the server. */
    default void tick() {}
}
