package io.github.ratelimit;

import java.util.List;
import java.util.function.UnaryOperator;

/** The current spec of a limiter, shared with its unions, so that a change reaches all. Safe for concurrent use. */
final class CurrentSpec<R> {

    private LimiterSpec<R> described; // guarded by this
    private UnaryOperator<LimiterSpec<R>> changes = UnaryOperator.identity(); // guarded by this

    /** A list, because each decision of the limiter alone needs one. */
    private volatile List<LimiterSpec<R>> spec;

    CurrentSpec(LimiterSpec<R> spec) {
        this.described = spec;
        this.spec = List.of(spec);
    }

    LimiterSpec<R> get() {
        return spec.get(0);
    }

    List<LimiterSpec<R>> alone() {
        return spec;
    }

    /** Replaces the description. The operators' changes stay. */
    synchronized void set(LimiterSpec<R> described) {
        this.described = described;
        apply();
    }

    /** Replaces the operators' changes. They apply to the description, also to a later one. */
    synchronized void setChanges(UnaryOperator<LimiterSpec<R>> changes) {
        this.changes = changes;
        apply();
    }

    private void apply() {
        LimiterSpec<R> changed = changes.apply(described);
        spec = List.of(changed.equals(described) ? described : changed.madeOf(described));
    }
}
