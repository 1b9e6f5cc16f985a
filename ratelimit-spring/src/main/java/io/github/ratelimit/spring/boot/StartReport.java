package io.github.ratelimit.spring.boot;

import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Rule;
import io.github.ratelimit.http.HttpCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** Logs the limits at startup, so that a missing one is seen. Each row is a message: some logs keep messages on one line. */
final class StartReport {

    private static final Log LOG = LogFactory.getLog(StartReport.class);

    private StartReport() {}

    /**
     * Logs the table of limited requests.
     *
     * @param served whether any handler is known that could serve a place; what filters and other servlets serve is not known
     */
    static void log(Limiters<HttpCall> limiters, LimitedPlaces places, Predicate<LimitedPlace> served) {
        List<List<String>> rows = new ArrayList<>(List.of(List.of("where", "limiter", "limit", "decided", "")));
        for (LimitedPlace place : places.all()) {
            String where = where(place) + (served.test(place) ? "" : " (no controller)");
            rows.addAll(rows(limiters, where, place.limiter(), place.phase()));
        }
        if (rows.size() == 1) {
            LOG.info("No path and no controller is limited");
            return;
        }
        log("What is limited:", rows);
        if (!places.excluded().isEmpty()) {
            LOG.info("  never: " + String.join(", ", places.excluded()));
        }
    }

    /** Logs the table of other limited calls, if there are any. */
    static void log(Limiters<HttpCall> limiters, LimitedCalls calls) {
        List<List<String>> rows = new ArrayList<>(List.of(List.of("what", "limiter", "limit", "", "")));
        calls.all().forEach(place -> rows.addAll(rows(limiters, place.what(), place.limiter(), "")));
        if (rows.size() > 1) {
            log("What is limited beside requests:", rows);
        }
    }

    private static List<List<String>> rows(Limiters<HttpCall> limiters, String where, String limiter, String phase) {
        if (!limiters.names().contains(limiter)) {
            return List.of(List.of(where, limiter, "described in code", phase, ""));
        }
        LimiterSpec<HttpCall> spec = limiters.spec(limiter);
        String shadow = spec.shadow() ? "shadow" : "";
        List<List<String>> rows = new ArrayList<>();
        for (Rule<HttpCall> rule : spec.rules()) {
            rows.add(List.of(where, limiter, DescribedRules.line(rule), phase, shadow));
        }
        return rows;
    }

    /** Methods, paths and handler of a place. */
    private static String where(LimitedPlace place) {
        String methods = place.methods().isEmpty() ? "any" : String.join("|", place.methods());
        String except = place.except().isEmpty() ? "" : " except " + String.join(", ", place.except());
        String handler = place.handler() == null ? "" : " " + place.handler();
        return methods + " " + String.join(", ", place.paths()) + except + handler;
    }

    private static void log(String title, List<List<String>> rows) {
        String line = IntStream.range(0, rows.get(0).size())
                .map(at -> rows.stream()
                        .mapToInt(row -> row.get(at).length())
                        .max()
                        .orElse(0))
                .mapToObj(width -> "  %-" + Math.max(1, width) + "s")
                .collect(Collectors.joining());
        LOG.info(title);
        rows.forEach(row -> LOG.info(line.formatted(row.toArray()).stripTrailing()));
    }

    static String lowerCase(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
