package io.github.ratelimit.content.widget.api;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Enumeration;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.http.HttpHeaders;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Verifies {@code Authorization: Bearer <token>} before the limiters, which count by its result. Rejects nothing: a request without a valid
 * token is counted by address, and then rejected where a controller asks for its caller.
 *
 * @param <T> the type of caller
 */
public final class BearerTokenFilter<T> extends OncePerRequestFilter {
    /** The request attribute with the caller, which controllers take as {@code @RequestAttribute}. */
    public static final String CALLER = "caller";

    private static final String SCHEME = "Bearer ";
    // Chosen: several times the length of our tokens; longer ones are not worth hashing.
    private static final int MAX_LENGTH = 4096;

    private final Function<String, Optional<T>> verify;
    private final String keyAttribute;
    private final Function<T, String> key;

    /**
     * Creates a filter.
     *
     * @param verify finds the caller of a token
     * @param keyAttribute the request attribute that limiters count by
     * @param key the value of that attribute
     */
    public BearerTokenFilter(Function<String, Optional<T>> verify, String keyAttribute, Function<T, String> key) {
        this.verify = verify;
        this.keyAttribute = keyAttribute;
        this.key = key;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        token(request).flatMap(verify).ifPresent(caller -> {
            request.setAttribute(keyAttribute, key.apply(caller));
            request.setAttribute(CALLER, caller);
        });
        chain.doFilter(request, response);
    }

    /** Several credentials are none. The scheme's case does not matter. Rule: RFC 9110 §11.1. */
    private static Optional<String> token(HttpServletRequest request) {
        Enumeration<String> values = request.getHeaders(HttpHeaders.AUTHORIZATION);
        String value = values.hasMoreElements() ? values.nextElement() : "";
        if (values.hasMoreElements() || !value.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Optional.empty();
        }
        String token = value.substring(SCHEME.length()).strip();
        return token.isEmpty() || token.length() > MAX_LENGTH ? Optional.empty() : Optional.of(token);
    }
}
