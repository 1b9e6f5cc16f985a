package io.github.ratelimit.spring.internal.diagnostics;

import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Rule;
import io.github.ratelimit.control.OperatorChanges;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.Outcomes;
import io.github.ratelimit.spring.internal.method.MethodLimits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Logs each limiter with its rules and places at startup, so that a missing one is seen. Each line is a message: some logs keep messages on one
 * line. Limits on outgoing calls are left out: the application declares each of them in code.
 *
 * @param changes by operators, as far as they are known
 */
public record StartReport(Limiters<HttpCall> limiters, OperatorChanges<HttpCall> changes) {

    private static final Log LOG = LogFactory.getLog(StartReport.class);

    /** Chosen: with the prefix of Spring Boot's log, a line fits a wide terminal. */
    private static final int WIDTH = 140;

    /** Where a limiter limits, in one phase. */
    private record Part(String limiter, String phase) {}

    /** Logs the limited requests. */
    public void log(LimitedRequests places) {
        List<String> served = places.mapped().get().stream()
                .flatMap(method -> method.paths().stream())
                .toList();
        Map<Part, List<String>> parts = new LinkedHashMap<>();
        for (LimitedRequests.Place place : places.all()) {
            add(
                    parts,
                    place.limiter(),
                    place.phase(),
                    where(place) + (isServed(place, served) ? "" : " (no controller)"));
        }
        if (parts.isEmpty()) {
            LOG.info("No path and no controller is limited");
            return;
        }
        log("What is limited:", parts);
        if (!places.excluded().isEmpty()) {
            LOG.info("  never: " + String.join(", ", places.excluded()));
        }
    }

    /** Logs other limited calls, if there are any. */
    public void log(MethodLimits calls) {
        Map<Part, List<String>> parts = new LinkedHashMap<>();
        calls.places().forEach(place -> add(parts, place.limiter(), "", place.what()));
        if (!parts.isEmpty()) {
            log("What is limited beside requests:", parts);
        }
    }

    /** How many values of a limiter operators changed. Without blocks, each of which has an end. */
    public static long changed(OperatorChanges<HttpCall> changes, String limiter) {
        return changes.changes(limiter).keySet().stream()
                .filter(what -> !what.startsWith("block/"))
                .count();
    }

    /** Whether a controller may serve a place; what filters, servlets and files serve is not known. */
    private static boolean isServed(LimitedRequests.Place place, List<String> served) {
        return place.handler() != null
                || place.paths().stream()
                        .anyMatch(path -> served.stream().anyMatch(pattern -> LimitedRequests.mayMeet(path, pattern)));
    }

    private static void add(Map<Part, List<String>> parts, String limiter, String phase, String place) {
        parts.computeIfAbsent(new Part(limiter, phase), part -> new ArrayList<>())
                .add(place);
    }

    /** Methods, paths and handler of a place. */
    private static String where(LimitedRequests.Place place) {
        String methods = place.methods().isEmpty() ? "any" : String.join("|", place.methods());
        String except = place.except().isEmpty() ? "" : " except " + String.join(", ", place.except());
        String handler = place.handler() == null ? "" : " " + place.handler();
        return methods + " " + String.join(", ", place.paths()) + except + handler;
    }

    private void log(String title, Map<Part, List<String>> parts) {
        LOG.info(title);
        parts.forEach((part, places) -> {
            String phase = part.phase().isEmpty() ? "" : " " + part.phase();
            if (!limiters.names().contains(part.limiter())) {
                LOG.info("  " + part.limiter() + phase + ", described in code");
            } else {
                LimiterSpec<HttpCall> spec = limiters.spec(part.limiter());
                String counted = Outcomes.text(spec);
                LOG.info("  " + part.limiter() + phase + (spec.shadow() ? ", shadow" : "")
                        + (counted.isEmpty() ? "" : ", counts " + counted)
                        + (changed(changes, part.limiter()) == 0 ? "" : ", changed by an operator"));
                for (Rule<HttpCall> rule : spec.rules()) {
                    LOG.info("    " + RuleText.line(rule));
                }
            }
            wrapped(places).forEach(line -> LOG.info("    at " + line));
        });
    }

    /** As many places on a line as fit. */
    private static List<String> wrapped(List<String> places) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(places.get(0));
        for (String place : places.subList(1, places.size())) {
            if (line.length() + place.length() > WIDTH - 10) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : "; ").append(place);
        }
        lines.add(line.toString());
        return lines;
    }

    public static String lowerCase(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
