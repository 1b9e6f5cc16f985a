package io.github.ratelimit.content.cms.term;

import io.github.ratelimit.content.cms.rest.RestRequest;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /**
     * Counts the published items that terms sort.
     *
     * @param taxonomy of the terms
     * @param terms their ids
     * @return by id; empty where somebody has to count them
     */
    Optional<Map<Long, Long>> published(Taxonomy taxonomy, Collection<Long> terms);

    /**
     * Is told, within the transaction, that terms sort items otherwise from now on.
     *
     * @param items their ids
     */
    void resorted(List<Long> items);
}
