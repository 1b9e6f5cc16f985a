package io.github.ratelimit.spring.boot;

import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.LimiterSpec.Rule;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.Diagnostic;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** Says once, at start, what is limited: whoever believes that something is can see it. */
final class StartReport {

    private static final Log LOG = LogFactory.getLog(StartReport.class);
    private static final List<String> HEAD = List.of("where", "limiter", "limit", "decided", "");

    private StartReport() {}

    /**
     * Logs a table of what is limited.
     *
     * @param served whether any handler is known that could serve a place; what filters and other servlets serve is not known
     */
    static void log(Limiters<HttpCall> limiters, LimitedPlaces places, Predicate<LimitedPlace> served) {
        if (LOG.isInfoEnabled()) {
            LOG.info(text(limiters, places, served));
        }
    }

    static String text(Limiters<HttpCall> limiters, LimitedPlaces places, Predicate<LimitedPlace> served) {
        List<List<String>> rows = new ArrayList<>();
        for (LimitedPlace place : places.all()) {
            LimiterSpec<HttpCall> spec = limiters.get(place.limiter()).spec();
            String where = where(place) + (served.test(place) ? "" : " (no controller)");
            for (Rule<HttpCall> rule : spec.rules()) {
                rows.add(List.of(
                        where,
                        spec.name(),
                        DescribedRules.line(rule),
                        lowerCase(place.phase()),
                        spec.shadow() ? "shadow" : ""));
            }
        }
        if (rows.isEmpty()) {
            return "No path and no controller is limited";
        }
        rows.add(0, HEAD);
        String excluded = places.excluded().isEmpty() ? "" : "\n  never: " + String.join(", ", places.excluded());
        return "What is limited:" + table(rows) + excluded;
    }

    /** Logs a table of what is limited that is no request, if there is any. */
    static void log(Limiters<HttpCall> limiters, LimitedCalls calls) {
        if (LOG.isInfoEnabled() && !calls.all().isEmpty()) {
            LOG.info(text(limiters, calls));
        }
    }

    static String text(Limiters<HttpCall> limiters, LimitedCalls calls) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("what", "limiter", "limit", ""));
        for (LimitedCalls.Place place : calls.all()) {
            if (!limiters.names().contains(place.limiter())) {
                rows.add(List.of(place.what(), place.limiter(), "described in code", ""));
                continue;
            }
            LimiterSpec<HttpCall> spec = limiters.get(place.limiter()).spec();
            for (Rule<HttpCall> rule : spec.rules()) {
                rows.add(List.of(place.what(), spec.name(), DescribedRules.line(rule), spec.shadow() ? "shadow" : ""));
            }
        }
        return "What is limited beside requests:" + table(rows);
    }

    /** Methods, paths and handler of a place. */
    static String where(LimitedPlace place) {
        String methods = place.methods().isEmpty() ? "any" : String.join("|", place.methods());
        String except = place.except().isEmpty() ? "" : " except " + String.join(", ", place.except());
        String handler = place.handler() == null ? "" : " " + place.handler();
        return methods + " " + String.join(", ", place.paths()) + except + handler;
    }

    private static String table(List<List<String>> rows) {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                line.append("  ")
                        .append(row.get(i))
                        .append(" ".repeat(widths[i] - row.get(i).length()));
            }
            text.append('\n').append(line.toString().stripTrailing());
        }
        return text.toString();
    }

    /**
     * Tells of limiters that nothing names.
     *
     * @param named those that a path rule or an annotation names
     * @param mayBeCalled whether code of the application may ask for a limiter by its name
     */
    static void tellOfUnnamed(
            Limiters<HttpCall> limiters, Set<String> named, boolean mayBeCalled, Diagnostics diagnostics) {
        Set<String> unnamed = new LinkedHashSet<>(limiters.names());
        unnamed.removeAll(named);
        if (unnamed.isEmpty()) {
            return;
        }
        String names = "'" + String.join("', '", unnamed) + "'";
        if (mayBeCalled) {
            LOG.info("No path rule and no annotation names limiter " + names
                    + ": it limits only where code asks for it by its name");
        } else {
            diagnostics.warn(
                    Diagnostic.UNUSED_LIMITER,
                    "Limiter %s limits nothing: no path rule and no annotation names it, and no bean is given Limiters or HttpRateLimiter; name it under ratelimit.http.paths or by @RateLimit, or remove it"
                            .formatted(names));
        }
    }

    static String lowerCase(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
