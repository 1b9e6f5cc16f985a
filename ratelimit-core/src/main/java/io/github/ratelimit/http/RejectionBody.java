package io.github.ratelimit.http;

import io.github.ratelimit.LimitStatus;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Creates the response to a rejected request: status, media type and text. Safe for concurrent use. */
@FunctionalInterface
public interface RejectionBody {

    /**
     * The response to a rejected request, without its header fields.
     *
     * @param status the response's, most often {@link HttpVerdict#status()}
     * @param type a media type, for example {@code application/json}
     * @param text the body, to be sent in UTF-8; empty: the server's own error page for the status
     */
    record Content(int status, String type, String text) {}

    /**
     * Creates the response to a rejected call.
     *
     * @param verdict one that is not allowed
     * @param call the rejected call, for example for its {@code Accept} field
     */
    Content of(HttpVerdict verdict, HttpCall call);

    /** The application's own error response for the status: for example its error page, or Spring Boot's JSON of errors. */
    static RejectionBody application() {
        return (verdict, call) -> new Content(verdict.status(), "text/html", "");
    }

    /** {@code {"error": {"code": "rate_limited", "message": …}}}; with the code {@code unavailable} where the store did not answer. */
    static RejectionBody json() {
        return (verdict, call) -> new Content(
                verdict.status(),
                "application/json",
                "{\"error\":{\"code\":\"%s\",\"message\":\"%s\"}}".formatted(code(verdict), message(verdict)));
    }

    /** A problem. Rule: RFC 9457, and the problem types of draft-ietf-httpapi-ratelimit-headers. */
    static RejectionBody problem() {
        return (verdict, call) -> {
            String violated = verdict.decision().statuses().stream()
                    .filter(LimitStatus::exceeded)
                    .map(status -> "\"" + status.limit().name() + "\"") // names need no escape
                    .collect(Collectors.joining(","));
            boolean limited = verdict.status() == HttpVerdict.TOO_MANY_REQUESTS;
            return new Content(
                    verdict.status(),
                    "application/problem+json",
                    ("{\"type\":\"%s\",\"title\":\"%s\",\"status\":%s,"
                                    + "\"detail\":\"%s\",\"violated-policies\":[%s]}")
                            .formatted(
                                    problemType(verdict),
                                    limited ? "Too Many Requests" : "Service Unavailable",
                                    verdict.status(),
                                    message(verdict),
                                    violated));
        };
    }

    /**
     * {@link #problem()} for clients whose {@code Accept} names {@code application/problem+json} and does not prefer
     * {@code application/json}; {@link #json()} for others.
     */
    static RejectionBody jsonOrProblem() {
        RejectionBody json = json();
        RejectionBody problem = problem();
        return (verdict, call) -> (prefersProblem(call) ? problem : json).of(verdict, call);
    }

    /** The address of the problem's type. Rule: draft-ietf-httpapi-ratelimit-headers, "Problem Types". */
    static String problemType(HttpVerdict verdict) {
        return "https://iana.org/assignments/http-problem-types#"
                + (verdict.status() == HttpVerdict.TOO_MANY_REQUESTS ? "quota-exceeded" : "temporary-reduced-capacity");
    }

    /** {@code rate_limited} or {@code unavailable}. */
    static String code(HttpVerdict verdict) {
        return verdict.status() == HttpVerdict.TOO_MANY_REQUESTS ? "rate_limited" : "unavailable";
    }

    /** A sentence for people; needs no escape in JSON. */
    static String message(HttpVerdict verdict) {
        if (verdict.status() != HttpVerdict.TOO_MANY_REQUESTS) {
            return "The service is temporarily unavailable; try again in a second.";
        }
        Optional<String> seconds = Optional.ofNullable(verdict.fields().get("Retry-After"));
        return seconds.map(wait ->
                        "Too many requests; try again in " + wait + (wait.equals("1") ? " second." : " seconds."))
                .orElse("This request asks for more than its limit ever grants; split it.");
    }

    /** Whether {@code Accept} names problems with at least the weight of plain JSON. Rule: RFC 9110 §12.5.1. */
    private static boolean prefersProblem(HttpCall call) {
        double problem = 0;
        double json = 0;
        for (String line : call.headers("Accept")) {
            for (String element : line.split(",", -1)) {
                String[] parts = element.split(";", -1);
                switch (parts[0].strip().toLowerCase(Locale.ROOT)) {
                    case "application/problem+json" -> problem = Math.max(problem, weight(parts));
                    case "application/json" -> json = Math.max(json, weight(parts));
                    default -> {
                        // any other type
                    }
                }
            }
        }
        return problem > 0 && problem >= json;
    }

    private static double weight(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip();
            if (parameter.startsWith("q=") || parameter.startsWith("Q=")) {
                String value = parameter.substring(2);
                return value.matches("[01](\\.[0-9]{0,3})?") ? Double.parseDouble(value) : 0; // malformed: not wanted
            }
        }
        return 1;
    }
}
