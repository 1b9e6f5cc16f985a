package io.github.ratelimit.content.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Finds out who is calling, from an application password in the {@code Authorization} header.
 *
 * <p>Wrong credentials make an anonymous caller, as clients of this interface expect, and count as a guess. Whoever
 * guessed too often is answered 429, right or wrong, until the limiter's window ends.
 *
 * <p>Rule: BEHAVIOUR section 11.
 */
final class CallerFilter extends OncePerRequestFilter {
    private static final String SCHEME = "basic ";
    private static final int MOST = 1000;

    private final ApplicationPasswords passwords;
    private final GuessLimit guesses;

    CallerFilter(ApplicationPasswords passwords, GuessLimit guesses) {
        this.passwords = passwords;
        this.guesses = guesses;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<Credentials> sent = credentials(request.getHeader("Authorization"));
        if (sent.isEmpty()) {
            chain.doFilter(request, response);
            return;
        }
        Optional<Duration> wait = guesses.refused(request);
        Optional<Account> account = wait.isPresent()
                ? Optional.empty()
                : passwords.authenticate(sent.get().name(), sent.get().secret(), guesses.address(request));
        if (wait.isEmpty() && account.isEmpty()) {
            wait = guesses.failed(request);
        }
        if (wait.isPresent()) {
            response.setHeader("Retry-After", GuessLimit.seconds(wait.get()));
            response.sendError(429);
            return;
        }
        if (account.isEmpty()) {
            chain.doFilter(request, response);
            return;
        }
        Caller caller = account.get().caller();
        Callers.set(request, caller);
        chain.doFilter(new SignedRequest(request, caller), response);
    }

    private record Credentials(String name, String secret) {
        /** Does not print the secret. */
        @Override
        public String toString() {
            return "Credentials";
        }
    }

    private static Optional<Credentials> credentials(@Nullable String header) {
        if (header == null || header.length() > MOST || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Optional.empty();
        }
        try {
            byte[] pair =
                    Base64.getDecoder().decode(header.substring(SCHEME.length()).strip());
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(pair))
                    .toString();
            int colon = text.indexOf(':');
            return colon < 1
                    ? Optional.empty()
                    : Optional.of(new Credentials(text.substring(0, colon), text.substring(colon + 1)));
        } catch (IllegalArgumentException | CharacterCodingException e) {
            // No credentials in a form that anything could be checked against.
            return Optional.empty();
        }
    }

    /** Tells limiters and logs who is signed in. */
    private static final class SignedRequest extends HttpServletRequestWrapper {
        private final Caller caller;

        SignedRequest(HttpServletRequest request, Caller caller) {
            super(request);
            this.caller = caller;
        }

        @Override
        public String getRemoteUser() {
            return caller.login();
        }

        @Override
        public Principal getUserPrincipal() {
            return caller::login;
        }
    }
}
