package io.github.ratelimit.content.cms.term;

import io.github.ratelimit.content.cms.rest.Lookup;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.text.Letters;
import io.github.ratelimit.content.server.store.ContentGeneration;
import io.github.ratelimit.content.server.store.PageQuery;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.stereotype.Component;

/** Terms, and which items they sort. */
@Component
public class TermStore {
    private static final String SELECT = "select " + Term.COLUMNS + " from term t where ";

    private final JdbcClient jdbc;
    private final ContentGeneration generation;
    private final Lookup<Long, List<Term>> ofItems = Lookup.ofSeveral(this::termsOf);

    TermStore(JdbcClient jdbc, ContentGeneration generation) {
        this.jdbc = jdbc;
        this.generation = generation;
    }

    /**
     * Finds a term.
     *
     * @param taxonomy what it must be
     * @param id of any taxonomy
     * @return empty where there is none
     */
    public Optional<Term> find(Taxonomy taxonomy, long id) {
        return one("id = ? and taxonomy = ?", id, taxonomy.wireName());
    }

    private Optional<Term> one(String condition, Object... values) {
        return jdbc.sql(SELECT + condition)
                .params(Arrays.asList(values))
                .query(Term::of)
                .optional();
    }

    /**
     * Tells which terms items have.
     *
     * @param items ids of items
     * @return by the item's id, each list by name; items without terms are missing
     */
    public Map<Long, List<Term>> termsOf(Collection<Long> items) {
        if (items.isEmpty()) {
            return Map.of();
        }
        Map<Long, List<Term>> terms = new HashMap<>();
        jdbc.sql("select " + Term.COLUMNS + ", i.item_id from item_term i join term t on t.id = i.term_id"
                        + " where i.item_id = any (?) order by t.name_order, t.id")
                .param(items.toArray(Long[]::new))
                .query((row, number) -> terms.computeIfAbsent(row.getLong("item_id"), unseen -> new ArrayList<>())
                        .add(Term.of(row, 0)))
                .list();
        return terms;
    }

    /**
     * Tells which terms items have.
     *
     * @param request keeps them
     * @param items ids of items
     * @return by the item's id, each list by name; items without terms are missing
     */
    public Map<Long, List<Term>> termsOf(RestRequest request, Collection<Long> items) {
        return ofItems.findAll(request, items);
    }

    /**
     * Tells which terms an item has.
     *
     * @param item its id
     * @return by name
     */
    public List<Term> termsOf(long item) {
        return termsOf(List.of(item)).getOrDefault(item, List.of());
    }

    /**
     * Replaces the terms that an item has of some taxonomies. Writes the difference only.
     *
     * @param item its id
     * @param wanted ids for each taxonomy; those of no term of the taxonomy are left out
     * @param known the terms that the item has
     * @param published whether the item is
     */
    public void sort(long item, Map<Taxonomy, List<Long>> wanted, List<Term> known, boolean published) {
        wanted.forEach((taxonomy, ids) -> {
            Set<Long> missing = new HashSet<>(ids);
            Set<Long> superfluous = known.stream()
                    .filter(term -> term.taxonomy() == taxonomy)
                    .map(Term::id)
                    // A term that is wanted and there already is neither.
                    .filter(id -> !missing.remove(id))
                    .collect(Collectors.toSet());
            if (!superfluous.isEmpty()) {
                jdbc.sql("delete from item_term where item_id = ? and term_id = any (?)")
                        .params(Arrays.asList(item, superfluous.toArray(Long[]::new)))
                        .update();
            }
            if (!missing.isEmpty()) {
                jdbc.sql("insert into item_term (item_id, term_id, published)"
                                + " select cast(? as bigint), id, cast(? as boolean) from term"
                                + " where id = any (?) and taxonomy = ?")
                        .params(Arrays.asList(item, published, missing.toArray(Long[]::new), taxonomy.wireName()))
                        .update();
            }
        });
    }

    /**
     * Notes with the terms of an item whether it is published now, so that terms can be counted without reading items.
     *
     * @param item its id
     * @param published whether it is
     */
    public void show(long item, boolean published) {
        jdbc.sql("update item_term set published = ? where item_id = ?")
                .params(Arrays.asList(published, item))
                .update();
    }

    /**
     * Says whether any of some ids is a term's.
     *
     * @param taxonomy of the terms
     * @param ids any
     * @return false where there are none
     */
    public boolean areKnown(Taxonomy taxonomy, Collection<Long> ids) {
        return jdbc.sql("select id from term where taxonomy = ? and id = any (?) fetch first 1 rows only")
                .params(Arrays.asList(taxonomy.wireName(), ids.toArray(Long[]::new)))
                .query(Long.class)
                .optional()
                .isPresent();
    }

