package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.text.LetterCase;
import io.github.ratelimit.content.shared.storage.Sha256;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.AutomatonQuery;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;

/** The questions that can be asked of the fields of the index of items, which {@link IndexedColumn} lists. */
final class ItemTerms {
    /** A term that sorts the item, with its taxonomy. */
    static final String TERM = "term";
    /** The same, of published items alone. */
    static final String PUBLISHED_TERM = "published_term";

    /** Type and status at once: how many have both, the index knows without looking at any. */
    private static final String LISTED = "listed";

    private ItemTerms() {}

    static void addListed(Document document, String type, String status) {
        IndexedColumn.addName(document, LISTED, type + ":" + status);
    }

    /** Finds the items of a type that have one of some statuses; of any, where none is named. */
    static Query isListed(String type, Collection<String> statuses) {
        return statuses.isEmpty()
                ? is(IndexedColumn.TYPE.field(), type)
                : isOneOf(
                        LISTED,
                        statuses.stream().map(status -> type + ":" + status).toList());
    }

    static Query is(String field, String value) {
        return new TermQuery(new Term(field, value));
    }

    static Query isOneOf(String field, Collection<String> values) {
        return values.size() == 1
                ? is(field, values.iterator().next())
                : new TermInSetQuery(field, values.stream().map(BytesRef::new).toList());
    }

    /** Empty for more values than one question may have: the database tells then. */
    static Optional<Query> isAllOf(String field, Collection<String> values) {
        return values.size() > IndexSearcher.getMaxClauseCount()
                ? Optional.empty()
                : Optional.of(all(values.stream().map(value -> is(field, value)).toList()));
    }

    /** Names a term with its taxonomy, as no condition finds the term of another one. */
    static String term(String taxonomy, long id) {
        return taxonomy + ":" + id;
    }

    /** Counts a moment as exactly as databases keep it: any that can be written, where Java counts nanoseconds, which end in 2262. */
    static long micros(Instant moment) {
        return TimeUnit.SECONDS.toMicros(moment.getEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(moment.getNano());
    }

    static Query isAfter(String field, Instant moment) {
        return LongPoint.newRangeQuery(field, Math.addExact(micros(moment), 1), Long.MAX_VALUE);
    }

    static Query isBefore(String field, Instant moment) {
        boolean isBetween = !moment.truncatedTo(ChronoUnit.MICROS).equals(moment);
        return LongPoint.newRangeQuery(field, Long.MIN_VALUE, micros(moment) - (isBetween ? 0 : 1));
    }

    static Query all(List<Query> queries) {
        return joined(queries, Occur.FILTER);
    }

    static Query any(List<Query> queries) {
        return joined(queries, Occur.SHOULD);
    }

    static Query not(Query query) {
        // By itself a negation finds nothing.
        return new BooleanQuery.Builder()
                .add(new MatchAllDocsQuery(), Occur.FILTER)
                .add(query, Occur.MUST_NOT)
                .build();
    }

    private static Query joined(List<Query> queries, Occur occur) {
        if (queries.size() == 1) {
            return queries.get(0);
        }
        BooleanQuery.Builder joined = new BooleanQuery.Builder();
        queries.forEach(query -> joined.add(query, occur));
        return queries.isEmpty() && occur == Occur.SHOULD ? new MatchNoDocsQuery() : joined.build();
    }

    /** Names the field that says what a text is as a whole. */
    static String whole(String field) {
        return field + "=";
    }

    static Query isWhole(String field, String text) {
        return is(whole(field), digest(text));
    }

    /** Stands for a text of any length. */
    static String digest(String text) {
        return Sha256.of(LetterCase.lower(text));
    }

    /**
     * Finds the items whose text holds another one, whatever the letter case, also within words.
     *
     * @param field holds {@link TextRuns}
     * @param text to be found as it is
     * @return empty where the index cannot tell
     */
    static Optional<Query> holds(String field, String text) {
        List<String> runs = List.of(LetterCase.lower(text).split(" ", -1));
        if (!runs.stream().allMatch(TextRuns::isFound)) {
            return Optional.empty();
        }
        return Optional.of(runs.size() == 1 ? within(field, runs.get(0)) : new PhraseWithin(field, runs));
    }

    private static Query within(String field, String run) {
        // Deterministic as it is, so no work is spent on making it so; the term tells it from others.
        return new AutomatonQuery(new Term(field, "*" + run + "*"), Occurrences.anywhere(run), 0, true);
    }
}
