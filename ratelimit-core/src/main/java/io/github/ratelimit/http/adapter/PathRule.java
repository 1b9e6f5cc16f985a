package io.github.ratelimit.http.adapter;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.http.HttpCall;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Which requests a limiter limits.
 *
 * <p>Letter case does not count: some applications serve {@code /LOGIN} as {@code /login}. In {@code exclude} it does. Immutable and safe
 * for concurrent use.
 *
 * @param pattern of the decoded path below the application's root
 * @param methods in capital letters; none: all but the preflight requests of CORS, which the browser asks on its own and which run
 *     nothing. {@code GET} means {@code HEAD} too. Methods of an application's own are limited by a rule without methods
 * @param limiter the limiter's name
 * @param exclude paths that the pattern matches and the rule does not hold for
 */
public record PathRule(PathPattern pattern, Set<String> methods, String limiter, ExcludedPaths exclude) {

    /**
     * Of RFC 9110 §9, RFC 5789, the QUERY method, and WebDAV (RFC 4918, RFC 3253, RFC 5323). Without CONNECT, which names no path.
     *
     * <p>Other methods are rejected, because a misspelt one would silently limit nothing.
     */
    private static final List<String> KNOWN_METHODS = List.of(
            "GET",
            "HEAD",
            "POST",
            "PUT",
            "DELETE",
            "PATCH",
            "OPTIONS",
            "TRACE",
            "QUERY",
            "PROPFIND",
            "PROPPATCH",
            "MKCOL",
            "COPY",
            "MOVE",
            "LOCK",
            "UNLOCK",
            "REPORT",
            "SEARCH");

    /**
     * Checks and copies the parts.
     *
     * @throws IllegalArgumentException if a method is unknown; names it and the known ones
     */
    public PathRule {
        requireNonNull(pattern, "pattern");
        requireNonNull(limiter, "limiter");
        requireNonNull(exclude, "exclude");
        methods = Set.copyOf(methods);
        for (String method : methods) {
            if (!KNOWN_METHODS.contains(method)) {
                throw new IllegalArgumentException("path rule '%s' of limiter '%s': %s"
                        .formatted(pattern, limiter, unknown(method.replaceAll("\\p{Cntrl}", "\uFFFD"))));
            }
        }
    }

    /**
     * A rule without an exception.
     *
     * @throws IllegalArgumentException if a method is unknown; names it and the known ones
     */
    public PathRule(PathPattern pattern, Set<String> methods, String limiter) {
        this(pattern, methods, limiter, ExcludedPaths.NONE);
    }

    private static String unknown(String method) {
        String capital = method.strip().toUpperCase(Locale.ROOT);
        return KNOWN_METHODS.contains(capital)
                ? "no such method: '%s'; write '%s'".formatted(method, capital)
                : "no such method: '%s'; known: %s; leave methods out to limit any other"
                        .formatted(method, String.join(", ", KNOWN_METHODS));
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

    /**
     * Whether the limiter limits a call. For adapters.
     *
     * @param path the call's own, which is asked for once for many rules
     */
    public boolean matches(HttpCall call, String path) {
        return pattern.matches(path, true) && matchesMethod(call) && !exclude.contains(call, path);
    }

    private boolean matchesMethod(HttpCall call) {
        String method = call.method();
        if (methods.isEmpty()) {
            return !call.isPreflight();
        }
        return methods.contains(method) || (method.equals("HEAD") && methods.contains("GET"));
    }
}
