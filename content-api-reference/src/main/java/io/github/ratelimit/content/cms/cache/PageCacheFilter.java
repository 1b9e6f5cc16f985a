package io.github.ratelimit.content.cms.cache;

import io.github.ratelimit.content.cms.rest.SiteAddress;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ContentCachingResponseWrapper;

/**
 * Answers visitors of the public pages from the cache.
 *
 * <p>Only for requests without cookies and credentials, and only with pages that say nothing against it. Safe for
 * concurrent use.
 */
final class PageCacheFilter extends OncePerRequestFilter {

    private static final int LONGEST_QUERY = 1024;

    private final PageCache cache;
    private final SiteAddress site;

    PageCacheFilter(PageCache cache, SiteAddress site) {
        this.cache = cache;
        this.site = site;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        String query = request.getQueryString();
        return !request.getMethod().equals("GET")
                || !request.getRequestURI().equals("/")
                || request.getHeader("Cookie") != null
                || request.getHeader("Authorization") != null
                || request.getHeader("Range") != null
                || (query != null && query.length() > LONGEST_QUERY);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String query = request.getQueryString();
        PageCache.Key key = cache.key("page", site.of(request), query == null ? "/" : "/?" + query);
        Optional<Kept> kept = cache.find(key).map(Kept.class::cast);
        response.setHeader(CacheGate.FIELD, kept.isPresent() ? "hit" : "miss");
        if (kept.isPresent()) {
            write(kept.get(), response);
            return;
        }
        // What stands here already, rate limits for example, belongs to this request and not to the page.
        Set<String> before = new HashSet<>(lowerCase(response));
        var copy = new ContentCachingResponseWrapper(response);
        chain.doFilter(request, copy);
        if (isKept(copy)) {
            cache.put(key, page(copy, before));
        }
        copy.copyBodyToResponse();
    }

    private static boolean isKept(ContentCachingResponseWrapper response) {
        String type = response.getContentType();
        String control = response.getHeader("Cache-Control");
        return response.getStatus() == 200
                && type != null
                && type.startsWith("text/html")
                && response.getHeader("Set-Cookie") == null
                && (control == null || !(control.contains("private") || control.contains("no-store")));
    }

    /**
     * A page as it was sent.
     *
     * @param fields of its header, in order
     * @param contentType with its character set
     * @param body never changed
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared as a value.
    private record Kept(List<Map.Entry<String, String>> fields, String contentType, byte[] body)
            implements PageCache.Page {
        @Override
        public int length() {
            return body.length;
        }
    }

    private static Kept page(ContentCachingResponseWrapper response, Set<String> before) {
        List<Map.Entry<String, String>> fields = new ArrayList<>();
        for (String name : new HashSet<>(response.getHeaderNames())) {
            String lower = name.toLowerCase(Locale.ROOT);
            if (!before.contains(lower)
                    && !Set.of("content-type", "content-length", "date").contains(lower)) {
                response.getHeaders(name).forEach(value -> fields.add(Map.entry(name, value)));
            }
        }
        return new Kept(
                List.copyOf(fields), String.valueOf(response.getContentType()), response.getContentAsByteArray());
    }

    private static Set<String> lowerCase(HttpServletResponse response) {
        var names = new HashSet<String>();
        response.getHeaderNames().forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
        return names;
    }

    private static void write(Kept page, HttpServletResponse response) throws IOException {
        byte[] body = page.body();
        response.setStatus(200);
        response.setContentType(page.contentType());
        page.fields().forEach(field -> response.addHeader(field.getKey(), field.getValue()));
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
