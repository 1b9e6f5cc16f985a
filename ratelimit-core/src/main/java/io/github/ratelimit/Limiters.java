package io.github.ratelimit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Limiters by name, over one store.
 *
 * <p>Immutable and safe for concurrent use. Closes nothing: whoever made the store closes it.
 *
 * @param <R> what is limited
 */
public final class Limiters<R> {

    private final Map<String, Limiter<R>> byName;

    private Limiters(Map<String, Limiter<R>> byName) {
        this.byName = byName;
    }

    /** Starts to describe limiters over a store. */
    public static <R> Builder<R> builder(Store store) {
        return new Builder<>(store);
    }

    /**
     * The limiter of that name.
     *
     * @throws UnknownLimiterException if there is none; names the known ones
     */
    public Limiter<R> get(String name) {
        Limiter<R> limiter = byName.get(name);
        if (limiter == null) {
            throw new UnknownLimiterException(name, byName.keySet());
        }
        return limiter;
    }

    /** The names there are, in the order they were added. */
    public Set<String> names() {
        return byName.keySet();
    }

    /**
     * Gathers what limiters need. Not safe for concurrent use.
     *
     * @param <R> what is limited
     */
    public static final class Builder<R> {

        private final Store store;
        private final List<LimiterSpec<R>> specs = new ArrayList<>();
        private @Nullable Store standIn;
        private DecisionListener listener = DecisionListener.NONE;
        private TimeSource time = TimeSource.system();

        private Builder(Store store) {
            this.store = store;
        }

        /** Adds a limiter. */
        public Builder<R> add(LimiterSpec<R> spec) {
            specs.add(spec);
            return this;
        }

        /** Decides for limiters whose spec says {@link OnStoreFailure#LOCAL}; an {@link InProcessStore} if none is given. */
        public Builder<R> standIn(Store standIn) {
            this.standIn = standIn;
            return this;
        }

        /** Hears of every decision; nobody does if none is given. */
        public Builder<R> listener(DecisionListener listener) {
            this.listener = listener;
            return this;
        }

        /** Measures how long the store takes; the machine's clock if none is given. */
        public Builder<R> time(TimeSource time) {
            this.time = time;
            return this;
        }

        /**
         * Makes the limiters.
         *
         * @throws IllegalArgumentException if two specs have one name
         */
        public Limiters<R> build() {
            Store local = standIn != null ? standIn : InProcessStore.create(time);
            Map<String, Limiter<R>> byName = new LinkedHashMap<>();
            for (LimiterSpec<R> spec : specs) {
                if (byName.put(spec.name(), new Limiter<>(spec, store, local, listener, time)) != null) {
                    throw new IllegalArgumentException(
                            "two limiters are called '%s'; give each its own name".formatted(spec.name()));
                }
            }
            return new Limiters<>(Collections.unmodifiableMap(byName));
        }
    }
}
