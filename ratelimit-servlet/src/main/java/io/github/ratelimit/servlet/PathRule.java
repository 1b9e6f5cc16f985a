package io.github.ratelimit.servlet;

import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.PathPattern;
import java.util.Set;

/**
 * Which requests a limiter limits.
 *
 * <p>Immutable and safe for concurrent use.
 *
 * @param pattern of the decoded path below the application's root
 * @param methods in capital letters; none: all but the preflight requests of CORS, which the browser asks on its own and which run
 *     nothing. {@code GET} means {@code HEAD} too
 * @param limiter the limiter's name
 */
public record PathRule(PathPattern pattern, Set<String> methods, String limiter) {

    /** Copies the methods. */
    public PathRule {
        methods = Set.copyOf(methods);
    }

    /**
     * A rule for every method.
     *
     * @param pattern for example {@code /v1/cms/**}
     * @throws IllegalArgumentException if the pattern is malformed
     */
    public static PathRule of(String pattern, String limiter) {
        return new PathRule(PathPattern.parse(pattern), Set.of(), limiter);
    }

    boolean matches(HttpCall call, String path) {
        return matchesMethod(call) && pattern.matches(path);
    }

    private boolean matchesMethod(HttpCall call) {
        String method = call.method();
        if (methods.isEmpty()) {
            return !isPreflight(call);
        }
        return methods.contains(method) || (method.equals("HEAD") && methods.contains("GET"));
    }

    /** Rule: Fetch standard, "CORS-preflight request". */
    private static boolean isPreflight(HttpCall call) {
        return call.method().equals("OPTIONS")
                && !call.headers("Origin").isEmpty()
                && !call.headers("Access-Control-Request-Method").isEmpty();
    }
}
