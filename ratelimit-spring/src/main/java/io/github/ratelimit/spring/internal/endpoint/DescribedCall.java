package io.github.ratelimit.spring.internal.endpoint;

import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpDecisions;
import io.github.ratelimit.http.Origin;
import java.security.Principal;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A call that an operator describes, with the parts that keys, plans and conditions read.
 *
 * @param parts each with its kind, such as {@code address:203.0.113.7} or {@code header:User-Agent:agent/1}
 */
public record DescribedCall(List<String> parts) implements HttpCall {

    private static final Pattern PART = Pattern.compile("(?s)(address|user|role|path):.*|(header|attribute):[^:]+:.*");

    private static final Pattern ADDRESS = Pattern.compile("[0-9a-fA-F:.\\[\\]%]*[.:][0-9a-fA-F:.\\[\\]%]*");

    /**
     * What is asked about: a part, or a collection of parts, or none.
     *
     * @throws IllegalArgumentException if a part is none, or the address is none
     */
    public static DescribedCall of(@Nullable Object client) {
        Collection<?> all = client instanceof Collection<?> many ? many : client == null ? List.of() : List.of(client);
        DescribedCall call = new DescribedCall(all.stream().map(String::valueOf).toList());
        call.parts.stream()
                .filter(part -> !PART.matcher(part).matches())
                .findFirst()
                .ifPresent(part -> {
                    throw new IllegalArgumentException(
                            "client must be address:192.0.2.1, user:<name>, role:<ROLE>, header:<Name>:<value>, attribute:<name>:<value> or path:<path>, was '%s'"
                                    .formatted(part));
                });
        call.all("address")
                .filter(address -> !ADDRESS.matcher(address).matches())
                .findFirst()
                .ifPresent(address -> {
                    throw new IllegalArgumentException(
                            "address must be an IP address, such as 192.0.2.1 or 2001:db8::1, was '%s'"
                                    .formatted(address));
                });
        return call;
    }

    /** The values of the parts of a kind; letter case counts in values alone. */
    private Stream<String> all(String kind) {
        String start = kind + ":";
        return parts.stream()
                .filter(part -> part.regionMatches(true, 0, start, 0, start.length()))
                .map(part -> part.substring(start.length()).strip());
    }

    private Optional<String> first(String kind) {
        return all(kind).findFirst();
    }

    @Override
    public String method() {
        return "GET";
    }

    @Override
    public String path() {
        return first("path").orElse("/");
    }

    @Override
    public List<String> headers(String name) {
        return all("header:" + name).toList();
    }

    /** Described forwarding fields count if the described address is a trusted proxy's. */
    @Override
    public Origin origin() {
        return Origin.of(first("address").orElse(""), path(), this::headers);
    }

    @Override
    public Optional<Principal> principal() {
        return first("user").map(name -> () -> name);
    }

    @Override
    public boolean hasRole(String role) {
        return all("role").anyMatch(role::equals);
    }

    @Override
    public Optional<String> attribute(String name) {
        return first("attribute:" + name);
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
