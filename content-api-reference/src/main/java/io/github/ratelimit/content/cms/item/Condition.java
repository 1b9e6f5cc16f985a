package io.github.ratelimit.content.cms.item;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/**
 * A condition on items, said twice: to the database, and to the index of items. Made by the columns themselves, in most
 * cases: see {@link IndexedColumn}.
 *
 * @param sql constant text with a mark for each value
 * @param values in the order of the marks
 * @param indexed the same for the index; empty where only the database can tell
 * @param few the column by which it names items, of which there are few then, whatever other conditions say
 */
public record Condition(
        String sql, List<@Nullable Object> values, Optional<Query> indexed, Optional<IndexedColumn> few) {
    Condition(String sql, List<@Nullable Object> values, Optional<Query> indexed) {
        this(sql, values, indexed, Optional.empty());
    }

    static Condition of(Query indexed, String sql, Object... values) {
        return new Condition(sql, List.of(values), Optional.of(indexed));
    }

    static Condition inDatabase(String sql, Object... values) {
        return new Condition(sql, List.of(values), Optional.empty());
    }

    Condition negated() {
        return new Condition("not (" + sql + ")", values, indexed.map(ItemTerms::not));
    }

    static Condition allOf(List<Condition> conditions) {
        return joined(" and ", conditions, queries(conditions).map(ItemTerms::all));
    }

    static Condition anyOf(List<Condition> conditions) {
        return joined(" or ", conditions, queries(conditions).map(ItemTerms::any));
    }

    private static Condition joined(String word, List<Condition> conditions, Optional<Query> indexed) {
        if (conditions.size() == 1) {
            return conditions.get(0);
        }
        String sql = conditions.stream().map(Condition::sql).collect(Collectors.joining(word, "(", ")"));
        List<@Nullable Object> values = new ArrayList<>();
        conditions.forEach(condition -> values.addAll(condition.values()));
        return new Condition(sql, values, indexed);
    }

    /** Says all conditions to the index; empty where it cannot tell about one of them. */
    static Optional<List<Query>> queries(List<Condition> conditions) {
        List<Query> queries = conditions.stream()
                .flatMap(condition -> condition.indexed().stream())
                .toList();
        return queries.size() == conditions.size() ? Optional.of(queries) : Optional.empty();
    }
}
