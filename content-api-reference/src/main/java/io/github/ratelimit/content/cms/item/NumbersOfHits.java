package io.github.ratelimit.content.cms.item;

import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.jspecify.annotations.Nullable;

/** Gathers the numbers that all hits have in a field, each once, whatever their order. */
final class NumbersOfHits implements CollectorManager<NumbersOfHits.Gathering, Set<Long>> {
    private final String field;

    NumbersOfHits(String field) {
        this.field = field;
    }

    /** The hits that one thread sees. */
    static final class Gathering extends SimpleCollector {
        private final String field;
        private final Set<Long> found = new HashSet<>();
        private @Nullable NumericDocValues numbers;

        private Gathering(String field) {
            this.field = field;
        }

        @Override
        protected void doSetNextReader(LeafReaderContext part) throws IOException {
            numbers = DocValues.getNumeric(part.reader(), field);
        }

        @Override
        public void collect(int hit) throws IOException {
            if (numbers != null && numbers.advanceExact(hit)) {
                found.add(numbers.longValue());
            }
        }

        @Override
        public ScoreMode scoreMode() {
            return ScoreMode.COMPLETE_NO_SCORES;
        }
    }

    @Override
    public Gathering newCollector() {
        return new Gathering(field);
    }

    @Override
    public Set<Long> reduce(Collection<Gathering> parts) {
        Set<Long> all = new HashSet<>();
        parts.forEach(part -> all.addAll(part.found));
        return all;
    }
}
