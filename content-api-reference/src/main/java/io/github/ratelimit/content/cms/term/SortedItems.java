package io.github.ratelimit.content.cms.term;

import io.github.ratelimit.content.cms.rest.RestRequest;
import java.util.Collection;
import java.util.Set;

/** What terms have to know of the items that they sort. */
public interface SortedItems {
    /**
     * Picks the items that a caller may read.
     *
     * @param request knows the caller, and remembers what was looked up
     * @param items ids, some of them perhaps of nothing
     * @return those that are there and may be read
     */
    Set<Long> readable(RestRequest request, Collection<Long> items);
}
