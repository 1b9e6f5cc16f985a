package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.security.ItemStage;
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
 * @param menuOrder its place among its siblings
 * @param commentsOpen whether comments are welcome
 * @param pingsOpen whether other sites may announce links
 * @param format how it is to be shown
 * @param template what it is shown with, or empty
 * @param isSticky whether it stays on top of lists
 * @param featuredMedia a picture's id, or 0
 * @param footnotes as an editor's tool keeps them
 * @param mimeType of a file
 * @param trashedStatus what it was before it was thrown away
 * @param trashedSlug the slug it had before it was thrown away
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
        int blockVersion,
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
        Optional<String> trashedSlug)
        implements Standing {

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
        return title.length() + content.length() + excerpt.length() + footnotes.length();
    }
}
