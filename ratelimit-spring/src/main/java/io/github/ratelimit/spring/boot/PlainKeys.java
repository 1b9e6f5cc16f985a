package io.github.ratelimit.spring.boot;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Rule;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpKeys;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * Finds a client's counters: by a call that is described, or by the plain parts of its key.
 *
 * <p>Parts are given in the order in which the limiter's rules name them first, each once: for rules that count by {@code client-address,
 * user-agent} and by {@code client-address}, an address and an agent. {@value #ABSENT} is a part that a request does not have; in a part of
 * the form {@code a | b | c}, the value of b follows an absent a.
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
            rule.limit(call)
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
        List<String> names = spec.rules().stream()
                .flatMap(rule -> parts(spec, rule).stream())
                .distinct()
                .toList();
        Deque<String> rest = new ArrayDeque<>(values);
        Map<String, Key> byName = new HashMap<>();
        try {
            names.forEach(name -> byName.put(name, part(name, rest)));
        } catch (NoSuchElementException tooFew) {
            throw wrongNumber(spec, names);
        }
        if (!rest.isEmpty()) {
            throw wrongNumber(spec, names);
        }
        List<Charge> charges = new ArrayList<>();
        for (Rule<HttpCall> rule : spec.rules()) {
            Key key =
                    parts(spec, rule).stream().map(byName::get).reduce(Key::and).orElseThrow();
            Limit limit = rule.limit(call).orElse(rule.limits().get(0));
            charges.add(new Charge(spec.name(), limit, key));
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

    private static IllegalArgumentException wrongNumber(LimiterSpec<HttpCall> spec, List<String> names) {
        return new IllegalArgumentException(
                "limiter '%s' counts by %s: give key=<value> once for each, in this order; - is what a request does not have"
                        .formatted(spec.name(), String.join(", ", names)));
    }

    /** As KeyResolver.orElse does: behind the absent parts. */
    private Key part(String part, Deque<String> rest) {
        List<Key> keys = new ArrayList<>();
        for (String alternative : part.split("\\|", -1)) {
            String value = rest.remove();
            keys.add(value.equals(ABSENT) ? Key.absent() : present(alternative.strip(), value));
            if (!value.equals(ABSENT)) {
                break;
            }
        }
        return keys.stream().reduce(Key::and).orElseThrow();
    }

    /** As a request would have it: of an address its network, of a long field its beginning. What a bean makes of a request is given as it is. */
    private Key present(String name, String value) {
        List<String> any = List.of(value);
        HttpCall call = new DescribedCall(value, null, Map.of("any", any), Map.of("any", any));
        if (name.equals("client-address")) {
            Key network = clientAddress.resolve(call);
            if (network.isAbsent()) {
                throw new IllegalArgumentException(
                        "client-address must be an address, such as 203.0.113.7 or 2001:db8::1, or - for none, was '%s'"
                                .formatted(value));
            }
            return network;
        }
        if (name.equals("user-agent") || name.startsWith("header:")) {
            return HttpKeys.header("any").resolve(call);
        }
        boolean isAttribute = name.equals("principal") || name.startsWith("attribute:");
        return isAttribute ? HttpKeys.attribute("any").resolve(call) : Key.of(value);
    }
}
