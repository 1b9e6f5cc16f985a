package io.github.ratelimit.content.cms.cache;

import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestBody;
import io.github.ratelimit.content.cms.rest.RestJson;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.RestStep;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Answers anonymous reading from the cache.
 *
 * <p>The last step before the routes: limits and permissions are checked before. Safe for concurrent use.
 */
@Component
@Order(Ordered.LOWEST_PRECEDENCE)
class CacheGate implements RestStep {

    /** The field that tells where an answer came from. */
    private static final String FIELD = "X-Content-Cache";

    private static final Pattern KEPT =
            Pattern.compile("/cms/v2/(?:posts|pages|media|categories|tags)(?:/[0-9]+)?|/oembed/1\\.0/embed");

    /** Arguments that make an answer one visitor's own, or another form of it. */
    private static final List<String> OWN = List.of("password", "_jsonp", "_pretty", "_method", "_wpnonce");

    private static final Set<String> READING = Set.of("GET", "HEAD");

    private static final int LONGEST_QUERY = 2048;

    private final PageCache cache;
    private final boolean isEnabled;

    CacheGate(PageCache cache, CmsSettings settings) {
        this.cache = cache;
        this.isEnabled = settings.cache().enabled();
    }

    @Override
    public RestAnswer answer(Passing passing, Next next) {
        HttpServletRequest http = passing.http();
        RestRequest request = passing.prepared().request();
        String query = http.getQueryString();
        // Such requests have no body, so the address says all that they ask for.
        if (!isEnabled
                || passing.prepared().rejection() != null
                || !READING.contains(http.getMethod())
                || request.method() != RestMethod.GET
                || !request.caller().isAnonymous()
                || query == null
                || query.length() > LONGEST_QUERY
                || http.getHeader("X-WP-Nonce") != null
                || !KEPT.matcher(passing.prepared().path()).matches()
                || isOwn(request)) {
            return next.answer();
        }
        return read(cache.key(request.baseUrl(), query), passing, next);
    }

    private static boolean isOwn(RestRequest request) {
        return OWN.stream().anyMatch(name -> request.raw(name).isPresent());
    }

    private RestAnswer read(PageCache.Key key, Passing passing, Next next) {
        Optional<RestAnswer> kept = cache.find(key);
        passing.response().setHeader(FIELD, kept.isPresent() ? "hit" : "miss");
        return kept.orElseGet(() -> {
            RestAnswer answer = next.answer();
            boolean isKept = answer.status() == 200
                    && !answer.headers().containsKey("Set-Cookie")
                    && passing.prepared().request().mayBeKept();
            return isKept ? keep(key, answer) : answer;
        });
    }

    /** Keeps an answer with its body written, so that the next one need not write it. */
    private RestAnswer keep(PageCache.Key key, RestAnswer answer) {
        if (!answer.body().isJson()) {
            cache.put(key, answer, 2 * answer.body().tree().asString("").length());
            return answer;
        }
        byte[] written = RestJson.write(answer.body().tree());
        RestAnswer kept = answer.withBody(RestBody.encoded(written));
        cache.put(key, kept, written.length);
        return kept;
    }
}
