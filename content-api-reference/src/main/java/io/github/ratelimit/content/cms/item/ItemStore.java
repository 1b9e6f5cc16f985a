package io.github.ratelimit.content.cms.item;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.server.store.ContentGeneration;
import io.github.ratelimit.content.server.store.PageQuery;
import io.github.ratelimit.content.server.store.SqlCondition;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.stereotype.Component;

/** Items in the database. The same statements run on H2 and on PostgreSQL; values are bound, never spelled. */
@Component
public class ItemStore {
    private static final String TEXTS = "left join item_text on item_text.item_id = item.id ";

    private static final String SELECT = ItemColumn.select(ItemColumn.READ) + TEXTS + "where ";

    private static final String HEADER = ItemColumn.select(ItemColumn.HEADER) + "where id = ";

    private static final RowMapper<Item> ITEM = Item.from(ItemColumn.READ);

    private static final RowMapper<Item> HEADER_ALONE = Item.from(ItemColumn.HEADER);

    /** Columns of the item that tell how many characters some of its texts have. */
    private static final Map<String, Set<ItemColumn>> LENGTHS = Map.of(
            "content_length", Set.of(ItemColumn.CONTENT_RENDERED),
            "beside_length", Set.of(ItemColumn.TITLE_RENDERED, ItemColumn.EXCERPT_RENDERED, ItemColumn.FOOTNOTES),
            "written_length", Set.of(ItemColumn.TITLE, ItemColumn.CONTENT, ItemColumn.EXCERPT));

    private final JdbcClient jdbc;
    private final ContentGeneration generation;

    /** Chosen: whoever writes every second must not make the database count all items every second. */
    private static final Duration DEAR = Duration.ofMillis(20);

    private final TimeSource clock;

    /** Chosen: a total is some seconds old at most; what others wrote and this server has not polled yet is as old. */
    private final Cache<Counted, Total> totals;

    ItemStore(JdbcClient jdbc, ContentGeneration generation, TimeSource clock) {
        this.jdbc = jdbc;
        this.generation = generation;
        this.clock = clock;
        this.totals = Caffeine.newBuilder()
                .ticker(clock::nanoTime)
                .maximumSize(1_000)
                .expireAfterWrite(Duration.ofSeconds(5))
                .build();
    }

    /**
     * How many items fulfil conditions.
     *
     * @param number of them
     * @param generation of the content that was counted
     * @param isDear whether counting took long, so that the number is kept whatever is written
     */
    private record Total(long number, long generation, boolean isDear) {}

    private record Counted(String sql, List<Object> values) {
        static Counted of(SqlCondition count) {
            // Arrays are not compared by what they hold.
            return new Counted(
                    count.sql(),
                    count.values().stream()
                            .map(value -> value instanceof Object[] several ? List.of(several) : value)
                            .toList());
        }
    }

    /**
     * What is known about the revisions of an item.
     *
     * @param count how many there are, automatically saved ones included
     * @param latest the id of the last one, or 0
     */
    public record History(long count, long latest) {
        /** No revisions. */
        public static final History NONE = new History(0, 0);
    }

    /**
     * Finds an item.
     *
     * @param id of any type
     * @return empty where there is none
     */
    public Optional<Item> find(long id) {
        return jdbc.sql(SELECT + "id = ?").param(id).query(ITEM).optional();
    }

    /**
     * Finds what says who may do what with an item. Its texts are not read, however long they are.
     *
     * @param id of any type
     * @return empty where there is none
     */
    public Optional<ItemHeader> header(long id) {
        return jdbc.sql(HEADER + "?").param(id).query(HEADER_ALONE).optional().map(ItemHeader.class::cast);
    }

    /**
     * Finds what says who may do what with several items.
     *
     * @param ids of any type
     * @return by id; unknown ones are missing
     */
    Map<Long, ItemHeader> headers(Collection<Long> ids) {
        if (ids.isEmpty()) {
            return Map.of();
        }
        return jdbc.sql(HEADER + "any (?)").param(ids.toArray(Long[]::new)).query(HEADER_ALONE).list().stream()
                .collect(Collectors.toMap(ItemHeader::id, Function.identity()));
    }

