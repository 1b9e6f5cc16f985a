package io.github.ratelimit.http;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The socket's peer, the target of the request line and the forwarding header fields, before any filter rewrote them.
 *
 * <p>An adapter takes it from its server's own request, below every wrapper: filters and valves that believe forwarding fields change all
 * three. Used by one thread at a time, as the request is.
 */
public final class Origin {

    private static final String X_FORWARDED_FOR = "X-Forwarded-For";
    private static final String FORWARDED = "Forwarded";

    private final String peer;
    private final String target;
    private final Function<String, List<String>> fields;

    private Origin(@Nullable String peer, @Nullable String target, Function<String, List<String>> fields) {
        this.peer = peer == null ? "" : peer;
        this.target = target == null ? "" : target;
        this.fields = fields;
    }

    /**
     * Makes one.
     *
     * @param peer the address of the socket's peer, numeric; null or empty if it has none. Never one that a header field names
     * @param target the path of the request line, undecoded, without the query; null if the server could not read that line
     * @param fields finds the lines of a header field in the order of arrival; asked only where a trusted proxy is the peer
     */
    public static Origin of(@Nullable String peer, @Nullable String target, Function<String, List<String>> fields) {
        return new Origin(peer, target, fields);
    }

    /**
     * The same origin with its fields read now, for a server that is about to overwrite them.
     *
     * <p>Adapters keep it with a servlet request, as the attribute that has the name of this class.
     */
    public Origin kept() {
        List<String> xForwardedFor = List.copyOf(xForwardedFor());
        List<String> forwarded = List.copyOf(forwarded());
        return new Origin(peer, target, name -> name.equals(FORWARDED) ? forwarded : xForwardedFor);
    }

    /** The address of the socket's peer; empty if it has none. */
    public String peer() {
        return peer;
    }

    /** The path of the request line, undecoded, without the query. */
    public String target() {
        return target;
    }

    /** The lines of {@code X-Forwarded-For}, in the order of arrival. */
    public List<String> xForwardedFor() {
        return fields.apply(X_FORWARDED_FOR);
    }

    /** The lines of {@code Forwarded}, in the order of arrival. */
    public List<String> forwarded() {
        return fields.apply(FORWARDED);
    }
}
