package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.security.ItemStage;
import io.github.ratelimit.content.cms.text.Rendering;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A post, a page, an uploaded file or a revision, as it is stored.
 *
 * @param id among all items of all types
 * @param type what it is
 * @param status how far it has come
 * @param author an account's id, or 0
 * @param parent another item's id, or 0
 * @param slug its name in addresses, or empty
 * @param published when it was or will be published
 * @param isUndated whether nobody chose that moment
 * @param modified when it was last written
 * @param title may hold HTML
 * @param content the text itself; of a file, its description
 * @param excerpt in short; rendered even where none was written. Of a file, its caption
 * @param blockVersion 1 where the content is made of blocks
 * @param password guards content and excerpt, or empty
 * @param menuOrder its place among its siblings
 * @param commentsOpen whether comments are welcome
 * @param pingsOpen whether announcements of links are welcome
 * @param format how it is to be shown
 * @param template the template of its page, or empty
 * @param isSticky whether it stays on top of lists
 * @param featuredMedia a picture's id, or 0
 * @param footnotes as an editor's tool keeps them
 * @param mimeType of a file
 * @param trashedStatus what it was before it was thrown away
 * @param trashedSlug the slug it had before it was thrown away, or empty
 */
public record Item(
        long id,
        ItemType type,
        ItemStatus status,
        long author,
        long parent,
        String slug,
        Instant published,
        boolean isUndated,
        Instant modified,
        Text title,
        Text content,
        Text excerpt,
        long blockVersion,
        String password,
        long menuOrder,
        boolean commentsOpen,
        boolean pingsOpen,
        String format,
        String template,
        boolean isSticky,
        long featuredMedia,
        String footnotes,
        String mimeType,
        Optional<ItemStatus> trashedStatus,
        String trashedSlug)
        implements Standing {

    private static final String COLUMNS = "id, kind, status, author_id, parent_id, slug, published_at, undated,"
            + " modified_at, %s, %s, %s, %s, %s, %s, block_version, password, menu_order, comments_open, pings_open,"
            + " format, template, sticky, featured_media, %s, mime_type, trashed_status, trashed_slug";

    /** Names the columns that {@link #of} reads. Texts that are not asked for are empty. */
    static String columns(Set<ItemColumn> texts) {
        return COLUMNS.formatted(ItemColumn.READ.stream()
                .map(column -> texts.contains(column) ? column.sql() : "''")
                .toArray());
    }

    /** Reads the first columns of a row. */
    static Item of(ResultSet row, int number) throws SQLException {
        long id = row.getLong(1);
        return new Item(
                id,
                ItemType.of(row.getString(2)),
                ItemStatus.of(row.getString(3)).orElse(ItemStatus.DRAFT),
                row.getLong(4),
                row.getLong(5),
                row.getString(6),
                row.getObject(7, OffsetDateTime.class).toInstant(),
                row.getBoolean(8),
                row.getObject(9, OffsetDateTime.class).toInstant(),
                new Text(row.getString(10), row.getString(11)),
                new Text(row.getString(12), Rendering.named(row.getString(13), id)),
                new Text(row.getString(14), row.getString(15)),
                row.getLong(16),
                row.getString(17),
                row.getLong(18),
                row.getBoolean(19),
                row.getBoolean(20),
                row.getString(21),
                row.getString(22),
                row.getBoolean(23),
                row.getLong(24),
                row.getString(25),
                row.getString(26),
                Optional.ofNullable(row.getString(27)).flatMap(ItemStatus::of),
                Objects.requireNonNullElse(row.getString(28), ""));
    }

    /** Returns the text of a column of {@link ItemColumn#READ}. */
    String text(ItemColumn column) {
        return switch (column) {
            case TITLE -> title.raw();
            case TITLE_RENDERED -> title.rendered();
            case CONTENT -> content.raw();
            case CONTENT_RENDERED -> content.rendered();
            case EXCERPT -> excerpt.raw();
            case EXCERPT_RENDERED -> excerpt.rendered();
            case FOOTNOTES -> footnotes;
            default -> throw new IllegalArgumentException("column " + column + " has no text that is read");
        };
    }

    /** Says whether strangers may see that it is there: a file, as if it belonged to nothing. */
    boolean isPublic() {
        return stage(status, trashedStatus) == ItemStage.PUBLIC;
    }

    static ItemStage stage(ItemStatus status, Optional<ItemStatus> trashedStatus) {
        return switch (status) {
            case PUBLISH, INHERIT -> ItemStage.PUBLIC;
            case FUTURE -> ItemStage.HELD_BACK;
            case PRIVATE -> ItemStage.PRIVATE;
            case TRASH -> {
                boolean wasShown = trashedStatus
                        .filter(before -> before == ItemStatus.PUBLISH || before == ItemStatus.FUTURE)
                        .isPresent();
                yield wasShown ? ItemStage.HELD_BACK : ItemStage.UNFINISHED;
            }
            default -> ItemStage.UNFINISHED;
        };
    }
}
