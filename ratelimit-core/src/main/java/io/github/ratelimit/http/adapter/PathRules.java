package io.github.ratelimit.http.adapter;

import io.github.ratelimit.http.HttpCall;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The rules of paths that one filter holds: which limiters a call meets, and whether a path could avoid a rule.
 *
 * <p>Immutable and safe for concurrent use.
 */
public final class PathRules {

    private final PathRule[] rules;
    private final List<List<String>> alone; // of each rule: its limiter as the only one
    private final ExcludedPaths excluded;
    private final List<PathRule> avoidable;

    /**
     * Reads the rules.
     *
     * @param all the rules of every phase
     * @param decides whether a limiter decides in this filter
     * @param excluded paths that no rule limits
     * @param rejectsAmbiguousPaths whether {@link #mayBeAvoidedBy} looks at any path, by the rules of every phase: an ambiguous path is
     *     rejected before the application's authentication sees it
     */
    public PathRules(
            List<PathRule> all, Predicate<String> decides, ExcludedPaths excluded, boolean rejectsAmbiguousPaths) {
        this.rules = all.stream().filter(rule -> decides.test(rule.limiter())).toArray(PathRule[]::new);
        this.alone = all.stream()
                .map(PathRule::limiter)
                .filter(decides)
                .map(List::of)
                .toList();
        this.excluded = excluded;
        this.avoidable = rejectsAmbiguousPaths ? List.copyOf(all) : List.of();
    }

    /** Whether no call meets a limiter here, and every path is accepted. */
    public boolean isEmpty() {
        return rules.length == 0 && avoidable.isEmpty();
    }

    /** All limiters that a call meets here, in the order of the rules, each once; none if no rule matches. */
    public List<String> limitersOf(HttpCall call) {
        if (rules.length == 0) {
            return List.of();
        }
        String path = call.path();
        List<String> names = List.of();
        for (int i = 0; i < rules.length; i++) {
            if (rules[i].matches(call, path)) {
                names = names.isEmpty() ? alone.get(i) : with(names, rules[i].limiter());
            }
        }
        return names.isEmpty() || excluded.contains(call, path) ? List.of() : names;
    }

    private static List<String> with(List<String> names, String name) {
        if (names.contains(name)) {
            return names;
        }
        if (names.size() == 1) {
            return List.of(names.get(0), name);
        }
        List<String> more = new ArrayList<>(names);
        more.add(name);
        return more;
    }

    /** Whether a call's path can be read in more than one way, and this is to be looked at. */
    public boolean areUncertainOf(HttpCall call) {
        return !avoidable.isEmpty() && RawPath.isAmbiguous(call.origin().target());
    }

    /**
     * Whether a call's path can be read in more than one way, and a rule could match one of them.
     *
     * @param root the path of the whole application, which rules are compared below; empty: none
     */
    public boolean mayBeAvoidedBy(HttpCall call, String root) {
        return !avoidable.isEmpty() && RawPath.mayAvoid(call.origin().target(), root, avoidable);
    }
}
