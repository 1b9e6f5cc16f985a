package io.github.ratelimit.content.accesslog;

import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.http.HttpCall;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What limits would have done to the requests of a log: who was refused, when, and by what. Used by one thread. */
final class ReplayReport {

    private static final int MOST_CLIENTS = 20;
    private static final int SECONDS = 60;
    private static final String ROW = "%-40s %10s %10s %8s  %s";

    /** What a limit did. */
    private static final class OfLimit {

        private long asked;
        private long refused;
        private long first;
        private long last;
        private final Map<String, Long> clients = new HashMap<>();
    }

    /** Requests of a minute. */
    private static final class Minute {

        private long served;
        private long refused;
    }

    private final Map<String, OfLimit> limits = new LinkedHashMap<>();
    private final Map<String, String> names = new HashMap<>();
    private final TreeMap<Long, Minute> minutes = new TreeMap<>();
    private long lines;
    private long unreadable;
    private @Nullable String firstUnreadable;
    private long misdated;
    private @Nullable String firstMisdated;
    private long ambiguous;
    private long refused;

    ReplayReport(Limiters<HttpCall> limiters) {
        for (String name : limiters.names()) {
            if (limiters.get(name).spec().shadow()) {
                names.put(name, name + " (shadow)");
            }
        }
    }

    void unreadable(String line) {
        lines++;
        if (unreadable++ == 0) {
            firstUnreadable = numbered(line);
        }
    }

    /** A request that is more than a day from those around it. */
    void misdated(String line) {
        lines++;
        if (misdated++ == 0) {
            firstMisdated = numbered(line);
        }
    }

    private String numbered(String line) {
        return "line %d: %s".formatted(lines, visible(line));
    }

    /** What a stranger wrote into a log moves no cursor of a terminal. */
    private static String visible(String text) {
        return text.substring(0, Math.min(text.length(), 100)).replaceAll("[\\p{Cntrl}\\x80-\\x9f]", "?");
    }

    void ambiguous() {
        ambiguous++;
    }

    void asked(long second, boolean served) {
        lines++;
        Minute minute = minutes.computeIfAbsent(second / SECONDS, start -> new Minute());
        if (served) {
            minute.served++;
        } else {
            minute.refused++;
            refused++;
        }
    }

    void decided(LoggedCall call, long second, LimitStatus status) {
        OfLimit of = limits.computeIfAbsent(label(status), label -> new OfLimit());
        of.asked++;
        if (status.exceeded()) {
            of.first = of.refused++ == 0 ? second : of.first;
            of.last = second;
            of.clients.merge(call.client(), 1L, Long::sum);
        }
    }

    private String label(LimitStatus status) {
        String limiter = names.getOrDefault(status.limiter(), status.limiter());
        Limit limit = status.limit();
        return limit.name().equals(status.limiter()) ? limiter : limiter + " / " + limit.name();
    }

    /** Whether a line was read. */
    boolean hasRequests() {
        return !minutes.isEmpty();
    }

    /** For people. */
    String text() {
        if (minutes.isEmpty()) {
            return "No line of the log is a request in the combined format. First %s\n"
                    .formatted(firstUnreadable == null ? "line: none" : firstUnreadable);
        }
        List<String> said = new ArrayList<>();
        said.add("%s lines, %s to %s".formatted(lines, moment(minutes.firstKey()), moment(minutes.lastKey() + 1)));
        said.add("%s would be refused (%s %%)".formatted(refused, percent(refused, lines - unreadable - misdated)));
        if (ambiguous > 0) {
            said.add("%s of them with 400, as their path can be read in two ways".formatted(ambiguous));
        }
        if (unreadable > 0) {
            said.add("%s were not read, first %s".formatted(unreadable, firstUnreadable));
        }
        if (misdated > 0) {
            said.add("%s were left out, as they are more than a day from the lines around them, first %s"
                    .formatted(misdated, firstMisdated));
        }
        said.add("");
        said.add(ROW.formatted("limit", "asked", "refused", "clients", "first and last refusal"));
        limits.forEach((label, of) -> said.add(ROW.formatted(
                label,
                of.asked,
                of.refused,
                of.clients.size(),
                of.refused == 0 ? "" : Instant.ofEpochSecond(of.first) + "  " + Instant.ofEpochSecond(of.last))));
        limits.forEach((label, of) -> said.addAll(mostRefused(label, of)));
        return said.stream().map(line -> line.stripTrailing() + "\n").collect(Collectors.joining());
    }

    private static List<String> mostRefused(String label, OfLimit of) {
        List<String> said = new ArrayList<>();
        if (of.refused > 0) {
            said.add("");
            said.add("Most refused by " + label);
            of.clients.entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                            .thenComparing(Map.Entry.comparingByKey()))
                    .limit(MOST_CLIENTS)
                    .forEach(client -> said.add("%10s  %s".formatted(client.getValue(), visible(client.getKey()))));
        }
        return said;
    }

    private static String percent(long part, long of) {
        return String.format(Locale.ROOT, "%.2f", 100.0 * part / of);
    }

    private static Instant moment(long minute) {
        return Instant.ofEpochSecond(minute * SECONDS);
    }

    /** A picture: served and refused requests over time. */
    String svg() {
        long first = minutes.isEmpty() ? 0 : minutes.firstKey();
        long last = minutes.isEmpty() ? 0 : minutes.lastKey();
        long minutesOfABar = (last - first) / RequestsDrawing.MOST_BARS + 1;
        int bars = (int) ((last - first) / minutesOfABar) + 1;
        long[] servedOf = new long[bars];
        long[] refusedOf = new long[bars];
        minutes.forEach((start, minute) -> {
            int bar = (int) ((start - first) / minutesOfABar);
            servedOf[bar] += minute.served;
            refusedOf[bar] += minute.refused;
        });
        List<RequestsDrawing.Bar> drawn = new ArrayList<>();
        for (int i = 0; i < bars; i++) {
            drawn.add(new RequestsDrawing.Bar(moment(first + i * minutesOfABar), servedOf[i], refusedOf[i]));
        }
        return RequestsDrawing.of(drawn, minutesOfABar);
    }
}
