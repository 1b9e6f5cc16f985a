package io.github.ratelimit.http;

import io.github.ratelimit.LimitStatus;
import java.util.Optional;
import java.util.stream.Collectors;

/** Makes the answer to a refused request: status, media type and text. Safe for concurrent use. */
@FunctionalInterface
public interface RefusalBody {

    /**
     * What a refused request is answered, beside the header fields.
     *
     * @param status the response's, most often {@link HttpVerdict#status()}
     * @param type a media type, for example {@code application/json}
     * @param text the body, to be sent in UTF-8
     */
    record Content(int status, String type, String text) {}

    /**
     * Makes the answer to a refused call.
     *
     * @param verdict one that is not allowed
     * @param call what is refused: its {@code Accept} and {@code Accept-Language} say what the client reads
     */
    Content of(HttpVerdict verdict, HttpCall call);

    /** {@code {"error": {"code": "rate_limited", "message": …}}}; with the code {@code unavailable} where the store did not answer. */
    static RefusalBody json() {
        return (verdict, call) -> new Content(
                verdict.status(),
                "application/json",
                "{\"error\":{\"code\":\"%s\",\"message\":\"%s\"}}".formatted(code(verdict), message(verdict)));
    }

    /** A problem. Rule: RFC 9457, and the problem types of draft-ietf-httpapi-ratelimit-headers. */
    static RefusalBody problem() {
        return (verdict, call) -> {
            String violated = verdict.decision().statuses().stream()
                    .filter(LimitStatus::exceeded)
                    .map(status -> "\"" + status.limit().name() + "\"") // names need no escape
                    .collect(Collectors.joining(","));
            boolean limited = verdict.status() == HttpVerdict.TOO_MANY_REQUESTS;
            return new Content(
                    verdict.status(),
                    "application/problem+json",
                    ("{\"type\":\"%s\",\"title\":\"%s\",\"status\":%d,"
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
     * What {@link #problem()} says to clients whose {@code Accept} names {@code application/problem+json} and does not prefer {@code
     * application/json}; to others what {@link #json()} says.
     */
    static RefusalBody jsonOrProblem() {
        RefusalBody json = json();
        RefusalBody problem = problem();
        return (verdict, call) -> (Accept.prefersProblem(call) ? problem : json).of(verdict, call);
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
            return "The service cannot count requests right now; try again soon.";
        }
        Optional<String> seconds = Optional.ofNullable(verdict.fields().get("Retry-After"));
        return seconds.map(wait ->
                        "Too many requests; try again in " + wait + (wait.equals("1") ? " second." : " seconds."))
                .orElse("This request asks for more than its limit ever grants; split it.");
    }
}
