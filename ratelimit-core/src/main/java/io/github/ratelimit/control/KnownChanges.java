package io.github.ratelimit.control;

import static java.lang.System.Logger.Level.WARNING;

import io.github.ratelimit.Charge;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.control.OperatorChanges.Change;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The changes that a node knows, applied to its limiters. Safe for concurrent use. */
final class KnownChanges<R> {

    private static final String BLOCK = "/block/";

    /** Chosen: long enough to cost nothing, and a clock that was set is seen within it. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

    private static final System.Logger LOG = System.getLogger(OperatorChanges.class.getName());

    private final Limiters<R> limiters;
    private final Blocks blocks;
    private final TimeSource time;
    private final AtomicBoolean wereRead = new AtomicBoolean();
    private final Set<String> ignored = ConcurrentHashMap.newKeySet();

    /** By limiter and kind of change, such as {@code search/permits/burst}. Never modified. */
    private volatile SortedMap<String, Change> known = new TreeMap<>();

    private long numbers; // guarded by this
    private long applied; // guarded by this
    private @Nullable Future<?> nextEnd; // guarded by this

    KnownChanges(Limiters<R> limiters) {
        this.limiters = limiters;
        this.blocks = new Blocks(limiters.store());
        this.time = limiters.store().time();
        limiters.rejectBy(blocks::rejection);
    }

    /** Those of a limiter, by kind of change; without ended ones. */
    SortedMap<String, Change> of(String limiter) {
        SortedMap<String, Change> changes = new TreeMap<>();
        String prefix = limiter + "/";
        known.subMap(prefix, limiter + "0").forEach((name, change) -> { // 0 comes after the slash
            if (!hasEnded(name, change)) {
                changes.put(name.substring(prefix.length()), change);
            }
        });
        return changes;
    }

    String digest(Charge charge) {
        return blocks.digest(charge);
    }

    /** The name of a client's block. */
    String blockName(Charge charge) {
        return charge.limiter() + BLOCK + digest(charge);
    }

    /** Those that match, as settings have them. */
    Map<String, String> texts(BiPredicate<String, Change> which) {
        return known.entrySet().stream()
                .filter(each -> which.test(each.getKey(), each.getValue()))
                .collect(Collectors.toMap(
                        Map.Entry::getKey, each -> each.getValue().text()));
    }

    /** Whether it is a block or another change that has ended. */
    boolean hasEnded(String name, Change change) {
        Instant end = isBlock(name) ? Instant.parse(change.value()) : change.until();
        return end != null && !end.isAfter(time.instant());
    }

    static boolean isBlock(String name) {
        return name.startsWith(BLOCK, name.indexOf('/'));
    }

    /** The number of a read that begins now. */
    synchronized long nextNumber() {
        return ++numbers;
    }

    /** Applies all settings, unless something newer than this read applies. */
    void apply(long number, Map<String, String> all) {
        apply(number, parse(all));
        if (wereRead.compareAndSet(false, true)) {
            limiters.names().forEach(this::warn);
        }
    }

    /** A change outlives the night that it was made for. */
    private void warn(String limiter) {
        String changes = of(limiter).entrySet().stream()
                .filter(each -> !each.getKey().startsWith("block/"))
                .map(each -> "%s is %s since %s%s"
                        .formatted(
                                each.getKey(),
                                each.getValue().value(),
                                each.getValue().since(),
                                each.getValue().until() == null
                                        ? ""
                                        : " until " + each.getValue().until()))
                .collect(Collectors.joining(", "));
        if (!changes.isEmpty()) {
            LOG.log(
                    WARNING,
                    "an operator has changed limiter ''{0}'', so it is not as described: {1}; DELETE on ratelimits/{0}/changes of the endpoint ends that",
                    limiter,
                    changes);
        }
    }

    /** Applies a change of this node, over all reads that have begun. */
    synchronized void change(Consumer<SortedMap<String, Change>> change) {
        SortedMap<String, Change> all = new TreeMap<>(known);
        change.accept(all);
        apply(nextNumber(), all);
    }

    private SortedMap<String, Change> parse(Map<String, String> all) {
        SortedMap<String, Change> parsed = new TreeMap<>();
        all.forEach((name, text) -> {
            try {
                limiters.get(name.substring(0, Math.max(0, name.indexOf('/'))));
                Change change = Change.parse(text);
                boolean unused = hasEnded(name, change); // reads its end
                parsed.put(name, change);
            } catch (IllegalArgumentException | DateTimeException e) {
                ignore(name, text, e);
            }
        });
        return parsed;
    }

    private synchronized void apply(long number, SortedMap<String, Change> all) {
        if (number < applied) {
            return;
        }
        applied = number;
        if (!all.equals(known)) {
            known = all;
            limit();
        }
    }

    /** Applies all that is known, and again when the next change ends. */
    private synchronized void limit() {
        Map<String, Map<String, Long>> ends = new HashMap<>();
        known.forEach((name, change) -> {
            if (isBlock(name)) {
                int end = name.indexOf('/');
                ends.computeIfAbsent(name.substring(0, end), limiter -> new HashMap<>())
                        .put(
                                name.substring(end + BLOCK.length()),
                                Instant.parse(change.value()).toEpochMilli());
            }
        });
        blocks.set(ends);
        limiters.names().forEach(limiter -> limiters.setChanges(limiter, spec -> changed(spec, of(limiter))));
        close();
        Instant now = time.instant();
        nextEnd = known.values().stream()
                .map(Change::until)
                .filter(until -> until != null && until.isAfter(now))
                .map(until -> Duration.between(now, until))
                .min(Comparator.naturalOrder())
                .map(rest -> rest.compareTo(LONGEST_WAIT) < 0 ? rest : LONGEST_WAIT)
                .<Future<?>>map(wait -> time.runAfter(wait.toNanos(), this::limit))
                .orElse(null);
    }

    /** Changes do not end by themselves any more. */
    synchronized void close() {
        if (nextEnd != null) {
            nextEnd.cancel(false);
            nextEnd = null;
        }
    }

    private LimiterSpec<R> changed(LimiterSpec<R> spec, SortedMap<String, Change> changes) {
        LimiterSpec<R> changed = spec;
        for (Map.Entry<String, Change> each : changes.entrySet()) {
            try {
                changed = changed(
                        changed, each.getKey().split("/", 3), each.getValue().value());
            } catch (IllegalArgumentException e) {
                ignore(spec.name() + "/" + each.getKey(), each.getValue().text(), e);
            }
        }
        return changed;
    }

    private LimiterSpec<R> changed(LimiterSpec<R> spec, String[] what, String value) {
        return switch (what[0]) {
            case "shadow" -> spec.withShadow(Boolean.parseBoolean(value));
            case "permits" ->
                spec.withPermits(
                        what.length > 1 ? what[1] : null, what.length > 2 ? what[2] : null, Long.parseLong(value));
            default -> spec; // a block
        };
    }

    private void ignore(String name, String text, RuntimeException why) {
        if (ignored.add(name + " " + text)) {
            LOG.log(WARNING, "the shared setting ''{0}'' is ignored on this node: {1}", name, why.getMessage());
        }
    }
}
