package io.github.ratelimit.content.item;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.stereotype.Component;

/** Items in the database. The same statements run on H2 and on PostgreSQL; values are bound, never spelled. */
@Component
public class ItemStore {
    private static final String COLUMNS =
            "id, kind, status, version, author_id, parent_id, slug, published_at, undated,"
                    + " modified_at, title, title_rendered, content, content_rendered, excerpt, excerpt_rendered,"
                    + " block_version, password, menu_order, comments_open, pings_open, format, sticky, featured_media,"
                    + " footnotes, mime_type, trashed_status, trashed_slug";

    private final JdbcClient jdbc;

    ItemStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * One page of a list.
     *
     * @param items what is on it
     * @param total how many items all pages have
     */
    public record Slice(List<Item> items, long total) {}

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
        return jdbc.sql("select " + COLUMNS + " from item where id = ?")
                .param(id)
                .query(ItemStore::item)
                .optional();
    }

    /**
     * Finds an item to be changed: whoever else wants to change it waits until the transaction ends. Without that, one of two
     * writers of different fields may put back what the other one changed.
     *
     * @param type what it must be
     * @param id of any type
     * @return empty where there is none, or where it is something else
     */
    public Optional<Item> findForChange(ItemType type, long id) {
        return jdbc.sql("select " + COLUMNS + " from item where id = ? for update")
                .param(id)
                .query(ItemStore::item)
                .optional()
                .filter(item -> item.type() == type);
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
     * Finds one page of a list, and counts the whole.
     *
     * @param query what is asked for
     * @return nothing, and a total of 0, beyond the end
     */
    public Slice list(ItemQuery query) {
        List<@Nullable Object> values = query.values();
        long total = jdbc.sql("select count(*) from item where " + query.condition())
                .params(values)
                .query(Long.class)
                .single();
        if (total == 0) {
            return new Slice(List.of(), 0);
        }
        return new Slice(query.hasGivenOrder() ? inGivenOrder(query) : inOrder(query), total);
    }

    private List<Item> inOrder(ItemQuery query) {
        List<@Nullable Object> values = query.values();
        values.addAll(query.orderValues());
        values.add(query.offset());
        values.add(query.limit());
        return jdbc.sql("select " + COLUMNS + " from item where " + query.condition() + " order by " + query.order()
                        + " offset ? rows fetch first ? rows only")
                .params(values)
                .query(ItemStore::item)
                .list();
    }

    /** The order is one that only the caller knows: the keys are sorted here, and one page of items is fetched. */
    private List<Item> inGivenOrder(ItemQuery query) {
        record Key(long id, String slug) {}
        List<Key> keys = jdbc.sql("select id, slug from item where " + query.condition())
                .params(query.values())
                .query((row, number) -> new Key(row.getLong(1), row.getString(2)))
                .list();
        List<Long> page = keys.stream()
                .sorted(Comparator.comparingInt(key -> query.givenPlace(key.id(), key.slug())))
                .skip(query.offset())
                .limit(query.limit())
                .map(Key::id)
                .toList();
        Map<Long, Item> found = findAll(page);
        return page.stream().filter(found::containsKey).map(found::get).toList();
    }

    /**
     * Finds several items.
     *
     * @param ids of any type
     * @return by id; unknown ones are missing
     */
    public Map<Long, Item> findAll(Collection<Long> ids) {
        if (ids.isEmpty()) {
            return Map.of();
        }
        return jdbc
                .sql("select " + COLUMNS + " from item where id = any (?)")
                .params(Collections.singletonList(ids.toArray(Long[]::new)))
                .query(ItemStore::item)
                .list()
                .stream()
                .collect(Collectors.toMap(Item::id, Function.identity()));
    }

    /**
     * Finds all items that a condition of the caller's own selects. For few items at a time.
     *
     * @param query what is asked for; its page is not looked at
     * @return in the order of the query
     */
    public List<Item> all(ItemQuery query) {
        return inOrder(query.page(0, Integer.MAX_VALUE));
    }

    /**
     * Stores a new item.
     *
     * @param changes its columns; what is missing has the default of the database
     * @return its id
     * @throws org.springframework.dao.DuplicateKeyException if another item has the slug
     */
    public long insert(ItemChanges changes) {
        String names = changes.columns().stream().map(ItemColumn::sql).collect(Collectors.joining(", "));
        String marks = String.join(", ", Collections.nCopies(changes.columns().size(), "?"));
        GeneratedKeyHolder key = new GeneratedKeyHolder();
        jdbc.sql("insert into item (" + names + ") values (" + marks + ")")
                .params(changes.inOrder())
                .update(key, "id");
        Number id = key.getKey();
        if (id == null) {
            throw new IllegalStateException("the database gave no id");
        }
        return id.longValue();
    }

    /**
     * Changes an item that nobody else changed meanwhile.
     *
     * @param item as it was read
     * @param changes the columns to write
     * @return false where someone else was faster, or the item is gone
     * @throws org.springframework.dao.DuplicateKeyException if another item has the slug
     */
    public boolean update(Item item, ItemChanges changes) {
        String assignments = changes.columns().stream()
                .map(column -> column.sql() + " = ?, ")
                .collect(Collectors.joining());
        List<@Nullable Object> values = changes.inOrder();
        values.add(item.id());
        values.add(item.version());
        return jdbc.sql("update item set " + assignments + "version = version + 1 where id = ? and version = ?")
                        .params(values)
                        .update()
                == 1;
    }

    /**
     * Deletes an item with its revisions, and mends what pointed to it: what stood below moves up, what featured it as a
     * picture has none.
     *
     * @param item as it was read
     * @return false where it was gone already
     */
    public boolean delete(Item item) {
        boolean deleted =
                jdbc.sql("delete from item where id = ?").param(item.id()).update() == 1;
        jdbc.sql("delete from item where parent_id = ? and kind = 'revision'")
                .param(item.id())
                .update();
        if (item.type() == ItemType.ATTACHMENT) {
            jdbc.sql("update item set featured_media = 0, version = version + 1 where featured_media = ?")
                    .param(item.id())
                    .update();
        }
        jdbc.sql("update item set parent_id = ?, version = version + 1 where parent_id = ? and kind = 'attachment'")
                .param(item.parent())
                .param(item.id())
                .update();
        return deleted;
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
        jdbc.sql("select parent_id, count(*), max(id) from item where kind = 'revision' and parent_id = any (?)"
                        + " group by parent_id")
                .params(Collections.singletonList(ids.toArray(Long[]::new)))
                .query(row -> {
                    histories.put(row.getLong(1), new History(row.getLong(2), row.getLong(3)));
                });
        return histories;
    }

    /**
     * Tells what items are.
     *
     * @param ids of items
     * @return by id; unknown ones are missing
     */
    public Map<Long, ItemType> types(Collection<Long> ids) {
        if (ids.isEmpty()) {
            return Map.of();
        }
        Map<Long, ItemType> types = new HashMap<>();
        jdbc.sql("select id, kind from item where id = any (?)")
                .params(Collections.singletonList(ids.toArray(Long[]::new)))
                .query(row -> {
                    types.put(row.getLong(1), ItemType.of(row.getString(2)));
                });
        return types;
    }

    /**
     * Lists the slugs that an item must not take: its own kind's, and for files, which share addresses with everything,
     * all.
     *
     * @param type of the item that asks
     * @param parent what it stands below
     * @param slug the wish
     * @param except the item that asks, or 0
     * @param withNumbered whether slugs that add a number to the wish are looked for too, which takes longer
     * @return those that are taken
     */
    List<String> takenSlugs(ItemType type, long parent, String slug, long except, boolean withNumbered) {
        List<@Nullable Object> values = new ArrayList<>();
        String within;
        switch (type) {
            case ATTACHMENT -> within = "slug_scope is not null";
            case PAGE -> {
                within = "(slug_scope = ? or (kind = 'attachment' and parent_id = ?))";
                values.add(type.slugScope(parent));
                values.add(parent);
            }
            default -> {
                within = "slug_scope = ?";
                values.add(type.slugScope(parent));
            }
        }
        values.add(slug);
        String named = "slug = ?";
        if (withNumbered) {
            values.add(ItemQuery.escape(slug) + "-%");
            named = "(slug = ? or slug like ? escape '!')";
        }
        values.add(except);
        return jdbc.sql("select slug from item where " + within + " and " + named + " and id <> ?")
                .params(values)
                .query(String.class)
                .list();
    }

    /**
     * Finds the items that are to be published.
     *
     * @param now the moment up to which
     * @param most how many at once
     * @return the longest overdue first
     */
    List<Item> due(Instant now, int most) {
        return jdbc.sql("select " + COLUMNS + " from item where status = 'future' and published_at <= ?"
                        + " order by published_at fetch first ? rows only")
                .param(now.atOffset(ZoneOffset.UTC))
                .param(most)
                .query(ItemStore::item)
                .list();
    }

    private static Item item(ResultSet row, int number) throws SQLException {
        String trashedStatus = row.getString(27);
        return new Item(
                row.getLong(1),
                ItemType.of(row.getString(2)),
                ItemStatus.of(row.getString(3)).orElse(ItemStatus.DRAFT),
                row.getLong(4),
                row.getLong(5),
                row.getLong(6),
                row.getString(7),
                moment(row, 8),
                row.getBoolean(9),
                moment(row, 10),
                new Text(row.getString(11), row.getString(12)),
                new Text(row.getString(13), row.getString(14)),
                new Text(row.getString(15), row.getString(16)),
                row.getInt(17),
                row.getString(18),
                row.getLong(19),
                row.getBoolean(20),
                row.getBoolean(21),
                row.getString(22),
                row.getBoolean(23),
                row.getLong(24),
                row.getString(25),
                row.getString(26),
                Optional.ofNullable(trashedStatus).flatMap(ItemStatus::of),
                Optional.ofNullable(row.getString(28)));
    }

    private static Instant moment(ResultSet row, int column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