    /**
     * Adds everything that stands below some terms.
     *
     * @param terms ids
     * @return the same, and those below them, and so on
     */
    public Set<Long> withDescendants(Collection<Long> terms) {
        Set<Long> all = new HashSet<>(terms);
        List<Long> last = List.copyOf(all);
        while (!last.isEmpty()) {
            last = jdbc
                    .sql("select id from term where parent_id = any (?)")
                    .param(last.toArray(Long[]::new))
                    .query(Long.class)
                    .list()
                    .stream()
                    .filter(all::add)
                    .toList();
        }
        return all;
    }

    /**
     * Counts the published items that terms sort.
     *
     * @param terms ids
     * @return by the term's id; those that sort nothing are missing
     */
    Map<Long, Long> counts(Collection<Long> terms) {
        if (terms.isEmpty()) {
            return Map.of();
        }
        Map<Long, Long> counts = new HashMap<>();
        // H2 walks through a whole index for a list of values beside a single one, so that is looked at last.
        jdbc.sql("select term_id, count(*) from item_term where term_id = any (?)"
                        + " and case when published then true else false end group by term_id")
                .param(terms.toArray(Long[]::new))
                .query((row, number) -> counts.put(row.getLong(1), row.getLong(2)))
                .list();
        return counts;
    }

    PageQuery.Page<Term> list(PageQuery query) {
        return query.read(jdbc, Term.COLUMNS, Term::of);
    }

    /** Finds the term that has a name already, within what it stands below. */
    Optional<Term> named(Taxonomy taxonomy, String name, long parent) {
        return one(
                "taxonomy = ? and name_order = ? and parent_id = ? order by id fetch first 1 rows only",
                taxonomy.wireName(),
                Letters.sorted(name),
                parent);
    }

    /** Finds the term that has a slug. */
    Optional<Term> withSlug(Taxonomy taxonomy, String slug) {
        return one("taxonomy = ? and slug = ?", taxonomy.wireName(), slug);
    }

    Set<String> takenSlugs(Taxonomy taxonomy, Set<String> slugs, long except) {
        List<Object> values = new ArrayList<>();
        // Pairs, as H2 finds a list of values in an index only where it asks for nothing but the list.
        slugs.forEach(slug -> values.addAll(List.of(taxonomy.wireName(), slug)));
        values.add(except);
        return jdbc.sql("select slug from term where (taxonomy, slug) in ("
                        + String.join(", ", Collections.nCopies(slugs.size(), "(?, ?)")) + ") and id <> ?")
                .params(values)
                .query(String.class)
                .set();
    }

    long insert(Term term) {
        Map<String, Object> columns = columns(term);
        GeneratedKeyHolder key = new GeneratedKeyHolder();
        generation.raise();
        jdbc.sql("insert into term (" + String.join(", ", columns.keySet()) + ") values (:"
                        + String.join(", :", columns.keySet()) + ")")
                .params(columns)
                .update(key, "id");
        return Objects.requireNonNull(key.getKey()).longValue();
    }

    Term update(Term term) {
        String assignments = columns(term).keySet().stream()
                .map(column -> column + " = :" + column)
                .collect(Collectors.joining(", "));
        generation.raise();
        jdbc.sql("update term set " + assignments + " where id = :id")
                .params(columns(term))
                .param("id", term.id())
                .update();
        return term;
    }

    private static Map<String, Object> columns(Term term) {
        return Map.of(
                "taxonomy", term.taxonomy().wireName(),
                "parent_id", term.parent(),
                "slug", term.slug(),
                "name", term.name(),
                "name_order", Letters.sorted(term.name()),
                "description", term.description());
    }

    /** Deletes a term. Terms below it move up, and posts without another category get the default one. */
    void delete(Term term) {
        long above = term.parent() == term.id() ? 0 : term.parent();
        jdbc.sql("update term set parent_id = ? where parent_id = ?")
                .params(above, term.id())
                .update();
        if (term.taxonomy() == Taxonomy.CATEGORY) {
            jdbc.sql("insert into item_term (item_id, term_id, published)"
                            + " select i.item_id, cast(? as bigint), i.published from item_term i where i.term_id = ?"
                            + " and not exists (select 1 from item_term o join term t on t.id = o.term_id"
                            + " where o.item_id = i.item_id and t.taxonomy = 'category' and o.term_id <> i.term_id)")
                    .params(Term.DEFAULT_CATEGORY, term.id())
                    .update();
        }
        jdbc.sql("delete from term where id = ?").param(term.id()).update();
        generation.raise();
    }
}
