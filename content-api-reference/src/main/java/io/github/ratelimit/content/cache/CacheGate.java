package io.github.ratelimit.content.cache;

import io.github.ratelimit.content.web.Dispatcher;
import io.github.ratelimit.content.web.RestAnswer;
import io.github.ratelimit.content.web.RestBody;
import io.github.ratelimit.content.web.RestGate;
import io.github.ratelimit.content.web.RestJson;
import io.github.ratelimit.content.web.RestMethod;
import io.github.ratelimit.content.web.RestRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Answers anonymous reading from the cache, and empties the cache after writes.
 *
 * <p>The last gate, so whatever another one refuses is refused whether it is kept here or not. Safe for concurrent use.
 */
@Component
@Order(Ordered.LOWEST_PRECEDENCE)
class CacheGate implements RestGate {

    /** The field that tells where an answer came from. */
    static final String FIELD = "X-Content-Cache";

    private static final Pattern KEPT =
            Pattern.compile("/cms/v2/(?:posts|pages|media|categories|tags)(?:/[0-9]+)?/?|/oembed/1\\.0/embed/?");

    /** Arguments that make an answer one visitor's own, or another form of it. */
    private static final Pattern OWN = Pattern.compile("(?:^|[?&])(?:password|_jsonp|_pretty|_method|_wpnonce)\\b");

    private static final int LONGEST_QUERY = 2048;

    private final PageCache cache;
    private final CacheProperties properties;
    private final VisitedAddresses visited;
    // The dispatcher knows the routes, and the routes of this package know the cache.
    private final ObjectProvider<Dispatcher> dispatcher;

    CacheGate(
            PageCache cache,
            CacheProperties properties,
            VisitedAddresses visited,
            ObjectProvider<Dispatcher> dispatcher) {
        this.cache = cache;
        this.properties = properties;
        this.visited = visited;
        this.dispatcher = dispatcher;
    }

    @Override
    public Optional<RestAnswer> check(
            Dispatcher.Prepared prepared, HttpServletRequest http, HttpServletResponse response) {
        RestRequest request = prepared.request();
        if (!properties.enabled() || prepared.refusal() != null) {
            return Optional.empty();
        }
        if (request.method() != RestMethod.GET) {
            return Optional.of(write(prepared));
        }
        String query = http.getQueryString();
        if (!request.caller().isAnonymous()
                || query == null
                || query.length() > LONGEST_QUERY
                || http.getHeader("X-WP-Nonce") != null
                || !KEPT.matcher(request.route()).matches()
                || OWN.matcher(query).find()) {
            return Optional.empty();
        }
        return Optional.of(
                read(prepared, new PageCache.Key("answer", request.baseUrl(), "/index.php?" + query), http, response));
    }

    private RestAnswer write(Dispatcher.Prepared prepared) {
        try {
            return dispatcher.getObject().serve(prepared);
        } finally {
            // Also after a failure: part of it may have been stored.
            if (!prepared.request().route().startsWith("/cache/")) {
                cache.purge(PageCache.CONTENT);
            }
        }
    }

    private RestAnswer read(
            Dispatcher.Prepared prepared, PageCache.Key key, HttpServletRequest http, HttpServletResponse response) {
        visited.note(key, http);
        Optional<PageCache.Page> kept = cache.find(key);
        response.setHeader(FIELD, kept.isPresent() ? "hit" : "miss");
        if (kept.isPresent()) {
            return answer(kept.get());
        }
        PageCache.Loading loading = cache.begin(key, Set.of("answer", key.target()));
        RestAnswer answer = dispatcher.getObject().serve(prepared);
        if (answer.status() != 200 || answer.headers().containsKey("Set-Cookie")) {
            return answer;
        }
        PageCache.Page page = page(answer);
        loading.store(page);
        return answer(page);
    }

    private static PageCache.Page page(RestAnswer answer) {
        RestBody body = answer.body();
        String text = body.isJson()
                ? new String(RestJson.write(body.tree()), StandardCharsets.UTF_8)
                : body.tree().asString("");
        List<Map.Entry<String, String>> fields = answer.headers().entrySet().stream()
                .map(field -> Map.entry(field.getKey(), field.getValue()))
                .toList();
        return new PageCache.Page(answer.status(), fields, body.contentType(), text);
    }

    private static RestAnswer answer(PageCache.Page page) {
        RestBody body = page.contentType().equals(RestBody.JSON_TYPE)
                ? RestJson.shared(page.body().getBytes(StandardCharsets.UTF_8))
                : RestBody.text(page.body(), page.contentType());
        RestAnswer answer = RestAnswer.of(page.status(), body);
        for (Map.Entry<String, String> field : page.fields()) {
            answer = answer.withHeader(field.getKey(), field.getValue());
        }
        return answer;
    }
}
