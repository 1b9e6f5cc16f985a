package io.github.ratelimit.content.cms.item;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.CompiledAutomaton;

/** Finds several runs of a text with single blanks between them: the first may begin, and the last may end, within a run. */
final class PhraseWithin extends Query {
    private final String field;
    private final List<String> runs;

    /**
     * Makes the query.
     *
     * @param field holds {@link TextRuns}
     * @param runs two or more
     */
    PhraseWithin(String field, List<String> runs) {
        this.field = field;
        this.runs = List.copyOf(runs);
    }

    @Override
    public Query rewrite(IndexSearcher searcher) throws IOException {
        IndexReader reader = searcher.getIndexReader();
        int last = runs.size() - 1;
        MultiPhraseQuery.Builder phrase = new MultiPhraseQuery.Builder();
        for (int place = 0; place <= last; place++) {
            String run = runs.get(place);
            Term[] terms;
            if (place == 0) {
                terms = terms(reader, new CompiledAutomaton(Occurrences.atTheEnd(run), false, true, 0, true));
            } else if (place == last) {
                Automaton begins = PrefixQuery.toAutomaton(new BytesRef(run));
                terms = terms(reader, new CompiledAutomaton(begins, false, true, 0, true));
            } else {
                terms = new Term[] {new Term(field, run)};
            }
            if (terms.length == 0) {
                return new MatchNoDocsQuery();
            }
            phrase.add(terms);
        }
        return phrase.build();
    }

    private Term[] terms(IndexReader reader, CompiledAutomaton automaton) throws IOException {
        Terms all = MultiTerms.getTerms(reader, field);
        if (all == null) {
            return new Term[0];
        }
        List<Term> found = new ArrayList<>();
        TermsEnum matching = automaton.getTermsEnum(all);
        for (BytesRef term = matching.next(); term != null; term = matching.next()) {
            found.add(new Term(field, BytesRef.deepCopyOf(term)));
        }
        return found.toArray(Term[]::new);
    }

    @Override
    public void visit(QueryVisitor visitor) {
        if (visitor.acceptField(field)) {
            visitor.visitLeaf(this);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PhraseWithin phrase && phrase.field.equals(field) && phrase.runs.equals(runs);
    }

    @Override
    public int hashCode() {
        return 31 * field.hashCode() + runs.hashCode();
    }

    @Override
    public String toString(String ignored) {
        return field + ":" + String.join(" ", runs);
    }
}
