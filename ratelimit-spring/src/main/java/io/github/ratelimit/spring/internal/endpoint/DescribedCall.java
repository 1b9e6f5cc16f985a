package io.github.ratelimit.spring.internal.endpoint;

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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A call that an operator describes, with the parts that keys, plans and conditions read.
 *
 * @param remoteAddress the peer's; empty: not known
 * @param signedIn null: nobody
 * @param roles of who is signed in
 */
public record DescribedCall(
        String remoteAddress,
        @Nullable String signedIn,
        Collection<String> roles,
        Map<String, List<String>> headers,
        Map<String, List<String>> attributes)
        implements HttpCall {

    private static final Pattern ADDRESS = Pattern.compile("[0-9a-fA-F:.\\[\\]%]*[.:][0-9a-fA-F:.\\[\\]%]*");

    /**
     * What is asked about; headers and attributes as {@code name:value}. Repeatable members are lists.
     *
     * @throws IllegalArgumentException if the address is none
     */
    public static DescribedCall of(
            @Nullable String address,
            @Nullable String user,
            @Nullable Object roles,
            @Nullable Object headers,
            @Nullable Object attributes) {
        if (address != null && !ADDRESS.matcher(address).matches()) {
            throw new IllegalArgumentException(
                    "address must be an IP address, such as 192.0.2.1 or 2001:db8::1, was '%s'".formatted(address));
        }
        return new DescribedCall(
                address == null ? "" : address, user, several(roles), parse(headers), parse(attributes));
    }

    /** What was given once, several times, or not at all. */
    public static List<String> several(@Nullable Object given) {
        Collection<?> all = given instanceof Collection<?> many ? many : given == null ? List.of() : List.of(given);
        return all.stream().map(String::valueOf).toList();
    }

    private static Map<String, List<String>> parse(@Nullable Object pairs) {
        Map<String, List<String>> parsed = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String pair : several(pairs)) {
            String[] parts = pair.split(":", 2);
            parsed.computeIfAbsent(parts[0].strip(), name -> new ArrayList<>())
                    .add(parts.length == 1 ? "" : parts[1].strip());
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

    /** Described forwarding fields count if the described address is a trusted proxy's. */
    @Override
    public Origin origin() {
        return Origin.of(remoteAddress, path(), this::headers);
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
