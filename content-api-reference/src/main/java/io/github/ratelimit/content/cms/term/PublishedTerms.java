package io.github.ratelimit.content.cms.term;

import io.github.ratelimit.content.cms.term.TermQuery.OrderBy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Terms as anybody may see them, with the number of published posts that they sort. Safe for concurrent use. */
@Component
public class PublishedTerms {
    private final TermStore store;

    PublishedTerms(TermStore store) {
        this.store = store;
    }

    /**
     * A term with what it sorts.
     *
     * @param term the term
     * @param count how many published posts it sorts
     */
    public record Counted(Term term, long count) {
        /**
         * Spells the address of the term's public page.
         *
         * @param base the site's address
         * @return whole
         */
        public String page(String base) {
            return new TermFields.Shown(term, count, base).link();
        }
    }

    /**
     * Finds a taxonomy.
     *
     * @param name as requests spell it
     * @return empty where there is none of that name
     */
    public static Optional<Taxonomy> taxonomy(String name) {
        return Arrays.stream(Taxonomy.values())
                .filter(taxonomy -> taxonomy.wireName().equals(name))
                .findFirst();
    }

    /**
     * Lists terms by name.
     *
     * @param taxonomy of the terms
     * @param most how many
     * @return those that sort nothing, too
     */
    public List<Counted> byName(Taxonomy taxonomy, int most) {
        return counted(TermQuery.of(taxonomy).orderBy(OrderBy.NAME, true).page(0, most));
    }

    /**
     * Lists the terms that sort most.
     *
     * @param taxonomy of the terms
     * @param most how many
     * @return the first sorts most
     */
    public List<Counted> byCount(Taxonomy taxonomy, int most) {
        return counted(TermQuery.of(taxonomy)
                .where(TermFilters.USED)
                .orderBy(OrderBy.COUNT, false)
                .page(0, most));
    }

    private List<Counted> counted(TermQuery query) {
        List<Term> terms = store.list(query).terms();
        List<Long> ids = terms.stream().map(Term::id).toList();
        Map<Long, Long> counts = store.counts(ids);
        return terms.stream()
                .map(term -> new Counted(term, counts.getOrDefault(term.id(), 0L)))
                .toList();
    }
}
