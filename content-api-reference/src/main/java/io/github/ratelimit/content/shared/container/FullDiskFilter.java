package io.github.ratelimit.content.shared.container;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses what may be stored while the disk is full: a database that finds no room closes itself, and serves nobody until the
 * next start.
 *
 * <p>Inside {@link BoundsFilter}, which answers, and behind what sets the header fields of every answer: a page elsewhere could
 * not read the refusal without them.
 */
final class FullDiskFilter extends OncePerRequestFilter {
    /** What stores nothing, or makes room. */
    private static final Set<String> TAKING_NO_ROOM = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "DELETE");

    private final BooleanSupplier isDiskFull;

    FullDiskFilter(BooleanSupplier isDiskFull) {
        this.isDiskFull = isDiskFull;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest http, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (mayTakeRoom(http) && isDiskFull.getAsBoolean()) {
            throw UnavailableException.busy("The disk of this server is full.");
        }
        chain.doFilter(http, response);
    }

    private static boolean mayTakeRoom(HttpServletRequest http) {
        return !TAKING_NO_ROOM.contains(http.getMethod())
                || (http.getMethod().equals("DELETE") && asksToBeAnother(http));
    }

    /** A deletion that asks to be something else may be anything. */
    private static boolean asksToBeAnother(HttpServletRequest http) {
        String query = Objects.requireNonNullElse(http.getQueryString(), "");
        try {
            return http.getHeader("X-HTTP-Method-Override") != null
                    || URLDecoder.decode(query, StandardCharsets.UTF_8).contains("method");
        } catch (IllegalArgumentException unreadable) {
            return true;
        }
    }
}
