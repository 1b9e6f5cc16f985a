package io.github.ratelimit.spring.boot;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.servlet.AdapterMistake;
import io.github.ratelimit.spring.Diagnostic;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Tells of what is wrong with how limits are set up: warns once of each finding, and counts all of them. Never told of a key. Safe for
 * concurrent use.
 */
final class Diagnostics {

    private static final Log LOG = LogFactory.getLog(Diagnostics.class);

    private final Map<Diagnostic, LongAdder> found = new EnumMap<>(Diagnostic.class);
    private final Set<Diagnostic> ignored = EnumSet.noneOf(Diagnostic.class);
    private final Set<String> told =
            ConcurrentHashMap.newKeySet(); // as many as there are things to find something wrong with

    /**
     * Makes it.
     *
     * @param ignored codes, such as {@code RL-009}, that are neither warned of nor counted
     * @throws IllegalArgumentException if there is no such code; names it and the known ones
     */
    Diagnostics(Collection<String> ignored) {
        for (Diagnostic each : Diagnostic.values()) {
            found.put(each, new LongAdder());
        }
        ignored.forEach(code -> this.ignored.add(known(code)));
    }

    private static Diagnostic known(String code) {
        List<String> codes =
                Stream.of(Diagnostic.values()).map(Diagnostic::code).toList();
        return Stream.of(Diagnostic.values())
                .filter(each -> each.code().equalsIgnoreCase(code.strip()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such diagnostic: '%s'; known: %s to %s"
                        .formatted(code, codes.get(0), codes.get(codes.size() - 1))));
    }

    /**
     * Tells of a finding.
     *
     * @param message what is wrong where, and what to do about it; the same for what is the same finding
     */
    void warn(Diagnostic what, String message) {
        if (ignored.contains(what)) {
            return;
        }
        counter(what).increment();
        if (told.add(message)) {
            LOG.warn("%s: %s (%s)".formatted(what.code(), message, what.page()));
        }
    }

    /** Tells of what an adapter has noticed. */
    void warn(AdapterMistake mistake) {
        Diagnostic what = switch (mistake) {
            case REGISTERED_TWICE -> Diagnostic.FILTER_TWICE;
            case REFUSAL_SWALLOWED -> Diagnostic.REFUSAL_SWALLOWED;
        };
        warn(what, mistake.message());
    }

    /** How often something was found. */
    long found(Diagnostic what) {
        return counter(what).sum();
    }

    private LongAdder counter(Diagnostic what) {
        return requireNonNull(found.get(what)); // there is one for each
    }
}
