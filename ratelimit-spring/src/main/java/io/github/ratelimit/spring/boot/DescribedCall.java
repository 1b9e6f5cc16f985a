package io.github.ratelimit.spring.boot;

import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpDecisions;
import io.github.ratelimit.http.Origin;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * A call that nobody made, described as far as limiters ask.
 *
 * @param target the path below the application's root, as it stands in a request line
 * @param remoteAddress the peer's; empty: not known
 * @param signedIn null: nobody
 * @param roles of who is signed in
 */
record DescribedCall(
        String method,
        String target,
        String remoteAddress,
        @Nullable String signedIn,
        List<String> roles,
        Map<String, List<String>> headers,
        Map<String, List<String>> attributes)
        implements HttpCall {

    /** One of which keys alone matter. */
    DescribedCall(
            String remoteAddress,
            @Nullable String signedIn,
            Map<String, List<String>> headers,
            Map<String, List<String>> attributes) {
        this("GET", "/", remoteAddress, signedIn, List.of(), headers, attributes);
    }

    /** One of which nothing but its target is known. */
    static DescribedCall of(String method, String target) {
        return new DescribedCall(method, target, "", null, List.of(), Map.of(), Map.of());
    }

    /** What was given once, several times, in several lines of one text, or not at all. */
    static List<String> several(@Nullable Object given) {
        Collection<?> all = given instanceof Collection<?> many ? many : given == null ? List.of() : List.of(given);
        return all.stream()
                .flatMap(each -> String.valueOf(each).lines())
                .filter(line -> !line.isBlank())
                .toList();
    }

    /**
     * Reads {@code name:value}; names in any case.
     *
     * @param pairs see {@link #several}
     */
    static Map<String, List<String>> parse(@Nullable Object pairs) {
        Map<String, List<String>> parsed = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String pair : several(pairs)) {
            int colon = pair.indexOf(':');
            String name = colon < 0 ? pair : pair.substring(0, colon);
            parsed.computeIfAbsent(name.strip(), key -> new ArrayList<>())
                    .add(colon < 0 ? "" : pair.substring(colon + 1).strip());
        }
        return parsed;
    }

    /** @throws IllegalArgumentException if the target has an escape that is none */
    @Override
    public String path() {
        return StringUtils.uriDecode(target, StandardCharsets.UTF_8);
    }

    @Override
    public List<String> headers(String name) {
        return headers.getOrDefault(name, List.of());
    }

    /** Forwarding fields that are described as any other field are looked at where the described address is a trusted proxy's. */
    @Override
    public Origin origin() {
        return Origin.of(remoteAddress, target, this::headers);
    }

    @Override
    public Optional<Principal> principal() {
        return Optional.ofNullable(signedIn).map(name -> () -> name);
    }

    @Override
    public boolean hasRole(String role) {
        return roles.contains(role);
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
