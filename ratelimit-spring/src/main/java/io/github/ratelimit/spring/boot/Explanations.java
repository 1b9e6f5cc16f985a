package io.github.ratelimit.spring.boot;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.LimiterSpec.Rule;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Phase;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.servlet.RawPath;
import io.github.ratelimit.spring.boot.LimitedPlaces.Met;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Tells what would become of a request, and why, without taking anything.
 *
 * @param places what is limited
 */
record Explanations(Limiters<HttpCall> limiters, LimitedPlaces places, RedisKeyNames names, KeyDigests digests) {

    private static final Log LOG = LogFactory.getLog(Explanations.class);

    /**
     * What would become of a request that costs one permit of each limiter.
     *
     * @param path decoded
     * @param unlimited why no limiter is asked at all; null: some may be
     * @param allowed whether no limiter refuses it now
     * @param store why counts are not known; null: they are
     * @param limiters in the order in which they are asked
     */
    record Explanation(
            String method,
            String path,
            @Nullable String unlimited,
            boolean allowed,
            @Nullable String store,
            List<ExplainedLimiter> limiters) {}

    /**
     * A limiter that the request meets.
     *
     * @param phase when it decides
     * @param shadow it refuses nothing
     * @param decides whether it is asked
     * @param because where it limits, and why it does or does not here
     * @param rules none if it is not asked
     */
    record ExplainedLimiter(
            String limiter,
            String phase,
            boolean shadow,
            boolean decides,
            List<String> because,
            List<ExplainedRule> rules) {}

    /**
     * A rule of a limiter that is asked.
     *
     * @param reason why it applies as it does, or why not; null: it is the same for every request
     * @param permits null, as is what follows: the rule takes no part
     */
    record ExplainedRule(
            String name,
            @Nullable String reason,
            List<ExplainedPart> key,
            @Nullable Long permits,
            @Nullable String window,
            @Nullable Long remaining,
            @Nullable String resetAfter,
            @Nullable String keyDigest,
            @Nullable String redisKey) {}

    /**
     * A part of a key.
     *
     * @param part its name
     * @param value what was described; null where the part is absent, or what a bean made
     * @param digest of the part alone where a bean made it
     */
    record ExplainedPart(
            String part,
            boolean present,
            @Nullable String value,
            @Nullable String digest) {}

    /** Rules and what would be asked for them: a charge for each, or why there is none. */
    private record Asked(
            Rule<HttpCall> rule,
            @Nullable Charge charge,
            @Nullable String reason,
            List<ExplainedPart> key) {}

    Explanation of(DescribedCall call) {
        String path = call.path();
        String unlimited = unlimited(call);
        if (unlimited != null) {
            return new Explanation(
                    call.method(), path, unlimited, !RawPath.isAmbiguous(call.target()), null, List.of());
        }
        Map<String, List<Met>> met = new LinkedHashMap<>();
        places.met(call).stream()
                .sorted(Comparator.comparing(each -> each.place().phase()))
                .forEach(each -> met.computeIfAbsent(each.place().limiter(), name -> new ArrayList<>())
                        .add(each));
        Map<String, List<Asked>> asked = new LinkedHashMap<>();
        met.forEach((name, at) ->
                asked.put(name, decides(at) ? asked(limiters.get(name).spec(), call) : List.of()));
        Standings standings = standings(asked.values().stream()
                .flatMap(List::stream)
                .flatMap(each -> Stream.ofNullable(each.charge()))
                .toList());
        List<ExplainedLimiter> explained = new ArrayList<>();
        met.forEach((name, at) -> explained.add(explained(name, at, asked.getOrDefault(name, List.of()), standings)));
        boolean allowed = explained.stream()
                .filter(limiter -> !limiter.shadow())
                .flatMap(limiter -> limiter.rules().stream())
                .noneMatch(rule -> rule.remaining() != null && rule.remaining() < 1);
        return new Explanation(call.method(), path, null, allowed, standings.failure(), explained);
    }

    private @Nullable String unlimited(DescribedCall call) {
        boolean rules = places.all().stream().anyMatch(place -> place.handler() == null);
        if (rules && RawPath.isAmbiguous(call.target())) {
            return "the path can be read in more than one way, and is answered with 400 unless ratelimit.http.refuse-ambiguous-paths is false";
        }
        return places.isExcluded(call) ? "the path is never limited: " + String.join(", ", places.excluded()) : null;
    }

    private static boolean decides(List<Met> met) {
        return met.stream().anyMatch(each -> each.unlimited() == null);
    }

    private List<Asked> asked(LimiterSpec<HttpCall> spec, HttpCall call) {
        return spec.rules().stream().map(rule -> asked(spec, rule, call)).toList();
    }

