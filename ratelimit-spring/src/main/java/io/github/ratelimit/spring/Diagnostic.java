package io.github.ratelimit.spring;

import java.util.Locale;

/**
 * A mistake in the configuration of limits, by a number that never changes. {@code docs/troubleshooting.md} has a section for each, with
 * the remedy.
 */
public enum Diagnostic {

    /** RL-001: a path rule matches nothing that is served. */
    PATH_MATCHES_NOTHING(1),
    /** RL-002: a path rule names a method that nobody sends. Stops the start. */
    UNKNOWN_METHOD(2),
    /** RL-004: an annotation stands on a controller's method that no request is mapped to. */
    ANNOTATED_HELPER(4),
    /** RL-005: an annotation stands where nobody asks what it says. */
    UNREAD_ANNOTATION(5),
    /** RL-007: forwarding fields come from a peer that is not trusted. */
    UNTRUSTED_FORWARDING(7),
    /** RL-008: every address is trusted as a proxy. Stops the start. */
    EVERYBODY_TRUSTED(8),
    /** RL-010: it is counted by who is signed in before that is known. */
    PRINCIPAL_TOO_EARLY(10),
    /** RL-011: one filter meets a request twice. */
    FILTER_TWICE(11),
    /** RL-012: Redis may evict counters. */
    REDIS_EVICTS(12),
    /** RL-013: another application counts under the same prefix by other limits. */
    OTHER_LIMITS_ON_PREFIX(13),
    /** RL-014: a refusal does not reach the client as one. */
    REFUSAL_SWALLOWED(14),
    /** RL-016: a limiter is named that nothing describes. Stops the start. */
    UNKNOWN_LIMITER(16),
    /** RL-017: path rules that a filter of the application's own stands in for. */
    PATHS_REPLACED(17),
    /** RL-018: the server believes forwarding fields of anybody. */
    PEER_REWRITTEN(18),
    /** RL-019: Redis is too old, or one node of a Cluster that is used as if it were all of it. */
    REDIS_UNSUITABLE(19);

    private final String code;

    Diagnostic(int number) {
        this.code = String.format(Locale.ROOT, "RL-%03d", number);
    }

    /** {@code RL-001}. */
    public String code() {
        return code;
    }

    /** Where the section is. */
    public String page() {
        return "docs/troubleshooting.md#" + code.toLowerCase(Locale.ROOT);
    }
}
