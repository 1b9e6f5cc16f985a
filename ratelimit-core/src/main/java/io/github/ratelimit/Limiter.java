package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.LimiterSpec.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A named list of rules that decides about requests: finds their limits and keys, asks the store, and applies {@link OnStoreFailure} where
 * the store does not answer.
 *
 * <p>Made alone by {@link #of}, or among others by {@link Limiters}, which also decides about several at once. Safe for concurrent use;
 * holds no resources of its own.
 *
 * <pre>{@code
 * Limiter<String> search = Limiter.of("search", Limit.of(10, Duration.ofSeconds(1)), Key::of);
 *
 * if (search.tryAcquire("ann").allowed()) {
 *     // search for her
 * }
 * Decision patient = search.tryAcquire("ann", 1, Duration.ofSeconds(2)); // waits where it has to
 * }</pre>
 *
 * @param <R> what is limited
 */
public final class Limiter<R> {

    private volatile LimiterSpec<R> spec;
    private final Decider decider;
    private final List<Limiter<R>> alone = List.of(this);
    private final Waiting<R> waiting = new Waiting<>(this);

    Limiter(LimiterSpec<R> spec, Decider decider) {
        this.spec = spec;
        this.decider = decider;
    }

    /**
     * Makes a limiter that counts in this process' memory.
     *
     * @param name 1 to 64 of {@code A-Z a-z 0-9 . _ -}
     * @param limit how much may happen
     * @param key whose count it is: {@code Key::of} where texts are limited
     * @throws IllegalArgumentException if the name is malformed
     */
    public static <R> Limiter<R> of(String name, Limit limit, KeyResolver<? super R> key) {
        return of(LimiterSpec.of(name, limit, key), InProcessStore.create());
    }

    /**
     * Makes a limiter without keys, which counts all requests together in this process' memory: for {@link #tryAcquire()}.
     *
     * @param name 1 to 64 of {@code A-Z a-z 0-9 . _ -}
     * @throws IllegalArgumentException if the name is malformed
     */
    public static Limiter<Object> of(String name, Limit limit) {
        return of(name, limit, KeyResolver.everybody());
    }

    /** Makes a limiter over a store. Whoever made the store closes it. */
    public static <R> Limiter<R> of(LimiterSpec<R> spec, Store store) {
        return Limiters.<R>builder(store).add(spec).build().get(spec.name());
    }

    /** The limiter as it was described last. */
    public LimiterSpec<R> spec() {
        return spec;
    }

    /**
     * Takes one permit of a limiter without keys.
     *
     * @throws IllegalStateException if this limiter counts by a key: call {@link #tryAcquire(Object)}
     */
    @SuppressWarnings("unchecked") // what is limited is not looked at
    public Decision tryAcquire() {
        for (Rule<R> rule : spec.rules()) {
            if (rule.key() != Everybody.INSTANCE) {
                throw new IllegalStateException(
                        "limiter '%s' counts by a key; call tryAcquire(request)".formatted(spec.name()));
            }
        }
        return tryAcquire((R) this, 1);
    }

    /** Takes one permit from every limit, or from none. Never waits for permits. */
    public Decision tryAcquire(R request) {
        return tryAcquire(request, 1);
    }

    /**
     * Takes {@code cost} permits from every limit, or from none.
     *
     * <p>Never waits for permits. Waits for the store no longer than the store's own deadline; when that passes or the store fails,
     * {@link LimiterSpec#onStoreFailure()} decides and {@link Decision#source()} says so.
     *
     * @param cost permits to take, 0 or more; 0 reads without taking
     * @throws IllegalArgumentException if {@code cost} is negative
     */
    public Decision tryAcquire(R request, long cost) {
        return decider.decide(alone, request, cost);
    }

    /** Takes one permit from every limit, or from none, without waiting for the store. */
    public CompletionStage<Decision> tryAcquireAsync(R request) {
        return tryAcquireAsync(request, 1);
    }

    /**
     * Takes {@code cost} permits from every limit, or from none, without waiting for the store.
     *
     * @param cost permits to take, 0 or more; 0 reads without taking
     * @return completes with the decision; not exceptionally for a store that fails
     * @throws IllegalArgumentException if {@code cost} is negative
     */
    public CompletionStage<Decision> tryAcquireAsync(R request, long cost) {
        return decider.decideAsync(alone, request, cost);
    }

    /**
     * Takes {@code cost} permits, and waits for them where they do not fit yet.
     *
     * <p>Waits as long as a refusal says in {@link Decision#retryAfter()}, and then asks again. Callers of this process that wait for the
     * same counts are served in the order of their arrival. A caller whose turn cannot come within {@code maxWait} is refused at once.
     *
     * @param cost permits to take, 0 or more
     * @param maxWait the longest wait for permits; the store's own deadline comes on top of it
     * @throws IllegalArgumentException if {@code cost} is negative
     * @throws InterruptedException if the caller is interrupted while it waits: then nothing was taken
     */
    public Decision tryAcquire(R request, long cost, Duration maxWait) throws InterruptedException {
        return waiting.tryAcquire(request, cost, maxWait);
    }

    /**
     * The same without a thread that waits.
     *
     * @param cost permits to take, 0 or more
     * @param maxWait the longest wait for permits; the store's own deadline comes on top of it
     * @return completes with the decision; cancelling its future ends the wait, and nothing is taken
     * @throws IllegalArgumentException if {@code cost} is negative
     */
    public CompletionStage<Decision> tryAcquireAsync(R request, long cost, Duration maxWait) {
        return waiting.tryAcquireAsync(request, cost, maxWait);
    }

    /**
     * Gives back what a decision took: to the store that it was taken from, to windows that are still open, and once, however often this is
     * called. What limiters in shadow took beside it is given back as well.
     *
     * @param decision of this limiter; one that took nothing gives nothing back
     * @return completes when it is done, or exceptionally with {@link StoreException}
     */
    public CompletionStage<Void> refund(Decision decision) {
        return decider.refund(decision);
    }

    /** Forgets what was counted for this request's keys, in the store and in the one that stands in for it. */
    public CompletionStage<Void> reset(R request) {
        return decider.reset(charges(request));
    }

    /** Describes it anew. */
    void change(LimiterSpec<R> changed) {
        spec = changed;
    }

    /** This limiter, as the only one that a request meets. */
    List<Limiter<R>> alone() {
        return alone;
    }

    TimeSource time() {
        return decider.time();
    }

    /** The rules that apply to a request, resolved. */
    List<Charge> charges(R request) {
        List<Rule<R>> rules = spec.rules(); // read once: it may be described anew meanwhile
        if (rules.size() == 1) {
            Rule<R> only = rules.get(0);
            Optional<Limit> limit = only.limit().resolve(request);
            return limit.isPresent() ? List.of(charge(limit.get(), only, request)) : List.of();
        }
        List<Charge> charges = new ArrayList<>(rules.size());
        addCharges(request, charges);
        return charges;
    }

    /** The same, to those of other limiters. */
    void addCharges(R request, List<Charge> charges) {
        for (Rule<R> rule : spec.rules()) {
            Optional<Limit> limit = rule.limit().resolve(request);
            if (limit.isPresent()) {
                charges.add(charge(limit.get(), rule, request));
            }
        }
    }

    private Charge charge(Limit limit, Rule<R> rule, R request) {
        Key key = requireNonNull(
                rule.key().resolve(request),
                () -> "limiter '%s': the key resolver of limit '%s' answered null; answer Key.absent()"
                        .formatted(spec.name(), limit.name()));
        return new Charge(spec.name(), limit, key);
    }
}
