package io.github.ratelimit.http;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Key resolvers for HTTP calls. Each is safe for concurrent use; what a call lacks is an absent part. */
public final class HttpKeys {

    /** Chosen: longer than the user agent of any browser. Longer values share the key of their beginning. */
    private static final int LONGEST_VALUE = 512;

    private HttpKeys() {}

    /** The peer's address; see {@link ClientAddress} for servers behind a proxy. */
    public static KeyResolver<HttpCall> clientAddress() {
        return ClientAddress.ofPeer();
    }

    /** The {@code User-Agent}. The client chooses it freely: use it only beside a part that it cannot choose. */
    public static KeyResolver<HttpCall> userAgent() {
        return header("User-Agent");
    }

    /**
     * The first 512 characters of a header field, its lines joined by commas; absent if there is none or it is blank.
     *
     * @param name in any case
     */
    public static KeyResolver<HttpCall> header(String name) {
        return call -> {
            List<String> lines = call.headers(name);
            String value = lines.size() == 1 ? lines.get(0) : String.join(",", lines);
            return present(Optional.of(value.strip()).filter(text -> !text.isEmpty()));
        };
    }

    /** The name of the authenticated user. Available only after authentication. */
    public static KeyResolver<HttpCall> principal() {
        KeyResolver<HttpCall> name = call -> present(call.principal().map(Principal::getName));
        return name.afterAuthentication();
    }

    /** A text that the application attached to the request, for example the id of a verified token. Available only after authentication. */
    public static KeyResolver<HttpCall> attribute(String name) {
        KeyResolver<HttpCall> text = call -> present(call.attribute(name));
        return text.afterAuthentication();
    }

    private static Key present(Optional<String> value) {
        if (value.isEmpty()) {
            return Key.absent();
        }
        String text = value.get();
        return Key.of(text.length() > LONGEST_VALUE ? text.substring(0, LONGEST_VALUE) : text);
    }

    /**
     * Reads resolvers from their names.
     *
     * <p>{@code client-address}, {@code user-agent}, {@code principal}, {@code header:<Name>}, {@code attribute:<name>}, a name that
     * {@code others} knows, or {@code everybody}. Several parts are all of them; within a part, {@code a | b} is b where a is absent.
     *
     * @param parts the names; at least one
     * @param clientAddress the resolver for {@code client-address}
     * @param others the application's resolvers by name; returns null for unknown names
     * @throws IllegalArgumentException if a name is unknown, or there is none; names it and the known forms
     */
    public static KeyResolver<HttpCall> parse(
            List<String> parts, ClientAddress clientAddress, Function<String, @Nullable KeyResolver<HttpCall>> others) {
        KeyResolver<HttpCall> all = null;
        for (String part : parts) {
            KeyResolver<HttpCall> first = null;
            for (String name : part.split("\\|", -1)) {
                KeyResolver<HttpCall> one = named(name.strip(), clientAddress, others);
                first = first == null ? one : first.orElse(one);
            }
            all = all == null ? first : all.and(requireNonNull(first));
        }
        if (all == null) {
            throw new IllegalArgumentException("key must name at least one resolver, for example client-address");
        }
        return all;
    }

    private static KeyResolver<HttpCall> named(
            String name, ClientAddress clientAddress, Function<String, @Nullable KeyResolver<HttpCall>> others) {
        if (name.startsWith("header:") && name.length() > "header:".length()) {
            return header(name.substring("header:".length()));
        }
        if (name.startsWith("attribute:") && name.length() > "attribute:".length()) {
            return attribute(name.substring("attribute:".length()));
        }
        return switch (name) {
            case "client-address" -> clientAddress;
            case "user-agent" -> userAgent();
            case "principal" -> principal();
            default -> {
                KeyResolver<HttpCall> own = name.isEmpty() ? null : others.apply(name);
                if (own == null && name.equals("everybody")) {
                    yield call -> KeyResolver.everybody().resolve(call);
                }
                if (own == null) {
                    throw new IllegalArgumentException(
                            "no such key resolver: '%s'; known: client-address, user-agent, principal, header:<Name>, attribute:<name>, everybody, the name of a KeyResolver bean, or on methods #<argument>"
                                    .formatted(name));
                }
                yield own;
            }
        };
    }
}