    /**
     * What an application's own resolver makes of a call that nobody made is its own affair: that it fails is told. By the kind of failure
     * alone, as its message may name whose key it is about.
     */
    private Asked asked(LimiterSpec<HttpCall> spec, Rule<HttpCall> rule, HttpCall call) {
        try {
            Optional<Limit> limit = rule.limit().resolve(call);
            Optional<String> reason =
                    rule.limit() instanceof ConfiguredLimit configured ? configured.reason(call) : Optional.empty();
            if (limit.isEmpty()) {
                return new Asked(rule, null, reason.orElse("its limit does not apply to the request"), List.of());
            }
            Charge charge = new Charge(spec.name(), limit.get(), rule.key().resolve(call));
            return new Asked(rule, charge, reason.orElse(null), parts(rule, call));
        } catch (RuntimeException | LinkageError e) {
            LOG.debug(
                    "A rule of limiter '%s' cannot be told of a request that is only described".formatted(spec.name()),
                    e);
            return new Asked(
                    rule,
                    null,
                    "cannot be told of a request that is only described: "
                            + e.getClass().getName(),
                    List.of());
        }
    }

    private List<ExplainedPart> parts(Rule<HttpCall> rule, HttpCall call) {
        List<String> parts = DescribedRules.key(rule);
        List<ExplainedPart> explained = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            KeyResolver<? super HttpCall> resolver =
                    rule.key() instanceof NamedKey named ? named.each().get(i) : rule.key();
            explained.add(part(parts.get(i), resolver.resolve(call), rule.key() instanceof ClientAddress));
        }
        return explained;
    }

    private ExplainedPart part(String name, Key key, boolean isDescribed) {
        boolean shown =
                isDescribed || Stream.of(name.split("\\|")).map(String::strip).allMatch(Explanations::isDescribed);
        return new ExplainedPart(
                name,
                !key.isAbsent(),
                shown ? KeyParts.firstPresent(key).orElse(null) : null,
                shown || key.isAbsent() ? null : digests.of(key));
    }

    /** Whoever asks has said it himself. What a bean finds out he may not have known. */
    private static boolean isDescribed(String name) {
        return name.equals("client-address")
                || name.equals("user-agent")
                || name.equals("principal")
                || name.startsWith("header:")
                || name.startsWith("attribute:");
    }

    /** Where counters stand, and what Redis calls them; or why that is not known. */
    private record Standings(
            List<Charge> charges,
            List<LimitStatus> statuses,
            List<String> redisKeys,
            @Nullable String failure) {

        @Nullable
        LimitStatus of(Charge charge) {
            return statuses.isEmpty() ? null : statuses.get(charges.indexOf(charge));
        }

        @Nullable
        String redisKey(Charge charge) {
            return redisKeys.isEmpty() ? null : redisKeys.get(charges.indexOf(charge));
        }
    }

    private Standings standings(List<Charge> charges) {
        if (charges.isEmpty()) {
            return new Standings(charges, List.of(), List.of(), null);
        }
        try {
            return new Standings(charges, limiters.look(charges).statuses(), names.of(charges), null);
        } catch (StoreException e) {
            return new Standings(charges, List.of(), names.of(charges), String.valueOf(e.getMessage()));
        }
    }

    private ExplainedLimiter explained(String name, List<Met> met, List<Asked> asked, Standings standings) {
        LimiterSpec<HttpCall> spec = limiters.get(name).spec();
        Phase phase = met.stream()
                .filter(each -> each.unlimited() == null)
                .map(each -> each.place().phase())
                .min(Comparator.naturalOrder())
                .orElseGet(spec::phase);
        return new ExplainedLimiter(
                name,
                StartReport.lowerCase(phase),
                spec.shadow(),
                decides(met),
                met.stream().map(Explanations::because).toList(),
                asked.stream().map(each -> explained(each, standings)).toList());
    }

    private static String because(Met met) {
        return StartReport.where(met.place()) + (met.unlimited() == null ? "" : ": no, " + met.unlimited());
    }

    private ExplainedRule explained(Asked asked, Standings standings) {
        Charge charge = asked.charge();
        if (charge == null) {
            return new ExplainedRule(
                    nameOf(asked.rule()), asked.reason(), List.of(), null, null, null, null, null, null);
        }
        LimitStatus status = standings.of(charge);
        return new ExplainedRule(
                charge.limit().name(),
                asked.reason(),
                asked.key(),
                charge.limit().permits(),
                charge.limit().window().toString(),
                status == null ? null : status.remaining(),
                status == null ? null : status.resetAfter().toString(),
                digests.of(charge.key()),
                standings.redisKey(charge));
    }

    private static String nameOf(Rule<HttpCall> rule) {
        return rule.limit().known().stream().findFirst().map(Limit::name).orElse("by request");
    }
}
