package io.github.ratelimit.content.widget.api;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Enumeration;
import java.util.Optional;
import org.springframework.http.HttpHeaders;

/** Reads {@code Authorization: Bearer <token>}. */
public final class BearerToken {

    private static final String SCHEME = "Bearer ";
    // Chosen: several times what this server hands out; longer ones are not worth hashing.
    private static final int MAX_LENGTH = 4096;

    private BearerToken() {}

    /**
     * Reads the token of a request. The scheme's case does not matter (RFC 9110 §11.1).
     *
     * @param request the request
     * @return the token; empty where there is none, where there are several, or where it is absurdly long
     */
    public static Optional<String> of(HttpServletRequest request) {
        Enumeration<String> values = request.getHeaders(HttpHeaders.AUTHORIZATION);
        if (!values.hasMoreElements()) {
            return Optional.empty();
        }
        String value = values.nextElement();
        // Two credentials are two callers: whichever were taken, another reader might take the other.
        if (values.hasMoreElements() || !value.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Optional.empty();
        }
        String token = value.substring(SCHEME.length()).strip();
        return token.isEmpty() || token.length() > MAX_LENGTH ? Optional.empty() : Optional.of(token);
    }
}
