package io.github.ratelimit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Limiters by name, over one store.
 *
 * <p>Safe for concurrent use. Closes nothing: whoever made the store closes it.
 *
 * <pre>{@code
 * Limiters<String> limiters = Limiters.<String>builder(InProcessStore.create())
 *         .add(LimiterSpec.of("api", Limit.of(1_000, Duration.ofMinutes(1)), Key::of))
 *         .add(LimiterSpec.of("search", Limit.of(1, Duration.ofMinutes(1)), Key::of))
 *         .build();
 *
 * Decision first = limiters.tryAcquire(List.of("api", "search"), "ann", 1); // from both, or from none
 * Decision second = limiters.tryAcquire(List.of("api", "search"), "ann", 1);
 * }</pre>
 *
 * @param <R> what is limited
 */
public final class Limiters<R> {

    private final Map<String, Limiter<R>> byName;
    private final Decider decider;

    private Limiters(Map<String, Limiter<R>> byName, Decider decider) {
        this.byName = byName;
        this.decider = decider;
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
     * Takes {@code cost} permits from every limit of all these limiters, or from none: one decision.
     *
     * @param names limiters that the request meets; a name that is given twice counts once
     * @param cost permits to take, 0 or more; 0 reads without taking
     * @return refused if any of them refuses; allowed, and without a status, if no limit applies
     * @throws UnknownLimiterException if there is no limiter of one of the names
     * @throws IllegalArgumentException if {@code cost} is negative
     */
    public Decision tryAcquire(Collection<String> names, R request, long cost) {
        return decider.decide(all(names), request, cost);
    }

    /**
     * The same without waiting for the store.
     *
     * @return completes with the decision; not exceptionally for a store that fails
     * @throws UnknownLimiterException if there is no limiter of one of the names
     * @throws IllegalArgumentException if {@code cost} is negative
     */
    public CompletionStage<Decision> tryAcquireAsync(Collection<String> names, R request, long cost) {
        return decider.decideAsync(all(names), request, cost);
    }

    /**
     * Gives back what a decision of these limiters took, once, however often it is called.
     *
     * @see Limiter#refund
     */
    public CompletionStage<Void> refund(Decision decision) {
        return decider.refund(decision);
    }

    /**
     * Where counters stand: for whoever knows keys and not requests, such as who operates an application. Takes nothing, asks the store and
     * never its stand-in, and tells no listener.
     *
     * @param charges at least one; the scope of each is a limiter's name
     * @return a status for each charge, in their order
     * @throws StoreException if the store does not answer
     * @throws IllegalArgumentException if there is no charge, or one is given twice
     */
    public Decision look(List<Charge> charges) {
        return decider.look(charges);
    }

    /**
     * Forgets what was counted, in the store and in the one that stands in for it: as {@link Limiter#reset}, for whoever knows keys and not
     * requests.
     *
     * @param charges the scope of each is a limiter's name; none does nothing
     * @return completes when it is done, or exceptionally with {@link StoreException}
     */
    public CompletionStage<Void> reset(List<Charge> charges) {
        return decider.reset(charges);
    }

    /**
     * Describes a limiter anew, for as long as this process runs: decisions that begin from now on follow. Counts stay, as far as names and
     * windows of limits do. For whoever operates an application.
     *
     * @param changed of the same name and phase as before; adapters have chosen by these
     * @throws UnknownLimiterException if there is no limiter of that name
     * @throws IllegalArgumentException if its phase differs
     */
    public void change(LimiterSpec<R> changed) {
        Limiter<R> limiter = get(changed.name());
        if (changed.phase() != limiter.spec().phase()) {
            throw new IllegalArgumentException("limiter '%s': its phase must stay %s, was %s"
                    .formatted(changed.name(), limiter.spec().phase(), changed.phase()));
        }
        limiter.change(changed);
    }

    private List<Limiter<R>> all(Collection<String> names) {
        if (names.size() == 1) {
            return get(names.iterator().next()).alone();
        }
        List<Limiter<R>> limiters = new ArrayList<>(names.size());
        for (String name : names) {
            Limiter<R> limiter = get(name);
            if (!limiters.contains(limiter)) {
                limiters.add(limiter);
            }
        }
        return limiters;
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

        /**
         * Decides for limiters whose spec says {@link OnStoreFailure#LOCAL}; if none is given, an {@link InProcessStore} that counts by the
         * store's clock.
         */
        public Builder<R> standIn(Store standIn) {
            this.standIn = standIn;
            return this;
        }

        /**
         * How much of each limit the stand-in grants while the store does not answer: the whole of it if not given, which lets <i>n</i> nodes
         * grant <i>n</i> times the limit together. {@code localShare(1, 4)} on each of four nodes that get the same traffic grants about what
         * the store would. A limit keeps at least one permit, and statuses tell the smaller limit. A cost above it is refused for as long as
         * the stand-in decides.
         *
         * @param part 1 or more
         * @param of the whole; {@code part} or more
         * @throws IllegalArgumentException if the share is not more than 0 and at most 1
         */
        public Builder<R> localShare(int part, int of) {
            this.localShare = new LocalShare(part, of);
            return this;
        }

        /** Hears of every decision; nobody does if none is given. */
        public Builder<R> listener(DecisionListener listener) {
            this.listener = listener;
            return this;
        }

        /**
         * Makes the limiters.
         *
         * @throws IllegalArgumentException if two specs have one name
         */
        public Limiters<R> build() {
            Store local = standIn != null ? standIn : store; // which needs none where it is in this process itself
            if (standIn == null && !(store instanceof InProcessStore)) {
                local = InProcessStore.create(store.time());
            }
            Decider decider = new Decider(store, local, localShare, listener);
            Map<String, Limiter<R>> byName = new LinkedHashMap<>();
            for (LimiterSpec<R> spec : specs) {
                if (byName.put(spec.name(), new Limiter<>(spec, decider)) != null) {
                    throw new IllegalArgumentException(
                            "two limiters are called '%s'; give each its own name".formatted(spec.name()));
                }
            }
            return new Limiters<>(Collections.unmodifiableMap(byName), decider);
        }
    }
}
