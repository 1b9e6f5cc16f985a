package io.github.ratelimit.content.shared.container;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses what may be stored while the disk is full: a database that finds no room closes itself, and serves nobody until
 * it is opened again.
 *
 * <p>Inside {@link BoundsFilter}, which answers, and behind what sets the header fields of every answer: a page elsewhere could
 * not read the refusal without them.
 */
final class FullDiskFilter extends OncePerRequestFilter {
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    private final BooleanSupplier isDiskFull;
    private final MeantMethod meant;

    FullDiskFilter(BooleanSupplier isDiskFull, MeantMethod meant) {
        this.isDiskFull = isDiskFull;
        this.meant = meant;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest http, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!READING.contains(http.getMethod()) && isDiskFull.getAsBoolean() && mayTakeRoom(meant.of(http))) {
            throw UnavailableException.busy("The disk of this server is full.");
        }
        chain.doFilter(http, response);
    }

    /** Clients that cannot send a deletion ask for one by POST, and one that asks to be another is none. */
    private static boolean mayTakeRoom(String method) {
        return !READING.contains(method) && !method.equals("DELETE");
    }
}
