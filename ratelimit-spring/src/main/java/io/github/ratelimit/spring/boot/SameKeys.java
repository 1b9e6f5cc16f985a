package io.github.ratelimit.spring.boot;

import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.LimiterSpec.Rule;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.servlet.PathRule;
import io.github.ratelimit.spring.Diagnostic;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds limiters that never refuse as another one refuses before: it counts the same key in the same window, meets every request that they
 * meet, and grants no more.
 *
 * <p>Which requests meet which limiters is tried with a request for each mapped method and each path rule.
 */
record SameKeys(Limiters<HttpCall> limiters, KnownPlaces places) {

    private static final Pattern VARIABLE = Pattern.compile("\\{\\*?[^/{}]*}|\\*+|\\?");

    void warn(Diagnostics diagnostics) {
        List<Set<String>> together = tried();
        for (String name : limiters.names()) {
            for (String other : limiters.names()) {
                if (!name.equals(other) && meetsAllOf(other, name, together)) {
                    warn(limiters.get(name).spec(), limiters.get(other).spec(), diagnostics);
                }
            }
        }
    }

    private static boolean meetsAllOf(String one, String other, List<Set<String>> together) {
        List<Set<String>> met =
                together.stream().filter(names -> names.contains(other)).toList();
        return !met.isEmpty() && met.stream().allMatch(names -> names.contains(one));
    }

    private static void warn(LimiterSpec<HttpCall> needless, LimiterSpec<HttpCall> first, Diagnostics diagnostics) {
        if (needless.shadow() || first.shadow()) {
            return; // tried out beside the other one
        }
        for (Rule<HttpCall> rule : needless.rules()) {
            for (Rule<HttpCall> earlier : first.rules()) {
                Limit limit = constant(rule);
                Limit tighter = constant(earlier);
                if (limit != null && tighter != null && isNeedless(rule, limit, needless, earlier, tighter, first)) {
                    diagnostics.warn(
                            Diagnostic.SAME_KEY_TWICE,
                            "limiter '%s', rule '%s', never refuses: every request that it meets is counted by limiter '%s', rule '%s', by the same key (%s) in the same window (%s), %d permits before %d; remove one of them, or count by another key or window"
                                    .formatted(
                                            needless.name(),
                                            limit.name(),
                                            first.name(),
                                            tighter.name(),
                                            String.join(", ", DescribedRules.key(rule)),
                                            limit.window(),
                                            tighter.permits(),
                                            limit.permits()));
                }
            }
        }
    }

    /** Of two that grant the same, one is. */
    private static boolean isNeedless(
            Rule<HttpCall> rule,
            Limit limit,
            LimiterSpec<HttpCall> of,
            Rule<HttpCall> earlier,
            Limit tighter,
            LimiterSpec<HttpCall> first) {
        boolean grantsLess = tighter.permits() < limit.permits()
                || (tighter.permits() == limit.permits() && first.name().compareTo(of.name()) < 0);
        return grantsLess && limit.window().equals(tighter.window()) && DescribedRules.countSame(rule, earlier);
    }

    /** Null where it depends on the request. */
    private static @Nullable Limit constant(Rule<HttpCall> rule) {
        List<Limit> known = rule.limit().known();
        boolean always = !(rule.limit() instanceof ConfiguredLimit limit) || limit.isConstant();
        return always && known.size() == 1 ? known.get(0) : null;
    }

    /** For each request that is tried, the limiters that it meets. */
    private List<Set<String>> tried() {
        List<Set<String>> together = new ArrayList<>();
        for (PathRule rule : places.rules()) {
            String pattern = rule.pattern().toString();
            together.addAll(met(rule.methods(), List.of(pattern), List.of()));
        }
        for (MappedMethod method : places.mapped().get()) {
            List<String> names = places.annotated().namesFor(method.handler());
            if (!names.isEmpty()) {
                together.addAll(met(method.methods(), method.paths(), names));
            }
        }
        return together;
    }
    /** @param further limiters of annotations */
    private List<Set<String>> met(Collection<String> methods, List<String> patterns, List<String> further) {
        List<Set<String>> met = new ArrayList<>();
        for (String method : methods.isEmpty() ? List.of("GET", "POST") : methods) {
            for (String pattern : patterns) {
                for (String path : samples(pattern)) {
                    HttpCall call = DescribedCall.of(method, path);
                    if (!places.isExcluded(call)) {
                        Set<String> names = new HashSet<>(further);
                        places.rules().stream()
                                .filter(rule -> rule.matches(call, path))
                                .forEach(rule -> names.add(rule.limiter()));
                        met.add(names);
                    }
                }
            }
        }
        return met;
    }

    private static List<String> samples(String pattern) {
        String fixed = pattern.endsWith("/**") ? pattern.substring(0, pattern.length() - "/**".length()) : null;
        if (fixed == null) {
            return List.of(sample(pattern));
        }
        String above = sample(fixed);
        return List.of(above.isEmpty() ? "/" : above, above + "/x", above + "/x/x");
    }

    private static String sample(String pattern) {
        return VARIABLE.matcher(pattern).replaceAll("x");
    }
}
