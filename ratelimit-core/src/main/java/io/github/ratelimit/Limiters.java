package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Limiters by name over one store.
 *
 * <p>Safe for concurrent use. Closes nothing: the code that created the store closes it.
 *
 * <pre>{@code
 * Limiters<String> limiters = Limiters.<String>builder(InProcessStore.create())
 *         .add(LimiterSpec.of("api", Limit.of(1_000, Duration.ofMinutes(1)), Key::of))
 *         .add(LimiterSpec.of("search", Limit.of(1, Duration.ofMinutes(1)), Key::of))
 *         .build();
 *
 * Limiter<String> both = limiters.of("api", "search");
 * Decision first = both.tryAcquire("ann"); // from both, or from none
 * Decision second = both.tryAcquire("ann");
 * }</pre>
 *
 * @param <R> the type of request
 */
public final class Limiters<R> {

    private final Map<String, CurrentSpec<R>> specs;
    private final Map<String, Limiter<R>> limiters = new HashMap<>();
    private final Decider decider;
    private final Waiting waiting;

    private Limiters(Map<String, CurrentSpec<R>> specs, Decider decider) {
        this.specs = Collections.unmodifiableMap(specs);
        this.decider = decider;
        this.waiting = new Waiting(decider, request -> ChargeGroup.current(request, this::spec));
        specs.values().forEach(spec -> decider.requireSupported(spec.get()));
        specs.forEach((name, spec) -> limiters.put(name, new Limiter<>(List.of(spec), decider, waiting)));
    }

    /** Starts the description of limiters over a store. */
    public static <R> Builder<R> builder(Store store) {
        return new Builder<>(store);
    }

    /**
     * The limiter of this name.
     *
     * @throws IllegalArgumentException if there is none; names the known ones
     */
    public Limiter<R> get(String name) {
        Limiter<R> limiter = limiters.get(name);
        if (limiter == null) {
            throw new IllegalArgumentException(
                    "no such limiter: '%s'; known: %s".formatted(name, String.join(", ", specs.keySet())));
        }
        return limiter;
    }

    /**
     * The union of limiters, which takes permits from all of them or from none.
     *
     * @param names at least one; a repeated name counts once
     * @throws IllegalArgumentException if there is no limiter of one of the names
     */
    public Limiter<R> of(String... names) {
        return of(List.of(names));
    }

    /**
     * As {@link #of(String...)}.
     *
     * @param names a repeated name counts once; without names, the union allows everything
     * @throws IllegalArgumentException if there is no limiter of one of the names
     */
    public Limiter<R> of(Collection<String> names) {
        if (names.size() == 1) {
            return get(names.iterator().next());
        }
        List<CurrentSpec<R>> union = new ArrayList<>(names.size());
        for (String name : names) {
            get(name);
            CurrentSpec<R> spec = specs.get(name);
            if (!union.contains(spec)) {
                union.add(spec);
            }
        }
        return new Limiter<>(union, decider, waiting);
    }

    /** The names, in the order of their addition. */
    public Set<String> names() {
        return specs.keySet();
    }

    /**
     * A limiter as it decides now, with the changes of operators; {@link LimiterSpec#described} is without them.
     *
     * @throws IllegalArgumentException if there is no limiter of this name
     */
    public LimiterSpec<R> spec(String name) {
        get(name);
        return requireNonNull(specs.get(name)).get();
    }

    /** As {@link Limiter#refund}, for decisions of any of these limiters. */
    public CompletableFuture<Void> refund(Decision decision) {
        return decider.refund(decision);
    }

    /** As {@link Limiter#hold}, for decisions of any of these limiters. */
    public Hold hold(Decision decision) {
        return Hold.of(decision, decider);
    }

    /**
     * As {@link Limiter#settle}, for one limiter of a decision, once; what the decision took of other limiters stays. Each of them can be settled
     * by its own name.
     *
     * @param limiter the limiter's name; nothing happens if it took nothing
     * @throws IllegalArgumentException if there is no limiter of this name, or {@code actual} is negative
     */
    public CompletableFuture<Void> settle(Decision decision, String limiter, long actual) {
        return get(limiter).settle(decision, actual);
    }

    /**
     * Reads counters by their keys, for operators. Takes nothing, has no fallback and tells no listener.
     *
     * @param charges 1 to {@value Store#MAX_CHARGES} different counters; the costs do not matter
     * @return one status for each charge, in the same order
     * @throws StoreException if the store does not answer
     * @throws IllegalArgumentException if there is no charge, too many, or two name the same counter
     */
    public Decision look(List<Charge> charges) {
        Store.requireValid(charges);
        return decider.look(charges);
    }

