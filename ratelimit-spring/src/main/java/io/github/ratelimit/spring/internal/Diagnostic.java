package io.github.ratelimit.spring.internal;

import io.github.ratelimit.internal.Manual;
import java.util.Locale;

/**
 * A mistake in the configuration of limits, by a number that never changes. {@code docs/troubleshooting.md} has a section for each, with
 * the remedy.
 */
public enum Diagnostic {

    /** RL-001: a path rule matches no handler. */
    PATH_MATCHES_NOTHING(1),
    /** RL-002: a path rule names an unknown method. Stops the startup. */
    UNKNOWN_METHOD(2),
    /** RL-004: an annotation is on a controller's method without a mapping. */
    ANNOTATED_HELPER(4),
    /** RL-005: an annotation or a setting has no effect. */
    UNREAD_ANNOTATION(5),
    /** RL-007: forwarding fields come from an untrusted peer. */
    UNTRUSTED_FORWARDING(7),
    /** RL-008: all addresses are trusted proxies. Stops the startup. */
    EVERYBODY_TRUSTED(8),
    /** RL-010: a limiter counts by the user, or a bean asks for the user, before authentication. */
    PRINCIPAL_TOO_EARLY(10),
    /** RL-011: one filter handles a request twice. */
    FILTER_TWICE(11),
    /** RL-012: Redis may evict counters. */
    REDIS_EVICTS(12),
    /** RL-014: a rejection does not reach the client as one. */
    REJECTION_SWALLOWED(14),
    /** RL-016: an unknown limiter. Stops the startup. */
    UNKNOWN_LIMITER(16),
    /** RL-017: path rules without effect, because the application has a filter bean. */
    PATHS_REPLACED(17),
    /** RL-018: the server trusts forwarding fields of all clients. */
    PEER_REWRITTEN(18),
    /** RL-019: Redis is too old, or one node of a Cluster with a single address. */
    REDIS_UNSUITABLE(19),
    /** RL-020: a request has a plan that its rule does not know. */
    UNKNOWN_PLAN(20),
    /** RL-021: the version of Reactor Netty stops reading connections. */
    SERVER_STOPS_READING(21),
    /** RL-022: a limiter counts by the user, and the user of a request has no name. */
    USER_WITHOUT_NAME(22),
    /** RL-023: a limiter that guards something grants its limit on each node during an outage, by default. */
    GUARD_OPENS(23);

    private final String code;

    Diagnostic(int number) {
        this.code = String.format(Locale.ROOT, "RL-%03d", number);
    }

    /** {@code RL-001}. */
    public String code() {
        return code;
    }

    /** The address of its section in the manual of this version. */
    public String page() {
        return Manual.page("docs/troubleshooting.md#" + code.toLowerCase(Locale.ROOT));
    }
}
