package io.github.ratelimit.spring.internal.diagnostics;

import io.github.ratelimit.http.adapter.AdapterMistake;
import io.github.ratelimit.spring.internal.Diagnostic;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Reports mistakes in the configuration of limits: warns once of each, and counts all. Never told of a key. Safe for concurrent use.
 */
public final class Diagnostics {

    private static final Log LOG = LogFactory.getLog(Diagnostics.class);

    private final List<String> ignored;
    private final Map<Diagnostic, LongAdder> found = new ConcurrentHashMap<>();
    private final Set<String> told =
            ConcurrentHashMap.newKeySet(); // as many as there are things to find something wrong with

    /** @param ignored numbers to say nothing of, such as {@code RL-007} */
    public Diagnostics(List<String> ignored) {
        this.ignored = ignored.stream().map(String::strip).toList();
    }

    /**
     * Tells of a finding, unless it is ignored.
     *
     * @param message the place, the mistake and the remedy; the same text for the same finding
     */
    public void warn(Diagnostic what, String message) {
        warn(what, message, message);
    }

    /** As {@link #warn(Diagnostic, String)}, of a message that differs from one finding to the next. */
    public void warn(Diagnostic what, String about, String message) {
        if (ignored.stream().anyMatch(what.code()::equalsIgnoreCase)) {
            return;
        }
        counter(what).increment();
        if (told.add(about)) {
            LOG.warn("%s: %s (%s)".formatted(what.code(), message, what.page()));
        }
    }

    /** Tells of what an adapter has noticed. */
    public void warn(AdapterMistake mistake) {
        Diagnostic what = switch (mistake) {
            case REGISTERED_TWICE -> Diagnostic.FILTER_TWICE;
            case REJECTION_SWALLOWED -> Diagnostic.REJECTION_SWALLOWED;
            case USER_TOO_EARLY -> Diagnostic.PRINCIPAL_TOO_EARLY;
        };
        warn(what, mistake.message());
    }

    /** How often something was found. */
    public long found(Diagnostic what) {
        return counter(what).sum();
    }

    private LongAdder counter(Diagnostic what) {
        return found.computeIfAbsent(what, each -> new LongAdder());
    }
}
