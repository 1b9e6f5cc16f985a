package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.settings.CmsSettings;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Earlier wordings of items: one for each update that changed the words, and one that each author's tool saves by itself.
 */
@Component
public class ItemHistory {
    private static final String KEPT = "-revision-v1";
    private static final String AUTOMATIC = "-autosave-v1";

    private final ItemStore store;
    private final CmsSettings.Revisions settings;

    ItemHistory(ItemStore store, CmsSettings settings) {
        this.settings = settings.revisions();
        this.store = store;
    }

    /**
     * Says whether a revision was saved by a tool, not by an update.
     *
     * @param revision any revision
     * @return whether it is an autosave
     */
    public static boolean isAutomatic(Item revision) {
        return revision.slug().endsWith(AUTOMATIC);
    }

    /**
     * Asks for the autosaves of an item.
     *
     * @param parent the item's id
     * @return all of them, newest first
     */
    public static ItemQuery automatic(long parent) {
        return of(parent).where("slug = ?", parent + AUTOMATIC);
    }

    /**
     * Asks for the revisions of an item.
     *
     * @param parent the item's id
     * @return all of them, newest first
     */
    public static ItemQuery of(long parent) {
        return ItemQuery.of(ItemType.REVISION).where("parent_id = ?", parent);
    }

    /**
     * Keeps a revision of an item, unless the last one has the same texts.
     *
     * @param item as it was just written
     * @param author of the revision
     * @param now its date
     */
    void keep(Item item, long author, Instant now) {
        List<Long> there = store.revisions(item.id(), item.id() + KEPT);
        Item.Originals texts = item.originals();
        if (there.stream()
                .findFirst()
                .flatMap(store::find)
                .filter(last -> last.originals().isSame(texts))
                .isPresent()) {
            return;
        }
        String excerpt = texts.excerpt().isBlank() ? "" : item.excerpt().rendered();
        ItemChanges kept = new ItemChanges()
                .title(texts.title())
                .storedContent(texts.content())
                .set(ItemColumn.CONTENT_RENDERED, item.content().rendered())
                .set(ItemColumn.BLOCK_VERSION, item.blockVersion())
                .set(ItemColumn.EXCERPT, texts.excerpt())
                .set(ItemColumn.EXCERPT_RENDERED, excerpt)
                .set(ItemColumn.FOOTNOTES, texts.footnotes());
        store.insert(revision(kept, item, KEPT, author, now));
        // The length of the newest revision decides how many are kept.
        store.deleteAll(there.stream().skip(settings.kept(texts.length()) - 1L).toList());
    }

    /** Saves texts in the place of the author's last autosave of an item. */
    Item saveAutomatically(Item item, long author, ItemDraft draft, ItemChanges rendered, Instant now) {
        Optional<Item> last =
                store.all(automatic(item.id()).by(author)).stream().findFirst();
        if (last.isEmpty()) {
            store.noteShown(item); // It shows the number of its revisions.
            if (draft.footnotes().isEmpty()) {
                rendered.set(ItemColumn.FOOTNOTES, item.footnotes());
            }
            return store.create(revision(rendered, item, AUTOMATIC, author, now));
        }
        Item.Originals stored = item.originals();
        return draft.over(stored).isSame(stored)
                ? last.get()
                : store.update(
                        last.get(), rendered.set(ItemColumn.PUBLISHED_AT, now).set(ItemColumn.MODIFIED_AT, now));
    }

    private static ItemChanges revision(ItemChanges texts, Item item, String slug, long author, Instant now) {
        return texts.set(ItemColumn.KIND, ItemType.REVISION.wireName())
                .status(ItemStatus.INHERIT)
                .set(ItemColumn.AUTHOR_ID, author)
                .set(ItemColumn.PARENT_ID, item.id())
                .set(ItemColumn.SLUG, item.id() + slug)
                .set(ItemColumn.PUBLISHED_AT, now)
                .set(ItemColumn.MODIFIED_AT, now);
    }
}
