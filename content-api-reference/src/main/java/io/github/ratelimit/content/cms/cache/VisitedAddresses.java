package io.github.ratelimit.content.cms.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.ratelimit.content.cms.rest.SiteAddress;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.stereotype.Component;

/** Remembers what visitors ask for most, so that a crawler knows what to fetch again. Safe for concurrent use. */
@Component
final class VisitedAddresses {

    /** Chosen: more than a crawler fetches in one round. */
    private static final int MOST_KEPT = 2000;

    private final Cache<Visited, LongAdder> addresses =
            Caffeine.newBuilder().maximumSize(MOST_KEPT).build();
    private final GuestLists guests;

    VisitedAddresses(GuestLists guests) {
        this.guests = guests;
    }

    /**
     * Something that was asked for.
     *
     * @param key what the cache finds it by
     * @param host the {@code Host} field that it was asked with
     */
    record Visited(PageCache.Key key, String host) {}

    /** Notes a visit, unless it is that of a testing tool, or its host is none. */
    void note(PageCache.Key key, HttpServletRequest http) {
        String agent = http.getHeader("User-Agent");
        String host = http.getHeader("Host");
        if (host != null && host.length() <= SiteAddress.LONGEST_HOST && (agent == null || !guests.contains(agent))) {
            addresses.get(new Visited(key, host), ignored -> new LongAdder()).increment();
        }
    }

    /** Returns what is asked for most, first the most. */
    List<Visited> mostVisited(String kind, int count) {
        return addresses.asMap().entrySet().stream()
                .filter(entry -> entry.getKey().key().kind().equals(kind))
                .sorted(Comparator.<Map.Entry<Visited, LongAdder>>comparingLong(
                                entry -> entry.getValue().sum())
                        .reversed())
                .limit(count)
                .map(Map.Entry::getKey)
                .toList();
    }
}
