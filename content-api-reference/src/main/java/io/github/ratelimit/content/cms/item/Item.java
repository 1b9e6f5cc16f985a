package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.security.ItemRights;
import io.github.ratelimit.content.cms.text.Rendering;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.Set;
import org.springframework.jdbc.core.RowMapper;

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
        implements ItemHeader {

    /**
     * A text as it was written, and as it is read.
     *
     * @param raw what an editor sees
     * @param rendered what a reader sees; made when the text was written
     */
    public record Text(String raw, String rendered) {
        /** No text. */
        public static final Text NONE = new Text("", "");

        Text with(ItemChanges changes, ItemColumn rawColumn, ItemColumn renderedColumn) {
            return new Text(changes.get(rawColumn, raw), changes.get(renderedColumn, rendered));
        }

        /** Names the item where the rendered text leads to parts of itself. */
        Text named(long item) {
            return new Text(raw, Rendering.named(rendered, item));
        }
    }

    /**
     * The texts of an item as they were written.
     *
     * @param title may hold HTML
     * @param content the text itself
     * @param excerpt in short, or empty
     * @param footnotes as an editor's tool keeps them
     */
    record Originals(String title, String content, String excerpt, String footnotes) {
        long length() {
            return (long) title.length() + content.length() + excerpt.length() + footnotes.length();
        }

        boolean isSame(Originals other) {
            return isSame(title, other.title)
                    && isSame(content, other.content)
                    && isSame(excerpt, other.excerpt)
                    && footnotes.equals(other.footnotes);
        }

        /** Repeated spaces and line breaks make no other text. */
        private static boolean isSame(String one, String other) {
            return one.equals(other) || spacedOnce(one).equals(spacedOnce(other));
        }

        private static String spacedOnce(String text) {
            return text.replace('\t', ' ')
                    .replace('\r', '\n')
                    .replaceAll(" +", " ")
                    .replaceAll("\n+", "\n")
                    .strip();
        }
    }

    /** As the columns are that nobody sets. */
    static final Item BLANK = new Item(
            0,
            ItemType.POST,
            ItemStatus.DRAFT,
            0,
            0,
            "",
            Instant.MIN,
            false,
            Instant.MIN,
            Text.NONE,
            Text.NONE,
            Text.NONE,
            0,
            "",
            0,
            false,
            false,
            "standard",
            "",
            false,
            0,
            "",
            "",
            Optional.empty(),
            "");

    /** Says whether the item is not stored yet. */
    boolean isBlank() {
        return id == 0;
    }

    /** Makes the item that some changes make of this one, as the database would read it. */
    Item with(long id, ItemChanges changes) {
        ItemStatus next = changes.status().orElse(status);
        boolean isInTrash = next == ItemStatus.TRASH;
        return new Item(
                id,
                ItemType.of(changes.get(ItemColumn.KIND, type.wireName())),
                next,
                changes.get(ItemColumn.AUTHOR_ID, author),
                changes.get(ItemColumn.PARENT_ID, parent),
                changes.get(ItemColumn.SLUG, slug),
                changes.get(ItemColumn.PUBLISHED_AT, published),
                changes.get(ItemColumn.UNDATED, isUndated),
                changes.get(ItemColumn.MODIFIED_AT, modified),
                title.with(changes, ItemColumn.TITLE, ItemColumn.TITLE_RENDERED),
                content.with(changes, ItemColumn.CONTENT, ItemColumn.CONTENT_RENDERED)
                        .named(id),
                excerpt.with(changes, ItemColumn.EXCERPT, ItemColumn.EXCERPT_RENDERED),
                changes.get(ItemColumn.BLOCK_VERSION, (Number) blockVersion).longValue(),
                changes.get(ItemColumn.PASSWORD, password),
                changes.get(ItemColumn.MENU_ORDER, menuOrder),
                changes.get(ItemColumn.COMMENTS_OPEN, commentsOpen),
                changes.get(ItemColumn.PINGS_OPEN, pingsOpen),
                changes.get(ItemColumn.FORMAT, format),
                changes.get(ItemColumn.TEMPLATE, template),
                changes.get(ItemColumn.STICKY, isSticky),
                changes.get(ItemColumn.FEATURED_MEDIA, featuredMedia),
                changes.get(ItemColumn.FOOTNOTES, footnotes),
                changes.get(ItemColumn.MIME_TYPE, mimeType),
                isInTrash
                        ? ItemStatus.of(changes.get(ItemColumn.TRASHED_STATUS, ""))
                                .or(() -> trashedStatus)
                        : Optional.empty(),
                isInTrash ? changes.get(ItemColumn.TRASHED_SLUG, trashedSlug) : "");
    }

    /** Reads rows of the id and some columns, in their order. The others are blank. */
    static RowMapper<Item> from(Set<ItemColumn> columns) {
        return (row, number) -> {
            ItemChanges read = new ItemChanges();
            int at = 1;
            for (ItemColumn column : columns) {
                at++;
                read.set(
                        column,
                        ItemColumn.MOMENTS.contains(column)
                                ? row.getObject(at, OffsetDateTime.class).toInstant()
                                : row.getObject(at));
            }
            return BLANK.with(row.getLong(1), read);
        };
    }

    /** Returns the text of a column of {@link ItemColumn#READ_TEXTS}. */
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

    Originals originals() {
        return new Originals(title.raw(), content.raw(), excerpt.raw(), footnotes);
    }

    /**
     * Tells the title as readers see it.
     *
     * @return HTML
     */
    public String shownTitle() {
        return (isGuarded() ? "Protected: " : "") + title.rendered();
    }

    /**
     * Says whether a text counts as none.
     *
     * @param text any
     * @return true for a zero too, as clients of this interface know it
     */
    static boolean isNothing(String text) {
        return text.isEmpty() || text.equals("0");
    }

    /** Says whether strangers may see that it is there: a file, as if it belonged to nothing. */
    boolean isPublic() {
        return stage(status, trashedStatus) == ItemRights.Stage.PUBLIC;
    }

    static ItemRights.Stage stage(ItemStatus status, Optional<ItemStatus> trashedStatus) {
        return switch (status) {
            case PUBLISH, INHERIT -> ItemRights.Stage.PUBLIC;
            case FUTURE -> ItemRights.Stage.HELD_BACK;
            case PRIVATE -> ItemRights.Stage.PRIVATE;
            case TRASH -> {
                boolean wasShown = trashedStatus
                        .filter(before -> before == ItemStatus.PUBLISH || before == ItemStatus.FUTURE)
                        .isPresent();
                yield wasShown ? ItemRights.Stage.HELD_BACK : ItemRights.Stage.UNFINISHED;
            }
            default -> ItemRights.Stage.UNFINISHED;
        };
    }
}
