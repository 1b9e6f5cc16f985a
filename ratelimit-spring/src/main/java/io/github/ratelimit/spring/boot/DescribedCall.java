package io.github.ratelimit.spring.boot;

import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpDecisions;
import io.github.ratelimit.http.Origin;
import java.security.Principal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A call that nobody made, described as far as keys ask. */
record DescribedCall(
        String remoteAddress,
        @Nullable String signedIn,
        Map<String, List<String>> headers,
        Map<String, List<String>> attributes)
        implements HttpCall {

    /**
     * Reads {@code name:value}; names in any case.
     *
     * @param pairs one, a collection of them, or null
     */
    static Map<String, List<String>> parse(@Nullable Object pairs) {
        Collection<?> all =
                pairs instanceof Collection<?> several ? several : pairs == null ? List.of() : List.of(pairs);
        Map<String, List<String>> parsed = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (Object each : all) {
            String pair = String.valueOf(each);
            int colon = pair.indexOf(':');
            String name = colon < 0 ? pair : pair.substring(0, colon);
            parsed.computeIfAbsent(name.strip(), key -> new ArrayList<>())
                    .add(colon < 0 ? "" : pair.substring(colon + 1).strip());
        }
        return parsed;
    }

    @Override
    public String method() {
        return "GET";
    }

    @Override
    public String path() {
        return "/";
    }

    @Override
    public List<String> headers(String name) {
        return headers.getOrDefault(name, List.of());
    }

    /** Forwarding fields that are described as any other field are looked at where the described address is a trusted proxy's. */
    @Override
    public Origin origin() {
        return Origin.of(remoteAddress, "/", this::headers);
    }

    @Override
    public Optional<Principal> principal() {
        return Optional.ofNullable(signedIn).map(name -> () -> name);
    }

    @Override
    public Optional<String> attribute(String name) {
        return attributes.getOrDefault(name, List.of()).stream().findFirst();
    }

    @Override
    public <T> Optional<T> request(Class<T> type) {
        return Optional.empty();
    }

    @Override
    public HttpDecisions decisions() {
        return new HttpDecisions();
    }
}