    /**
     * Finds an item of a type.
     *
     * @param type what it must be
     * @param id of any type
     * @return empty where there is none, or where it is something else
     */
    public Optional<Item> find(ItemType type, long id) {
        return find(id).filter(item -> item.type() == type);
    }

    /**
     * Finds one page of a list, and counts the whole. Ids come first and rows after: what decides the order is read from an
     * index, and only the rows of the page are read at all.
     *
     * @param query what is asked for
     * @return nothing, and the total, beyond the end
     */
    public PageQuery.Page<Item> list(ItemQuery query) {
        if (query.isOfTexts()) {
            // Reading the texts takes the time, so they are read once: the page and the total come from all ids.
            long skipped = query.offset();
            long most = query.limit();
            List<Long> all = ids(query.page(0, Integer.MAX_VALUE));
            return new PageQuery.Page<>(
                    rows(query, all.stream().skip(skipped).limit(most).toList()), all.size());
        }
        SqlCondition count = query.count();
        long total = query.isStrangers() ? total(count) : count(count);
        // The database is never asked to skip what is not there, however large the number.
        return new PageQuery.Page<>(query.offset() >= total ? List.of() : page(query), total);
    }

    private long total(SqlCondition count) {
        long now = generation.number();
        return totals.asMap()
                .compute(
                        Counted.of(count),
                        (query, kept) -> kept != null && (kept.isDear() || kept.generation() == now)
                                ? kept
                                : counted(count, now))
                .number();
    }

    private Total counted(SqlCondition count, long generation) {
        long began = clock.nanoTime();
        long number = count(count);
        return new Total(number, generation, clock.nanoTime() - began > DEAR.toNanos());
    }

    private long count(SqlCondition count) {
        return jdbc.sql(count.sql()).params(count.values()).query(Long.class).single();
    }

    private List<Long> ids(ItemQuery query) {
        SqlCondition ids = query.ids();
        return jdbc.sql(ids.sql()).params(ids.values()).query(Long.class).list();
    }

    private List<Item> rows(ItemQuery query, List<Long> ids) {
        Map<Long, Item> found = findAll(ids, query.texts(), query.room());
        // One may have been deleted between the two looks.
        return ids.stream().filter(found::containsKey).map(found::get).toList();
    }

    /**
     * Finds several items.
     *
     * @param ids of any type
     * @return by id; unknown ones are missing
     */
    public Map<Long, Item> findAll(Collection<Long> ids) {
        return findAll(ids, ItemColumn.READ_TEXTS, null);
    }

    /**
     * Finds several items for an answer.
     *
     * @param ids of any type
     * @param texts the columns of texts that are read; the other texts are empty
     * @param room asked for the characters of all these texts before they are read; null where the texts need not wait for any
     * @return by id; unknown ones are missing
     */
    Map<Long, Item> findAll(Collection<Long> ids, Set<ItemColumn> texts, @Nullable LongConsumer room) {
        if (ids.isEmpty()) {
            return Map.of();
        }
        Long[] keys = ids.toArray(Long[]::new);
        String lengths = LENGTHS.entrySet().stream()
                .filter(length -> !Collections.disjoint(length.getValue(), texts))
                .map(Map.Entry::getKey)
                .collect(Collectors.joining(" + "));
        if (room != null && !lengths.isEmpty()) {
            room.accept(jdbc.sql("select coalesce(sum(" + lengths + "), 0) from item where id = any (?)")
                    .param(keys)
                    .query(Long.class)
                    .single());
        }
        Set<ItemColumn> columns = EnumSet.copyOf(ItemColumn.READ);
        columns.removeIf(column -> ItemColumn.READ_TEXTS.contains(column) && !texts.contains(column));
        return jdbc
                .sql(ItemColumn.select(columns) + (texts.isEmpty() ? "" : TEXTS) + "where id = any (?)")
                .param(keys)
                .query(Item.from(columns))
                .list()
                .stream()
                .collect(Collectors.toMap(Item::id, Function.identity()));
    }

