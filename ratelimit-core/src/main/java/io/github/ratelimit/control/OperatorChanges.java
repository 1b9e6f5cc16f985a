package io.github.ratelimit.control;

import static java.lang.System.Logger.Level.DEBUG;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.SharedSettings;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.internal.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Changes of limiters by operators: other permits, shadow, and blocked clients.
 *
 * <p>If the store has {@link SharedSettings}, a change holds on all nodes and over restarts: each node reads the settings when it starts and
 * every 5 seconds. While the store does not answer, the last known changes stay. Over any other store, a change holds on its node until the
 * node restarts. Counts stay in each case. Safe for concurrent use. Close it before the store.
 *
 * @param <R> the type of request
 */
public final class OperatorChanges<R> implements AutoCloseable {

    /**
     * A change.
     *
     * @param value the permits, whether the limiter is in shadow, or the end of a block
     * @param since when it was made
     * @param by the operator's name
     * @param until when it ends; null for one without an end, and for a block, whose value is its end
     */
    public record Change(
            String value,
            Instant since,
            String by,
            @Nullable Instant until) {

        static Change parse(String text) {
            String[] parts = text.split(" ", 3);
            if (parts.length < 3) {
                throw new IllegalArgumentException("it must be a value, a moment and a name");
            }
            String[] moments = parts[1].split("/", 2);
            return new Change(
                    parts[0],
                    Instant.parse(moments[0]),
                    parts[2],
                    moments.length == 1 ? null : Instant.parse(moments[1]));
        }

        String text() {
            return value + " " + since + (until == null ? "" : "/" + until) + " " + by;
        }
    }

    /** Chosen: soon enough for an operator, and no load for the store. */
    private static final Duration PERIOD = Duration.ofSeconds(5);

    private static final System.Logger LOG = System.getLogger(OperatorChanges.class.getName());

    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final Limiters<R> limiters;
    private final TimeSource time;
    private final @Nullable SharedSettings settings;
    private final KnownChanges<R> known;
    private boolean running; // guarded by this
    private @Nullable Future<?> next; // guarded by this

    /** Makes it; {@link #start} reads the settings. */
    public OperatorChanges(Limiters<R> limiters) {
        this.limiters = limiters;
        this.time = limiters.store().time();
        this.settings = limiters.store().sharedSettings().orElse(null);
        this.known = new KnownChanges<>(limiters);
    }

    /** Whether changes hold on all nodes. */
    public boolean isShared() {
        return settings != null;
    }

    /**
     * The changes of a limiter by what they change: {@code shadow}, {@code permits/<rule>} or {@code permits/<rule>/<plan>}, and
     * {@code block/<digest>} of a blocked client, without those that have ended. Shows no key.
     */
    public SortedMap<String, Change> changes(String limiter) {
        return known.of(limiter);
    }

    // ---- changing

    /**
     * Changes a limiter.
     *
     * @param shadow null: as it is
     * @param permits null: as they are
     * @param rule as {@link LimiterSpec#withPermits} has it
     * @param plan as {@link LimiterSpec#withPermits} has it
     * @param duration when the change ends by itself; null: never
     * @return completes when the change is stored and applies here, or exceptionally with {@link StoreException}: then nothing has changed
     * @throws IllegalArgumentException if there is nothing to change, no such limiter, rule or plan, or the permits or the duration are out of range
     */
    public CompletableFuture<Void> change(
            String limiter,
            @Nullable Boolean shadow,
            @Nullable Long permits,
            @Nullable String rule,
            @Nullable String plan,
            @Nullable Duration duration,
            String by) {
        LimiterSpec<R> spec = limiters.spec(limiter);
        if (shadow == null && permits == null) {
            throw new IllegalArgumentException("nothing to change: give shadow (true or false) or permits");
        }
        Instant until = duration == null ? null : end(duration);
        Map<String, Change> more = new HashMap<>();
        if (permits != null) {
            LimiterSpec<R> valid = spec.withPermits(rule, plan, permits);
            String limit =
                    rule != null ? rule : valid.rules().get(0).limits().get(0).name();
            String what = plan == null ? limit : limit + "/" + plan.strip().toLowerCase(Locale.ROOT);
            more.put(limiter + "/permits/" + what, change(permits.toString(), by, until));
        }
        if (shadow != null) {
            more.put(limiter + "/shadow", change(shadow.toString(), by, until));
        }
        return put(more);
    }

    /** As {@link #change(String, Boolean, Long, String, String, Duration, String)}, for a change without an end. */
    public CompletableFuture<Void> change(
            String limiter,
            @Nullable Boolean shadow,
            @Nullable Long permits,
            @Nullable String rule,
            @Nullable String plan,
            String by) {
        return change(limiter, shadow, permits, rule, plan, null, by);
    }

