package io.github.ratelimit.content.cms.rest;

import io.github.ratelimit.content.limits.Guess;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What was looked up for a request and for the links of its answer. Belongs to one thread. */
final class Memory {
    // Chosen: an answer that is kept is written to memory first, and long ones are too long for that.
    private static final int MOST_KEPT = 1 << 20;

    private final Map<Lookup<?, ?>, Map<?, ?>> known = new HashMap<>();
    /** What a write gave: newer than all that was looked up before it. */
    private final Map<Lookup<?, ?>, Map<?, ?>> written = new HashMap<>();

    private @Nullable Guess guess;

    /** In characters. */
    private long shown;

    /** In characters of texts of items. */
    private long read;

    private boolean hasFailed;

    void fail() {
        hasFailed = true;
    }

    void count(long characters) {
        read += characters;
    }

    boolean mayBeKept() {
        return !hasFailed && read <= MOST_KEPT;
    }

    /** Shows what a look-up has found. It alone puts something there, so the types are its own. */
    @SuppressWarnings("unchecked")
    <K, V> Map<K, Optional<V>> of(Lookup<K, V> lookup) {
        return (Map<K, Optional<V>>) known.computeIfAbsent(lookup, unseen -> new HashMap<K, Optional<V>>());
    }

    /** Keeps what a write gave until behind the next forgetting. */
    <K, V> void keepWritten(Lookup<K, V> lookup, K key, Optional<V> value) {
        written.put(lookup, new HashMap<>(Map.of(key, value)));
    }

    Guess guess(Supplier<Guess> guesses) {
        Guess begun = guess == null ? guesses.get() : guess;
        guess = begun;
        return begun;
    }

    /** Keeps how much the request shows, and gives what was kept before. */
    long shown(long characters) {
        long before = shown;
        shown = characters;
        return before;
    }

    void forget() {
        known.clear();
        known.putAll(written);
        written.clear();
        guess = null;
    }
}