    /**
     * Resets counters by their keys, in the store and in its fallback, for operators.
     *
     * @param charges at most {@value Store#MAX_CHARGES} different counters; the costs do not matter
     * @return completes when it is done, or exceptionally with {@link StoreException}
     */
    public CompletableFuture<Void> reset(List<Charge> charges) {
        return decider.reset(charges);
    }

    /**
     * Replaces a limiter's description in this process. Decisions that begin later follow it. Counts stay if the names and windows of limits
     * stay. Changes by operators ({@code control}) stay, too: they apply to the new description, and are no part of it, even if it was made from
     * {@link #spec} by methods such as {@link LimiterSpec#withPermits}.
     *
     * <pre>{@code
     * limiters.change(limiters.spec("search").withPermits("search", null, 100));
     * }</pre>
     *
     * @param changed of the same name and phase; adapters chose by these
     * @throws IllegalArgumentException if there is no limiter of this name, its phase differs, or the store does not support a limit's shape
     */
    public void change(LimiterSpec<R> changed) {
        requireNonNull(changed, "the changed spec must not be null");
        LimiterSpec<R> current = spec(changed.name());
        if (changed.phase() != current.phase()) {
            throw new IllegalArgumentException("limiter '%s': its phase must stay %s, was %s"
                    .formatted(changed.name(), current.phase(), changed.phase()));
        }
        decider.requireSupported(changed);
        requireNonNull(specs.get(changed.name())).set(changed.described());
        waiting.wake(changed.name());
    }

    /** The store that decides. */
    public Store store() {
        return decider.store();
    }

    /** The store that decides during an outage, see {@link Builder#fallback}; the store itself if that counts in this process. */
    public Store fallback() {
        return decider.fallback();
    }

    /**
     * Applies operators' changes to a description, also to a later one. For {@code control}.
     *
     * @throws IllegalArgumentException if there is no limiter of this name
     */
    public void setChanges(String name, UnaryOperator<LimiterSpec<R>> changes) {
        get(name);
        requireNonNull(specs.get(name)).setChanges(changes);
        waiting.wake(name);
    }

    /** Sets what can reject charges without asking the store, such as a blocked client's; it answers null for all others. For {@code control}. */
    public void rejectBy(Function<List<Charge>, @Nullable Decision> rejection) {
        decider.rejectBy(rejection);
    }

    /**
     * Describes limiters. Not safe for concurrent use.
     *
     * @param <R> what is limited
     */
    public static final class Builder<R> {

        private final Store store;
        private final List<LimiterSpec<R>> specs = new ArrayList<>();
        private @Nullable Store fallback;
        private LocalShare localShare = LocalShare.WHOLE;
        private DecisionListener listener = DecisionListener.NONE;

        private Builder(Store store) {
            this.store = store;
        }

        /** Adds a limiter. */
        public Builder<R> add(LimiterSpec<R> spec) {
            specs.add(spec);
            return this;
        }

        /** Sets the store for {@link OnStoreFailure#LOCAL}; by default an {@link InProcessStore} with the store's clock. */
        public Builder<R> fallback(Store fallback) {
            this.fallback = fallback;
            return this;
        }

        /**
         * Sets the share of each limit that the fallback grants during an outage; by default all of it, so that <i>n</i> nodes together grant
         * <i>n</i> times the limit. With {@code localShare(1, 4)}, four nodes with equal traffic grant about as much as the store would. A
         * limit keeps at least one permit, and statuses tell the smaller limit. A larger cost is rejected during the outage.
         *
         * @param part 1 or more
         * @param of the whole; {@code part} or more
         * @throws IllegalArgumentException if the share is not above 0 and at most 1
         */
        public Builder<R> localShare(int part, int of) {
            this.localShare = new LocalShare(part, of);
            return this;
        }

        /** Sets the listener of all decisions; by default none. */
        public Builder<R> listener(DecisionListener listener) {
            this.listener = listener;
            return this;
        }

        /**
         * Creates the limiters.
         *
         * @throws IllegalArgumentException if two specs have one name, or the store or the fallback does not support a limit's shape
         */
        public Limiters<R> build() {
            Store local = fallback != null ? fallback : store; // an in-process store needs none
            if (fallback == null && !(store instanceof InProcessStore)) {
                local = InProcessStore.create(store.time());
            }
            Map<String, CurrentSpec<R>> byName = new LinkedHashMap<>();
            for (LimiterSpec<R> spec : specs) {
                if (byName.put(spec.name(), new CurrentSpec<>(spec)) != null) {
                    throw new IllegalArgumentException(
                            "two limiters are called '%s'; give each its own name".formatted(spec.name()));
                }
            }
            return new Limiters<>(byName, new Decider(store, local, localShare, listener));
        }
    }
}
