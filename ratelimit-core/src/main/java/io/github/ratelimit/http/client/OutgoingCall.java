package io.github.ratelimit.http.client;

import io.github.ratelimit.Decision;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpDecisions;
import io.github.ratelimit.http.Origin;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A call to another server, in the form that limiters of properties decide about.
 *
 * <p>It has its header fields, and {@code attribute:host} is the server's name. It comes from nowhere and from nobody: {@code client-address} and
 * {@code principal} are absent, so that all calls share one count. Used by one thread at a time.
 */
public final class OutgoingCall implements HttpCall {

    private static final Origin NOWHERE = Origin.of("", "", name -> List.of());

    /** {@link URI} itself finds no host in {@code my_service:8080}, a container's name, which most clients call all the same. */
    private static final Pattern AUTHORITY =
            Pattern.compile("(?:.*@)?(?<host>[^:@\\[]+|\\[[^]]*])(?::(?<port>[0-9]*))?");

    private final String method;
    private final URI uri;
    private final String host;
    private final String port;
    private final Function<String, List<String>> headers;

    /** What it takes of a limiter, until its hold has that. */
    final AtomicReference<@Nullable CompletableFuture<Decision>> entry = new AtomicReference<>();

    /** What it has taken, until its answer settles it. */
    volatile @Nullable Decision taken;

    /**
     * Makes one.
     *
     * @param uri an absolute one
     * @param headers finds the lines of a header field by its name, in any case
     * @throws IllegalArgumentException if the address names no host
     */
    public OutgoingCall(String method, URI uri, Function<String, List<String>> headers) {
        Matcher authority = AUTHORITY.matcher(uri.getRawAuthority() == null ? "" : uri.getRawAuthority());
        if (!authority.matches()) {
            throw new IllegalArgumentException("uri must name a host, was '%s'".formatted(uri));
        }
        this.method = method;
        this.uri = uri;
        this.host = authority.group("host").toLowerCase(Locale.ROOT);
        String written = authority.group("port");
        String usual = "https".equalsIgnoreCase(uri.getScheme()) ? "443" : "80";
        this.port = written == null || written.isEmpty() ? usual : written;
        this.headers = headers;
    }

    /** Whom it goes to, for example {@code api.example.com:443}: what a server says of its limits holds for that. */
    public String server() {
        return host + ":" + port;
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String path() {
        return uri.getPath() == null ? "" : uri.getPath();
    }

    @Override
    public List<String> headers(String name) {
        return headers.apply(name);
    }

    @Override
    public Origin origin() {
        return NOWHERE;
    }

    /** The server's name for {@code host}. */
    @Override
    public Optional<String> attribute(String name) {
        return name.equals("host") ? Optional.of(host) : Optional.empty();
    }

    @Override
    public HttpDecisions decisions() {
        return new HttpDecisions();
    }
}
