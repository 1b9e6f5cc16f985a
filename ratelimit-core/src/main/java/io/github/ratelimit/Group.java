package io.github.ratelimit;

import java.util.List;

/**
 * Limiters that decide together about one request, with their charges.
 *
 * <p>Made once for each request, on the caller's thread: each spec is read once and each key is resolved once, even if the caller waits.
 *
 * @param limiters those with at least one charge
 * @param shadow whether they only count and report
 */
record Group(List<? extends LimiterSpec<?>> limiters, List<Charge> charges, boolean shadow) {}