    /**
     * Finds the shown titles of one page of what a condition selects, and reads no other text.
     *
     * @param query what is asked for
     * @return by id, in the order of the query
     */
    public Map<Long, String> titles(ItemQuery query) {
        Map<Long, String> titles = new LinkedHashMap<>();
        ids(query).forEach(id -> titles.put(id, ""));
        jdbc.sql("select item_id, title_rendered from item_text where item_id = any (?)")
                .param(titles.keySet().toArray(Long[]::new))
                .query(row -> {
                    titles.put(row.getLong(1), row.getString(2));
                });
        return titles;
    }

    /**
     * Finds all items that a condition of the caller's own selects. For few items at a time.
     *
     * @param query what is asked for; its page is not looked at
     * @return in the order of the query
     */
    public List<Item> all(ItemQuery query) {
        return page(query.page(0, Integer.MAX_VALUE));
    }

    /**
     * Finds one page of what a condition selects, without counting the rest.
     *
     * @param query what is asked for
     * @return in the order of the query
     */
    List<Item> page(ItemQuery query) {
        return rows(query, ids(query));
    }

    /** Stores a new item. A column that is missing has the default of the database. */
    Item create(ItemChanges changes) {
        Item stored = Item.BLANK.with(insert(changes), changes);
        note(Stream.of(stored));
        return stored;
    }

    /** Stores a new item that no stranger sees, and returns its id. */
    long insert(ItemChanges changes) {
        GeneratedKeyHolder key = new GeneratedKeyHolder();
        insert("item", withLengths(changes, column -> "")).update(key, "id");
        long id = Objects.requireNonNull(key.getKey()).longValue();
        Map<String, @Nullable Object> texts = changes.of(true);
        texts.put("item_id", id);
        insert("item_text", texts).update();
        return id;
    }

    /** Adds the lengths that change. */
    private static Map<String, @Nullable Object> withLengths(ItemChanges changes, Function<ItemColumn, String> before) {
        Map<String, @Nullable Object> values = changes.of(false);
        LENGTHS.forEach((length, texts) -> {
            if (texts.stream().anyMatch(text -> changes.get(text) != null)) {
                values.put(
                        length,
                        texts.stream()
                                .mapToLong(text -> (changes.get(text) instanceof String changed
                                                ? changed
                                                : before.apply(text))
                                        .length())
                                .sum());
            }
        });
        return values;
    }

    private StatementSpec insert(String table, Map<String, @Nullable Object> values) {
        return jdbc.sql("insert into " + table + " (" + String.join(", ", values.keySet()) + ") values ("
                        + places("?", values.size()) + ")")
                .params(new ArrayList<>(values.values()));
    }

    /**
     * Changes an item.
     *
     * @param item as it was read within the same write
     * @param changes the columns to write
     * @return as it is stored
     */
    Item update(Item item, ItemChanges changes) {
        update("item", "id", item.id(), withLengths(changes, item::text));
        update("item_text", "item_id", item.id(), changes.of(true));
        Item written = item.with(item.id(), changes);
        note(Stream.of(item, written));
        return written;
    }

    private void update(String table, String key, long id, Map<String, @Nullable Object> values) {
        if (!values.isEmpty()) {
            List<@Nullable Object> bound = new ArrayList<>(values.values());
            bound.add(id);
            jdbc.sql("update " + table + " set " + String.join(" = ?, ", values.keySet()) + " = ? where " + key
                            + " = ?")
                    .params(bound)
                    .update();
        }
    }

    private void note(Stream<Item> states) {
        states.filter(item -> item.type() != ItemType.REVISION).forEach(this::noteShown);
    }

    /**
     * Notes a change of what strangers may see with an item.
     *
     * @param item may be hidden from them: then nothing is noted
     */
    public void noteShown(Item item) {
        if (item.isPublic()) {
            generation.raise();
        }
    }

    /** Finds the items of a type directly below another one. */
    List<Item> below(long parent, ItemType type) {
        return all(ItemQuery.of(type).where("parent_id = ?", parent));
    }

