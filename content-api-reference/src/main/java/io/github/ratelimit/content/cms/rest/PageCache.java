package io.github.ratelimit.content.cms.rest;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.server.store.ContentGeneration;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;

/**
 * Keeps public answers for some seconds and within a memory bound. Safe for concurrent use.
 *
 * <p>Each key carries the generation of the content. A commit raises the generation, and older entries are never found again.
 */
@Component
public final class PageCache {
    /** Chosen: the memory of an entry beside its texts. */
    private static final int OVERHEAD = 512;

    /** The field that tells where an answer came from. */
    private static final String FIELD = "X-Content-Cache";

    private static final Pattern KEPT =
            Pattern.compile("/cms/v2/(?:posts|pages|media|categories|tags)(?:/[0-9]+)?|/oembed/1\\.0/embed");

    /** Arguments that make an answer one visitor's own, or another form of it. */
    private static final List<String> OWN = List.of("password", "_jsonp", "_pretty", "_method", "_wpnonce");

    private static final Set<String> READING = Set.of("GET", "HEAD");

    private static final int LONGEST_QUERY = 2048;

    private final boolean isEnabled;
    private final ContentGeneration generation;
    private final Cache<Key, Entry> entries;

    PageCache(ContentGeneration generation, TimeSource clock, CmsSettings settings) {
        this.isEnabled = settings.cache().enabled();
        this.generation = generation;
        this.entries = Caffeine.newBuilder()
                .ticker(clock::nanoTime)
                .maximumWeight(settings.cache().maxSize().toBytes())
                .weigher((Key key, Entry entry) ->
                        entry.length() + 2 * (key.query().length() + key.base().length()) + OVERHEAD)
                .expireAfterWrite(settings.cache().ttl())
                .build();
    }

    /**
     * Names an entry.
     *
     * @param base the address of the site, as the request names it
     * @param query the query of the request
     * @param generation of the content that the entry is made of
     */
    private record Key(String base, String query, long generation) {}

    private record Entry(RestAnswer answer, int length) {}

    /**
     * Answers a stranger's request from the cache, if it may be answered from there.
     *
     * @param prepared knows the route, if there is one, and the arguments
     * @param http the same request as it came
     * @param response gets a field that names the source of the answer
     * @param further makes the answer
     */
    RestAnswer answer(
            Dispatcher.Prepared prepared,
            HttpServletRequest http,
            HttpServletResponse response,
            Supplier<RestAnswer> further) {
        RestRequest request = prepared.request();
        String query = http.getQueryString();
        // Such requests have no body, so the address says all that they ask for.
        if (!isEnabled
                || prepared.rejection() != null
                || !READING.contains(http.getMethod())
                || request.method() != RestMethod.GET
                || query == null
                || query.length() > LONGEST_QUERY
                || http.getHeader("X-WP-Nonce") != null
                || !KEPT.matcher(prepared.path()).matches()
                || OWN.stream().anyMatch(name -> request.raw(name).isPresent())) {
            return further.get();
        }
        // The generation is read before the content.
        Key key = new Key(request.baseUrl(), query, generation.number());
        Entry kept = entries.getIfPresent(key);
        response.setHeader(FIELD, kept == null ? "miss" : "hit");
        if (kept != null) {
            return kept.answer();
        }
        RestAnswer answer = further.get();
        boolean isKept = answer.status() == 200 && !answer.headers().containsKey("Set-Cookie") && request.mayBeKept();
        return isKept ? keep(key, answer) : answer;
    }

    /** Keeps an answer with its body written, so that the next one need not write it. */
    private RestAnswer keep(Key key, RestAnswer answer) {
        if (!answer.body().isJson()) {
            entries.put(
                    key, new Entry(answer, 2 * answer.body().tree().asString("").length()));
            return answer;
        }
        byte[] written = RestJson.write(answer.body().tree());
        RestAnswer kept = answer.withBody(RestAnswer.Body.encoded(written));
        entries.put(key, new Entry(kept, written.length));
        return kept;
    }

    /** Makes the server forget all entries. */
    public void clear() {
        entries.invalidateAll();
    }

    /**
     * Tells how many entries there are.
     *
     * @return about how many
     */
    public long size() {
        return entries.estimatedSize();
    }
}
