package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.security.ItemStage;
import io.github.ratelimit.content.cms.text.Rendering;
import io.github.ratelimit.content.shared.storage.Row;
import java.time.Instant;
import java.util.Optional;

/**
 * A post, a page, an uploaded file or a revision, as it is stored.
 *
 * @param id among all items of all types
 * @param type what it is
 * @param status how far it has come
 * @param version counts writes
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
 * @param format how it is to be shown
 * @param isSticky whether it stays on top of lists
 * @param featuredMedia a picture's id, or 0
 * @param footnotes as an editor's tool keeps them
 * @param mimeType of a file
 * @param trashedStatus what it was before it was thrown away
 * @param trashedSlug the slug it had before it was thrown away, or empty
 * @param row all that is stored of it, also what no code asks for by name
 */
public record Item(
        long id,
        ItemType type,
        ItemStatus status,
        long version,
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
        String format,
        boolean isSticky,
        long featuredMedia,
        String footnotes,
        String mimeType,
        Optional<ItemStatus> trashedStatus,
        String trashedSlug,
        Row row)
        implements Standing {

    /** Takes a row for an item. */
    static Item of(Row row) {
        long id = row.get(ItemColumn.ID);
        return new Item(
                id,
                ItemType.of(row.get(ItemColumn.TYPE)),
                ItemStatus.of(row.get(ItemColumn.STATUS)).orElse(ItemStatus.DRAFT),
                row.get(ItemColumn.VERSION),
                row.get(ItemColumn.AUTHOR_ID),
                row.get(ItemColumn.PARENT_ID),
                row.get(ItemColumn.SLUG),
                row.get(ItemColumn.PUBLISHED_AT),
                row.get(ItemColumn.UNDATED),
                row.get(ItemColumn.MODIFIED_AT),
                new Text(row.get(ItemColumn.TITLE), row.get(ItemColumn.TITLE_RENDERED)),
                new Text(row.get(ItemColumn.CONTENT), Rendering.named(row.get(ItemColumn.CONTENT_RENDERED), id)),
                new Text(row.get(ItemColumn.EXCERPT), row.get(ItemColumn.EXCERPT_RENDERED)),
                row.get(ItemColumn.BLOCK_VERSION),
                row.get(ItemColumn.PASSWORD),
                row.get(ItemColumn.FORMAT),
                row.get(ItemColumn.STICKY),
                row.get(ItemColumn.FEATURED_MEDIA),
                row.get(ItemColumn.FOOTNOTES),
                row.get(ItemColumn.MIME_TYPE),
                Optional.of(row.get(ItemColumn.TRASHED_STATUS))
                        .filter(before -> !before.isEmpty())
                        .flatMap(ItemStatus::of),
                row.get(ItemColumn.TRASHED_SLUG),
                row);
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

    /** Counts the characters of its texts. */
    long length() {
        return row.length();
    }
}