    /** Returns a limiter to its description, such as the properties. Ends all blocks of it. Includes changes that this node has not read yet. */
    public CompletableFuture<Void> revert(String limiter) {
        return removeStored(name -> name.startsWith(limiter + "/"));
    }

    /**
     * Blocks a client: its requests are rejected until the end of the block.
     *
     * @param charges of the client; those whose key has an absent part are ignored, because other clients lack that part, too
     * @throws IllegalArgumentException if no charge is left, or the duration is out of range
     */
    public CompletableFuture<Void> block(List<Charge> charges, Duration duration, String by) {
        String end = end(duration).toString();
        Map<String, Change> more = new HashMap<>();
        blockNames(charges).forEach(name -> more.put(name, change(end, by, null)));
        return put(more);
    }

    private Instant end(Duration duration) {
        if (duration.isNegative() || duration.isZero() || duration.compareTo(Limit.MAX_WINDOW) > 0) {
            throw new IllegalArgumentException("duration must be more than 0 and at most %s, was %s"
                    .formatted(Durations.text(Limit.MAX_WINDOW), Durations.text(duration)));
        }
        return time.instant().plus(duration).truncatedTo(ChronoUnit.MILLIS);
    }

    /** The end of a client's block; empty if it is not blocked. */
    public Optional<Instant> blockedUntil(List<Charge> charges) {
        return charges.stream()
                .map(charge -> known.of(charge.limiter()).get("block/" + known.digest(charge)))
                .filter(Objects::nonNull)
                .map(change -> Instant.parse(change.value()))
                .max(Comparator.naturalOrder());
    }

    /** Ends a client's block, also one that this node has not read yet. */
    public CompletableFuture<Void> unblock(List<Charge> charges) {
        return removeStored(blockNames(charges)::contains);
    }

    private Set<String> blockNames(List<Charge> charges) {
        Set<String> names = charges.stream()
                .filter(charge -> charge.key().isWhole())
                .map(charge -> known.blockName(charge))
                .collect(Collectors.toSet());
        if (names.isEmpty()) {
            throw new IllegalArgumentException(
                    "no client to block: describe every part of the key that a rule counts by");
        }
        return names;
    }

    private Change change(String value, String by, @Nullable Instant until) {
        return new Change(value, time.instant().truncatedTo(ChronoUnit.SECONDS), by, until);
    }

    private CompletableFuture<Void> put(Map<String, Change> more) {
        Map<String, String> texts = new HashMap<>();
        more.forEach((name, change) -> texts.put(name, change.text()));
        return stored(settings == null ? DONE : settings.put(texts), all -> all.putAll(more))
                .thenCompose(stored -> remove(known.texts(known::hasEnded)));
    }

    private CompletableFuture<Void> removeStored(Predicate<String> which) {
        return read().thenCompose(all -> {
            Map<String, String> seen = new HashMap<>(all);
            seen.keySet().removeIf(which.negate());
            return remove(seen);
        });
    }

    /** Removes settings whose values are still these: another node may have written a new one. */
    private CompletableFuture<Void> remove(Map<String, String> seen) {
        return seen.isEmpty()
                ? DONE
                : stored(
                        settings == null ? DONE : settings.remove(seen),
                        all -> all.entrySet()
                                .removeIf(each -> each.getValue().text().equals(seen.get(each.getKey()))));
    }

    /** Applies here at once what other nodes read. */
    private CompletableFuture<Void> stored(CompletableFuture<Void> stored, Consumer<SortedMap<String, Change>> change) {
        return stored.thenRun(() -> known.change(change));
    }

    // ---- reading

    /** Reads the settings, and again every 5 seconds. Waits for the first answer. */
    public void start() {
        synchronized (this) {
            if (running || settings == null) {
                return;
            }
            running = true;
        }
        poll().join();
    }

    private CompletableFuture<Void> poll() {
        return refresh().handle((nothing, failure) -> {
            if (failure != null) {
                LOG.log(DEBUG, "the shared settings were not read, and the last known ones stay", failure);
            }
            synchronized (this) {
                next = running ? time.runAfter(PERIOD.toNanos(), this::poll) : null;
            }
            return null;
        });
    }

    /**
     * Reads the settings now.
     *
     * @return completes when they apply, or exceptionally with {@link StoreException}
     */
    public CompletableFuture<Void> refresh() {
        return read().thenAccept(all -> {});
    }

    private CompletableFuture<Map<String, String>> read() {
        if (settings == null) {
            return CompletableFuture.completedFuture(known.texts((name, change) -> true));
        }
        long number = known.nextNumber();
        return settings.read().thenApply(all -> {
            known.apply(number, all);
            return all;
        });
    }

    /** Ends the reading. Changes stay. */
    @Override
    public synchronized void close() {
        running = false;
        if (next != null) {
            next.cancel(false);
        }
        known.close();
    }
}
