package io.github.ratelimit.content.server.fetch;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Fetches documents from addresses that strangers choose.
 *
 * <p>A name is resolved once; if any answer is not globally routable the fetch is rejected, else the connection goes to
 * exactly the addresses that were checked, with the name kept for TLS and the {@code Host} field. Redirects are followed by
 * hand under the same checks. No cookies, no credentials, no proxy, no content coding (so no decompression bomb), no
 * reuse of connections. Safe for concurrent use; {@link #close()} ends what is under way.
 */
public final class OutgoingClient implements AutoCloseable {

    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

    private final FetchLimits limits;
    private final CloseableHttpClient http;
    private final ThreadPoolExecutor workers;
    private final HostResolver resolver;
    private final Predicate<InetAddress> reachable;

    /**
     * Creates a client.
     *
     * @param limits what a fetch may cost
     * @param resolver looks names up
     * @param reachable says which addresses it may connect to
     */
    OutgoingClient(FetchLimits limits, HostResolver resolver, Predicate<InetAddress> reachable) {
        this.limits = limits;
        this.resolver = resolver;
        this.reachable = reachable;
        // No queue: a caller who finds every worker busy is rejected instead of waiting behind slow strangers.
        workers =
                new ThreadPoolExecutor(0, limits.concurrent(), 10, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                    Thread thread = new Thread(task, "outgoing");
                    thread.setDaemon(true);
                    return thread;
                });
        Timeout total = Timeout.of(limits.total());
        http = HttpClients.custom()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setDnsResolver(new Checked())
                        .setConnectionFactory(ManagedHttpClientConnectionFactory.builder()
                                // Chosen: what browsers take; header lines are a body without a limit otherwise.
                                .http1Config(Http1Config.custom()
                                        .setMaxHeaderCount(100)
                                        .setMaxLineLength(8192)
                                        .build())
                                .build())
                        .setMaxConnTotal(limits.concurrent())
                        .setMaxConnPerRoute(limits.concurrent())
                        .setDefaultConnectionConfig(ConnectionConfig.custom()
                                .setConnectTimeout(Timeout.of(limits.connect()))
                                .setSocketTimeout(total)
                                .build())
                        .setDefaultSocketConfig(
                                SocketConfig.custom().setSoTimeout(total).build())
                        .build())
                .setConnectionReuseStrategy((request, response, context) -> false)
                .setDefaultRequestConfig(RequestConfig.custom()
                        .setConnectionRequestTimeout(Timeout.of(limits.connect()))
                        .setResponseTimeout(total)
                        .setAuthenticationEnabled(false)
                        .setProtocolUpgradeEnabled(false)
                        .build())
                .setUserAgent("ContentApiReference/1 (+oembed)")
                .disableCookieManagement()
                .disableAuthCaching()
                .disableAutomaticRetries()
                .disableContentCompression()
                .disableRedirectHandling()
                .build();
    }

    /**
     * Fetches a document.
     *
     * @param address absolute, as somebody gave it
     * @param mediaTypes the media types that are taken, lower case, without parameters
     * @return empty if it could not be had, whatever the reason
     */
    public Optional<Fetched> get(String address, Set<String> mediaTypes) {
        return HttpTarget.parse(address, limits.ports())
                .filter(target -> target.literal().map(reachable::test).orElse(true))
                .flatMap(target -> inTime(target, mediaTypes));
    }

    @Override
    public void close() {
        workers.shutdownNow();
        http.close(CloseMode.IMMEDIATE);
    }

    private Optional<Fetched> inTime(HttpTarget target, Set<String> mediaTypes) {
        var current = new AtomicReference<HttpGet>();
        Future<Optional<Fetched>> running;
        try {
            running = workers.submit(() -> follow(target, mediaTypes, current));
        } catch (RejectedExecutionException e) {
            return Optional.empty();
        }
        try {
            return running.get(limits.total().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } finally {
            // A drip of single bytes never meets a read timeout: the deadline closes the socket under it. Interrupted
            // first: a redirect that is followed at this moment sees that, or its request is the current one.
            running.cancel(true);
            HttpGet last = current.get();
            if (last != null) {
                last.cancel();
            }
        }
    }

    private Optional<Fetched> follow(HttpTarget first, Set<String> mediaTypes, AtomicReference<HttpGet> current)
            throws IOException {
        HttpTarget target = first;
        for (int hop = 0; hop <= limits.redirects(); hop++) {
            HttpGet request = new HttpGet(target.toString());
            request.setHeader(HttpHeaders.ACCEPT, String.join(", ", mediaTypes));
            current.set(request);
            if (Thread.currentThread().isInterrupted()) {
                return Optional.empty();
            }
            Step step = ask(request, target, mediaTypes);
            if (step.location == null) {
                return Optional.ofNullable(step.document);
            }
            Optional<HttpTarget> next = target.redirect(step.location, limits.ports())
                    .filter(found -> found.literal().map(reachable::test).orElse(true));
            if (next.isEmpty()) {
                return Optional.empty();
            }
            target = next.get();
        }
        return Optional.empty();
    }

    private Step ask(HttpGet request, HttpTarget target, Set<String> mediaTypes) throws IOException {
        try (ClassicHttpResponse response = http.executeOpen(null, request, null)) {
            try {
                return read(response, target, mediaTypes);
            } finally {
                // Closing alone would read the rest of the body first, however long it is.
                request.cancel();
            }
        }
    }

    private Step read(ClassicHttpResponse response, HttpTarget target, Set<String> mediaTypes) throws IOException {
        if (REDIRECTS.contains(response.getCode())) {
            Header location = response.getFirstHeader(HttpHeaders.LOCATION);
            return location == null ? Step.NOTHING : new Step(location.getValue(), null);
        }
        HttpEntity entity = response.getEntity();
        if (response.getCode() != 200 || entity == null || entity.getContentLength() > limits.bytes()) {
            return Step.NOTHING;
        }
        String coding = entity.getContentEncoding();
        if (coding != null && !coding.equalsIgnoreCase("identity")) {
            return Step.NOTHING;
        }
        ContentType type = ContentType.parseLenient(entity.getContentType());
        String mediaType = type == null ? "" : type.getMimeType().toLowerCase(Locale.ROOT);
        if (!mediaTypes.contains(mediaType)) {
            return Step.NOTHING;
        }
        byte[] body = entity.getContent().readNBytes(limits.bytes() + 1);
        if (body.length > limits.bytes()) {
            return Step.NOTHING;
        }
        Charset charset = type == null ? null : type.getCharset();
        return new Step(
                null,
                new Fetched(target.toString(), new String(body, charset == null ? StandardCharsets.UTF_8 : charset)));
    }

    /** What an answer leads to: another address, a document, or neither. */
    private record Step(@Nullable String location, @Nullable Fetched document) {
        static final Step NOTHING = new Step(null, null);
    }

    /** Hands the HTTP client nothing but addresses that were checked; it connects to these and asks no one else. */
    private final class Checked implements DnsResolver {

        @Override
        public InetAddress[] resolve(String host) throws UnknownHostException {
            List<InetAddress> found = resolver.resolve(host);
            if (found.isEmpty() || !found.stream().allMatch(reachable)) {
                throw new UnknownHostException("not reachable");
            }
            return found.toArray(InetAddress[]::new);
        }

        @Override
        public String resolveCanonicalHostname(String host) {
            return host;
        }
    }
}
