package io.github.ratelimit.spring.boot;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.LimiterSpec.Rule;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpKeys;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds a client's counters: by a call that is described, or by the plain parts of its key.
 *
 * <p>Parts are given in the order in which the limiter's rules name them first, each once: for rules that count by {@code client-address,
 * user-agent} and by {@code client-address}, an address and an agent. {@value #ABSENT} is a part that a request does not have; in a part of
 * the form {@code a | b}, the value of b follows it.
 */
final class PlainKeys {

    static final String ABSENT = "-";

    private final ClientAddress clientAddress;

    PlainKeys(ClientAddress clientAddress) {
        this.clientAddress = clientAddress;
    }

    /** The counters that a call is counted by; none of a rule that does not apply to it. */
    static List<Charge> ofCall(LimiterSpec<HttpCall> spec, HttpCall call) {
        List<Charge> charges = new ArrayList<>();
        for (Rule<HttpCall> rule : spec.rules()) {
            rule.limit()
                    .resolve(call)
                    .ifPresent(limit -> charges.add(
                            new Charge(spec.name(), limit, rule.key().resolve(call))));
        }
        return charges;
    }

    /**
     * The counters of a key.
     *
     * @param call says which plan applies, where that matters; a counter is the same one in every plan
     * @throws IllegalArgumentException if the parts do not fit the rules; names those of the rules
     */
    List<Charge> ofParts(LimiterSpec<HttpCall> spec, List<String> values, HttpCall call) {
        Set<String> names = new LinkedHashSet<>();
        for (Rule<HttpCall> rule : spec.rules()) {
            names.addAll(parts(spec, rule));
        }
        Deque<String> rest = new ArrayDeque<>(values);
        Map<String, Key> byName = new LinkedHashMap<>();
        for (String name : names) {
            byName.put(name, part(name, rest, spec, names));
        }
        if (!rest.isEmpty()) {
            throw wrongNumber(spec, names);
        }
        List<Charge> charges = new ArrayList<>();
        for (Rule<HttpCall> rule : spec.rules()) {
            Key key =
                    parts(spec, rule).stream().map(byName::get).reduce(Key::and).orElseThrow();
            limit(rule, call).ifPresent(limit -> charges.add(new Charge(spec.name(), limit, key)));
        }
        return charges;
    }

    private static List<String> parts(LimiterSpec<HttpCall> spec, Rule<HttpCall> rule) {
        if (rule.key() instanceof NamedKey named) {
            return named.parts();
        }
        throw new IllegalArgumentException(
                "limiter '%s' counts by a key whose parts have no names; describe a call instead, by address, user, header and attribute"
                        .formatted(spec.name()));
    }

    private static Optional<Limit> limit(Rule<HttpCall> rule, HttpCall call) {
        Optional<Limit> applies = rule.limit().resolve(call);
        return applies.isPresent() ? applies : rule.limit().known().stream().findFirst();
    }

    private Key part(String part, Deque<String> rest, LimiterSpec<HttpCall> spec, Set<String> names) {
        String[] alternatives = part.split("\\|", -1);
        Key first = value(alternatives[0].strip(), rest, spec, names);
        if (alternatives.length == 1 || !first.isAbsent()) {
            return first;
        }
        // As KeyResolver.orElse does: what stands in is behind an absent part, whichever alternative it is.
        return first.and(value(alternatives[1].strip(), rest, spec, names));
    }

    private Key value(String name, Deque<String> rest, LimiterSpec<HttpCall> spec, Set<String> names) {
        String value = rest.poll();
        if (value == null) {
            throw wrongNumber(spec, names);
        }
        if (value.equals(ABSENT)) {
            return Key.absent();
        }
        Key key = plain(name, value);
        if (key.isAbsent() && name.equals("client-address")) {
            throw new IllegalArgumentException(
                    "limiter '%s': client-address must be an address, such as 203.0.113.7 or 2001:db8::1, or - for none"
                            .formatted(spec.name()));
        }
        return key;
    }

    /** As a request would have it: of an address its network, of a long field its beginning. What a bean makes of a request is given as it is. */
    private Key plain(String name, String value) {
        KeyResolver<HttpCall> resolver;
        if (name.equals("client-address")) {
            resolver = clientAddress;
        } else if (name.equals("user-agent") || name.startsWith("header:")) {
            resolver = HttpKeys.header("any");
        } else if (name.equals("principal") || name.startsWith("attribute:")) {
            resolver = HttpKeys.attribute("any");
        } else {
            return Key.of(value);
        }
        List<String> any = List.of(value);
        return resolver.resolve(new DescribedCall(value, null, Map.of("any", any), Map.of("any", any)));
    }

    private static IllegalArgumentException wrongNumber(LimiterSpec<HttpCall> spec, Set<String> names) {
        return new IllegalArgumentException(
                "limiter '%s' counts by %s: give key=<value> once for each, in this order; - is what a request does not have"
                        .formatted(spec.name(), String.join(", ", names)));
    }
}
