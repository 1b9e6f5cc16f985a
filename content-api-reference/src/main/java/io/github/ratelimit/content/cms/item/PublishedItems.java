package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.item.ItemQuery.OrderBy;
import io.github.ratelimit.content.cms.term.Taxonomy;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Lists of what anybody may read, for contents that show such lists: without the texts. Safe for concurrent use. */
@Component
class PublishedItems {
    /** Chosen: a longer title or excerpt is none, and so many of them would fill the memory. */
    private static final int LONGEST = 5_000;

    /** Chosen: what is older is in no archive. */
    private static final int MOST_MOMENTS = 10_000;

    private static final String COLUMNS = "i.id, i.kind, i.published_at, i.parent_id, i.author_id, a.display_name,"
            + " case when i.password = '' then false else true end, i.featured_media, " + unlessLong("t.title_rendered")
            + ", " + unlessLong("t.excerpt_rendered");

    private final JdbcClient jdbc;
    private final ItemStore store;

    PublishedItems(JdbcClient jdbc, ItemStore store) {
        this.jdbc = jdbc;
        this.store = store;
    }

    private static String unlessLong(String column) {
        return "case when char_length(" + column + ") > " + LONGEST + " then '' else " + column + " end";
    }

    /** One of a list. The name of its author may be empty. */
    record Entry(
            long id,
            ItemType type,
            Instant published,
            long parent,
            long author,
            String authorName,
            boolean isGuarded,
            long picture,
            String title,
            String excerpt) {
        static Entry of(ResultSet row, int number) throws SQLException {
            return new Entry(
                    row.getLong(1),
                    ItemType.of(row.getString(2)),
                    row.getObject(3, OffsetDateTime.class).toInstant(),
                    row.getLong(4),
                    row.getLong(5),
                    Optional.ofNullable(row.getString(6)).orElse(""),
                    row.getBoolean(7),
                    row.getLong(8),
                    row.getString(9),
                    row.getString(10));
        }
    }

    /**
     * What posts are listed.
     *
     * @param by the order
     * @param isAscending whether it begins with the least
     * @param author an account's id, or 0 for all
     * @param categories one of which sorts the posts; any where there are none
     * @param most how many
     */
    record Wish(OrderBy by, boolean isAscending, long author, Set<Long> categories, int most) {}

    List<Entry> posts(Wish wish) {
        ItemQuery query = ItemQuery.of(ItemType.POST)
                .withStatus(List.of(ItemStatus.PUBLISH))
                .orderBy(wish.by(), wish.isAscending())
                .page(0, wish.most());
        if (wish.author() > 0) {
            query.by(wish.author());
        }
        if (!wish.categories().isEmpty()) {
            query.where(ItemFilters.sortedByAny(Taxonomy.CATEGORY, wish.categories()));
        }
        return entries(store.ids(query));
    }

    /** Lists pages by their places. */
    List<Entry> pages(int most) {
        return entries(store.ids(ItemQuery.of(ItemType.PAGE)
                .withStatus(List.of(ItemStatus.PUBLISH))
                .orderBy(OrderBy.MENU_ORDER, true)
                .page(0, most)));
    }

    private List<Entry> entries(List<Long> ids) {
        if (ids.isEmpty()) {
            return List.of();
        }
        Map<Long, Entry> found = new HashMap<>();
        jdbc.sql("select " + COLUMNS
                        + " from item i join item_text t on t.item_id = i.id left join account a on a.id = i.author_id where i.id = any (?)"
                        + " and i.status = 'publish'")
                .params(Collections.singletonList(ids.toArray(Long[]::new)))
                .query(Entry::of)
                .list()
                .forEach(entry -> found.put(entry.id(), entry));
        List<Entry> ordered = new ArrayList<>(ids.size());
        ids.stream().filter(found::containsKey).forEach(id -> ordered.add(found.get(id)));
        return ordered;
    }

    /** Tells when posts were published, the newest first. */
    List<Instant> moments() {
        return jdbc.sql("select published_at from item where kind = 'post' and status = 'publish'"
                        + " order by kind desc, status desc, published_at desc fetch first " + MOST_MOMENTS
                        + " rows only")
                .query((row, number) -> row.getObject(1, OffsetDateTime.class).toInstant())
                .list();
    }

    /** Picks the pictures that belong to nothing, or to something that anybody may read. */
    Set<Long> open(Collection<Long> pictures) {
        if (pictures.isEmpty()) {
            return Set.of();
        }
        List<Belonging> found = jdbc.sql(
                        "select i.id, i.parent_id, case when owner.id is null or owner.status = 'publish'"
                                + " then true else false end from item i left join item owner on owner.id = i.parent_id"
                                + " where i.id = any (?) and i.kind = 'attachment' and i.status = 'inherit'")
                .params(Collections.singletonList(pictures.toArray(Long[]::new)))
                .query((row, number) -> new Belonging(row.getLong(1), row.getLong(2), row.getBoolean(3)))
                .list();
        return found.stream().filter(Belonging::isOpen).map(Belonging::picture).collect(Collectors.toSet());
    }

    /** What a picture belongs to, which may be 0, and whether anybody may see it there. */
    private record Belonging(long picture, long owner, boolean isOpen) {}

    /** Names accounts as they call themselves. */
    Map<Long, String> names(Collection<Long> accounts) {
        Map<Long, String> names = new HashMap<>();
        jdbc.sql("select id, display_name from account where id = any (?)")
                .params(Collections.singletonList(accounts.toArray(Long[]::new)))
                .query((row, number) -> names.put(row.getLong(1), row.getString(2)))
                .list();
        return names;
    }
}