    /** Lets the items that name an item in a column name another one. */
    void replace(ItemColumn column, long from, long to) {
        int replaced = jdbc.sql("update item set " + column.sql() + " = ? where " + column.sql()
                        + " = ? and kind <> 'revision' and id <> ?")
                .params(to, from, from)
                .update();
        if (replaced > 0) {
            generation.raise();
        }
    }

    /**
     * Deletes an item with its revisions.
     *
     * @param item as it was read within the same write
     * @return whether it was there
     */
    boolean delete(Item item) {
        jdbc.sql("delete from item where parent_id = ? and kind = 'revision'")
                .param(item.id())
                .update();
        if (item.type() == ItemType.REVISION) {
            generation.raise(); // Its item shows how many there are.
        }
        note(Stream.of(item));
        return jdbc.sql("delete from item where id = ?").param(item.id()).update() > 0;
    }

    /**
     * Tells how many revisions items have.
     *
     * @param ids of items
     * @return by id; those without any are missing
     */
    public Map<Long, History> histories(Collection<Long> ids) {
        if (ids.isEmpty()) {
            return Map.of();
        }
        Map<Long, History> histories = new HashMap<>();
        // The kind is looked at last: H2 walks through a whole index for a list of values beside a single one.
        jdbc.sql("select parent_id, count(*), max(id) from item where parent_id = any (?)"
                        + " and case when kind = 'revision' then true else false end group by parent_id")
                .param(ids.toArray(Long[]::new))
                .query((row, number) -> histories.put(row.getLong(1), new History(row.getLong(2), row.getLong(3))))
                .list();
        return histories;
    }

    /** Lists the ids of an item's revisions of a kind, which their slug names, the newest first. Reads no text of any. */
    List<Long> revisions(long parent, String slug) {
        return jdbc.sql("select id from item where parent_id = ? and kind = 'revision' and slug = ? order by id desc")
                .params(parent, slug)
                .query(Long.class)
                .list();
    }

    /** Deletes items that have no revisions. */
    void deleteAll(List<Long> ids) {
        if (!ids.isEmpty()) {
            jdbc.sql("delete from item where id = any (?)")
                    .param(ids.toArray(Long[]::new))
                    .update();
        }
    }

    /**
     * Finds the slugs that other items have. Items share slugs with their own kind, and files with every item.
     *
     * @param type of the item that asks
     * @param parent its parent
     * @param slugs the wishes
     * @param except the item that asks
     * @return some of the wishes
     */
    Set<String> takenSlugs(ItemType type, long parent, Set<String> slugs, long except) {
        List<Object> values = new ArrayList<>();
        // Pairs, as H2 finds a list of values in an index only where it asks for nothing but the list.
        String taken;
        if (type == ItemType.ATTACHMENT) {
            taken = "slug_scope is not null and slug in (" + places("?", slugs.size()) + ")";
            values.addAll(slugs);
        } else {
            taken = "(slug_scope, slug) in (" + places("(?, ?)", slugs.size()) + ")";
            slugs.forEach(slug -> values.addAll(List.of(type.slugScope(parent), slug)));
        }
        String sql = "select slug from item where " + taken + " and id <> ?";
        values.add(except);
        if (type == ItemType.PAGE) {
            // By the slug, as any number of files may belong to nothing.
            sql += " union all select slug from item where slug in (" + places("?", slugs.size())
                    + ") and case when parent_id = ? and kind = 'attachment' then true else false end";
            values.addAll(slugs);
            values.add(parent);
        }
        return jdbc.sql(sql).params(values).query(String.class).set();
    }

    private static String places(String place, int count) {
        return String.join(", ", Collections.nCopies(count, place));
    }

    /**
     * Finds the items that are to be published.
     *
     * @param now the moment up to which
     * @param most how many at once
     * @return the longest overdue first
     */
    List<Item> due(Instant now, int most) {
        List<Item> due = new ArrayList<>();
        for (ItemType type : ItemType.written()) {
            due.addAll(page(ItemQuery.of(type)
                    .withStatus(Set.of(ItemStatus.FUTURE))
                    .where("published_at <= ?", now.atOffset(ZoneOffset.UTC))
                    .orderBy(ItemQuery.OrderBy.DATE, true)
                    .page(0, most - due.size())));
        }
        return due;
    }
}
