package io.github.ratelimit;

import java.util.List;

/** The current spec of a limiter, shared with its unions, so that a change reaches all. Safe for concurrent use. */
final class CurrentSpec<R> {

    /** A list, because each decision of the limiter alone needs one. */
    private volatile List<LimiterSpec<R>> spec;

    CurrentSpec(LimiterSpec<R> spec) {
        this.spec = List.of(spec);
    }

    LimiterSpec<R> get() {
        return spec.get(0);
    }

    List<LimiterSpec<R>> alone() {
        return spec;
    }

    void set(LimiterSpec<R> changed) {
        spec = List.of(changed);
    }
}
