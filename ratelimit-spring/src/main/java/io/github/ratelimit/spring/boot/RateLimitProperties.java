package io.github.ratelimit.spring.boot;

import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.Phase;
import io.github.ratelimit.http.FieldStyle;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * The properties of the library.
 *
 * @param enabled Whether anything is limited.
 * @param store Where counts are kept.
 * @param inProcess The store in this process' memory, and the one that stands in while Redis does not answer.
 * @param redis The shared store on Redis.
 * @param http What holds for limiters over HTTP.
 * @param limiters Limiters by name: each has rules (name, permits or plans and plan-by, window, key, skip-if), on-store-failure, shadow and phase.
 * @param onStoreFailure What limiters do when their store does not answer.
 * @param endpoint What Actuator's endpoint may do.
 * @param diagnostics What is said of how limits are set up.
 * @param live The page that shows limiters at work.
 */
@ConfigurationProperties(prefix = "ratelimit", ignoreUnknownFields = false)
record RateLimitProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("in-process") StoreKind store,
        @DefaultValue InProcess inProcess,
        @DefaultValue Redis redis,
        @DefaultValue Http http,
        @DefaultValue Map<String, LimiterProperties> limiters,
        @DefaultValue("local") OnStoreFailure onStoreFailure,
        @DefaultValue Endpoint endpoint,
        @DefaultValue DiagnosticsProperties diagnostics,
        @DefaultValue Live live) {

    /**
     * What Actuator's endpoint may do.
     *
     * @param changes Whether permits and shadow of a limiter can be changed until the next start. Needs
     *     management.endpoint.ratelimits.access=unrestricted as well.
     */
    record Endpoint(@DefaultValue("false") boolean changes) {}

    /**
     * What is said of how limits are set up.
     *
     * @param ignore Codes of diagnostics that are neither warned of nor counted, for example RL-009.
     */
    record DiagnosticsProperties(@DefaultValue List<String> ignore) {}

    /**
     * The page that shows limiters at work.
     *
     * @param enabled Whether there is one. Let only those see it who operate the application: the library asks nobody who they are.
     * @param path Where it is, below the application's root.
     */
    record Live(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("/ratelimits/live") String path) {}

    /** Where counts are kept. */
    enum StoreKind {

        /** In this process' memory: each process counts for itself. */
        IN_PROCESS,

        /** On Redis: all processes count together. */
        REDIS
    }

    /**
     * The store in this process' memory, and the one that stands in while Redis does not answer.
     *
     * @param maximumCounters How many counters there may be, for all limiters together, 1024 to 67108864; 32 bytes each. The default is what
     *     64 MiB hold. Memory is taken as it is needed.
     * @param whenFull What happens to a fresh key where all counters that could make room for it are in use.
     */
    record InProcess(
            @DefaultValue("2097152") int maximumCounters,
            @DefaultValue("forget") InProcessStore.WhenFull whenFull) {}

    /**
     * The shared store on Redis.
     *
     * @param uri Address of Redis: single, Sentinel (redis-sentinel://) or, with several addresses between commas, Cluster. If not set,
     *     the application's own connection to Redis, or else redis://localhost:6379.
     * @param topology How the servers at the given addresses belong together.
     * @param timeout Longest that a decision may wait for Redis, connecting and queueing included.
     * @param rememberRefusals How long a refusal is answered without asking Redis, at most until its window ends; 0 never. A refund or a reset
     *     on another node is seen within that time.
     * @param keyPrefix What every key in Redis begins with.
     * @param secret Key of the digests that counters are named by, in Base64, 16 bytes or more, the same on all nodes. Without one, who can
     *     read Redis can find out whether an address that he guesses has a counter.
     * @param maximumPending How many requests may wait for Redis at one moment before further ones fail at once, 1 or more.
     * @param maximumKnownCounters How many counters of used-up limits are remembered, 0 or more; some 300 bytes each. 0 asks Redis for every
     *     refusal.
     * @param localShare Share of each limit that this node grants while Redis does not answer and an in-process store stands in: more than 0 and
     *     at most 1, a number such as 0.25 or a fraction such as 1/4 for each of four nodes. Rounded down; a limit keeps at least one permit.
     * @param startTimeout Longest that a start waits for the first answer of Redis before requests are accepted; 0 does not wait. After
     *     that, the application starts without it.
     */
    record Redis(
            @Nullable String uri,
            @DefaultValue("auto") Topology topology,
            @DefaultValue("100ms") Duration timeout,
            @DefaultValue("1s") Duration rememberRefusals,
            @DefaultValue("rl:1:") String keyPrefix,
            @Nullable String secret,
            @DefaultValue("16384") int maximumPending,
            @DefaultValue("100000") int maximumKnownCounters,
            @DefaultValue("1") String localShare,
            @DefaultValue("2s") Duration startTimeout) {}

    /** How Redis servers belong together; as the store has it, which need not be there. */
    enum Topology {

        /** What the addresses say. */
        AUTO,

        /** One server. */
        SINGLE,

        /** A master that Sentinel names. */
        SENTINEL,

        /** A Cluster, also where only one of its addresses is given. */
        CLUSTER,

        /** A master and its replicas, with all of their addresses. */
        MASTER_REPLICA
    }

    /**
     * What holds for limiters over HTTP.
     *
     * @param trustedProxies Address ranges whose forwarding header fields are believed, for example 10.0.0.0/8.
     * @param ipv6Prefix How many bits of an IPv6 address are one client, 32 to 128.
     * @param fields Which header fields tell a client where it stands.
     * @param paths Limits on paths, whatever serves them: each has a pattern, methods, a limiter and exclude.
     * @param exclude Paths that are never limited, neither by path nor by annotation. If not set, Actuator's health probes, where they are
     *     served beside the application; a list of your own stands instead of them.
     * @param refuseAmbiguousPaths Whether a path that can be read in more than one way is answered with 400 as soon as there are limits on
     *     paths.
     * @param filterOrder Where the filter of limiters that decide before authentication stands among filters. The default is before Spring
     *     Security (-100), so that requests without valid credentials are counted too.
     * @param afterAuthenticationFilterOrder Where the filter of limiters that decide after authentication stands among filters. The default
     *     is behind Spring Security (-100).
     * @param interceptorOrder Where the interceptor stands among interceptors. The default is behind those of the application.
     */
    record Http(
            @DefaultValue List<String> trustedProxies,
            @DefaultValue("64") int ipv6Prefix,
            @DefaultValue("legacy") FieldStyle fields,
            @DefaultValue List<PathProperties> paths,
            @Nullable List<String> exclude,
            @DefaultValue("true") boolean refuseAmbiguousPaths,
            @DefaultValue("-110") int filterOrder,
            @DefaultValue("-90") int afterAuthenticationFilterOrder,
            @DefaultValue("2147483647") int interceptorOrder) {}

    /**
     * A limit on paths.
     *
     * @param pattern Pattern of the path below the application's root, for example /v1/cms/**.
     * @param methods Methods that it holds for; all if not set.
     * @param limiter Name of the limiter.
     * @param exclude Patterns of paths that this limit does not hold for.
     */
    record PathProperties(
            @Nullable String pattern,
            @DefaultValue Set<String> methods,
            @Nullable String limiter,
            @DefaultValue List<String> exclude) {}

    /**
     * A limiter.
     *
     * @param rules What it limits; a request needs the permits of every rule.
     * @param onStoreFailure What it does when its store does not answer.
     * @param shadow Whether it is only counted and metered: then it refuses nothing and writes no header field.
     * @param phase When it decides about paths: before authentication or after it. If not set: after, if a key, a plan or a
     *     role needs it, else before.
     */
    record LimiterProperties(
            @DefaultValue List<RuleProperties> rules,
            @Nullable OnStoreFailure onStoreFailure,
            @DefaultValue("false") boolean shadow,
            @Nullable Phase phase) {}

    /**
     * A rule of a limiter.
     *
     * @param name Name of the limit; the limiter's own where there is only one rule.
     * @param permits How many permits a window grants; or else plans.
     * @param plans Permits by the caller's plan, instead of permits. Who has none of these plans has the smallest.
     * @param planBy Names the caller's plan, in the form of a key, for example attribute:plan, or a KeyResolver bean.
     * @param window Period that is counted over; a number without a unit is in seconds.
     * @param key Parts of the key that requests are counted by: client-address, user-agent, principal, header:<Name>, attribute:<name>, or a
     *     KeyResolver bean.
     * @param skipIf Requests that the rule does not apply to: role:<ROLE> of who is signed in, an address range such as 10.0.0.0/8 that holds
     *     the client's address, or a Predicate bean. One that holds is enough.
     */
    record RuleProperties(
            @Nullable String name,
            @Nullable Long permits,
            @Nullable Map<String, Long> plans,
            @Nullable String planBy,
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration window,
            @DefaultValue("client-address") List<String> key,
            @DefaultValue List<String> skipIf) {}
}
