package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.cms.text.KnownImages;
import io.github.ratelimit.content.server.http.RequestBounds;
import io.github.ratelimit.content.server.store.Writes;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/**
 * Earlier wordings of items: one for each update that changed the words, and one that each author's tool saves by itself.
 */
@Component
public class ItemHistory {
    private static final String KEPT = "-revision-v1";
    private static final String AUTOMATIC = "-autosave-v1";

    private final ItemStore store;
    private final CmsSettings.Revisions settings;
    private final RequestBounds bounds;

    ItemHistory(ItemStore store, CmsSettings settings, RequestBounds bounds) {
        this.bounds = bounds;
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
     * Restricts a query to autosaves.
     *
     * @param query of revisions of one item
     * @param parent that item's id
     * @return the query
     */
    public static ItemQuery automaticOnly(ItemQuery query, long parent) {
        return query.where("slug = ?", parent + AUTOMATIC);
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
     * Keeps the wording that an item has now, unless that is the wording that was kept last.
     *
     * @param item as it was just written
     * @param author who wrote it
     * @param now when
     */
    void keep(Item item, long author, Instant now) {
        List<Long> there = store.revisions(item.id(), item.id() + KEPT);
        Optional<Item> last = there.stream().findFirst().flatMap(store::find);
        if (last.isPresent() && isSame(last.get(), item)) {
            return;
        }
        // Rendered as the item was, a moment ago. Unlike an item, a revision shows no excerpt where none was written.
        ItemChanges wording = new ItemChanges()
                .title(item.title().raw())
                .set(ItemColumn.CONTENT, item.content().raw())
                .set(ItemColumn.CONTENT_RENDERED, item.content().rendered())
                .set(ItemColumn.BLOCK_VERSION, item.blockVersion())
                .set(ItemColumn.EXCERPT, item.excerpt().raw())
                .set(
                        ItemColumn.EXCERPT_RENDERED,
                        item.excerpt().raw().isBlank() ? "" : item.excerpt().rendered())
                .set(ItemColumn.FOOTNOTES, item.footnotes());
        store.insert(identity(wording, item.id(), KEPT, author, now));
        // The length of the newest one bounds them all: nobody has to read those that are there.
        store.deleteRevisions(
                item.id(), there.stream().skip(settings.kept(length(item)) - 1L).toList());
    }

    private static long length(Item item) {
        return (long) item.title().raw().length()
                + item.content().raw().length()
                + item.excerpt().raw().length()
                + item.footnotes().length();
    }

    private static boolean isSame(Item one, Item other) {
        return isSame(one.title().raw(), other.title().raw())
                && isSame(one.content().raw(), other.content().raw())
                && isSame(one.excerpt().raw(), other.excerpt().raw())
                && one.footnotes().equals(other.footnotes());
    }

    /** How much space there is between words, and how many line breaks, makes no other wording. */
    private static boolean isSame(String one, String other) {
        return one.equals(other) || spacedOnce(one).equals(spacedOnce(other));
    }

    private static String spacedOnce(String text) {
        StringBuilder once = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char next = text.charAt(i);
            char shown = next == '\t' ? ' ' : next == '\r' ? '\n' : next;
            boolean isRepeated = !once.isEmpty() && once.charAt(once.length() - 1) == shown;
            if (!isRepeated || (shown != ' ' && shown != '\n')) {
                once.append(shown);
            }
        }
        return once.toString().strip();
    }

    /**
     * Prepares to save what an author's tool wants to keep, in the place of what it kept before.
     *
     * @param request of the author whose tool it is
     * @param item what is being edited; stays as it is
     * @param input the words that were sent
     * @param now when
     * @param images that the writer knows
     * @return saves it, and gives the autosave; nobody else may save one of this author meanwhile
     */
    Writes.Write<Item> saveAutomatically(
            RestRequest request, Item item, ItemInput input, Instant now, KnownImages images) {
        request.requireShown(0, bounds.maxShownText());
        long author = request.caller().accountId();
        ItemQuery theirs = automaticOnly(of(item.id()), item.id()).where("author_id = ?", author);
        Optional<Item> before = store.page(theirs.page(0, 1)).stream().findFirst();
        if (before.isEmpty()) {
            ItemChanges wording = wording(
                    input.title().orElse(""),
                    input.content().orElse(""),
                    input.excerpt().orElse(""),
                    images);
            wording.set(ItemColumn.FOOTNOTES, footnotes(input).orElse(item.footnotes()))
                    .requireStorable(input, request, bounds);
            return hopeful -> {
                if (!store.page(theirs.page(0, 1)).isEmpty()) {
                    throw new Writes.OvertakenException();
                }
                store.noteShown(item); // with the number of its revisions
                return store.insert(identity(wording, item.id(), AUTOMATIC, author, now));
            };
        }
        Item old = before.get();
        if (changesNothing(item, input)) {
            return hopeful -> old;
        }
        ItemChanges wording = wording(
                        input.title().orElse(old.title().raw()),
                        input.content().orElse(old.content().raw()),
                        input.excerpt().orElse(old.excerpt().raw()),
                        images)
                .set(ItemColumn.FOOTNOTES, footnotes(input).orElse(old.footnotes()))
                .set(ItemColumn.PUBLISHED_AT, now)
                .set(ItemColumn.MODIFIED_AT, now);
        wording.requireStorable(input, request, bounds);
        return hopeful -> store.update(old, wording).orElseThrow(Writes.OvertakenException::new);
    }

    private static boolean changesNothing(Item item, ItemInput input) {
        return input.title().map(text -> isSame(text, item.title().raw())).orElse(true)
                && input.content()
                        .map(text -> isSame(text, item.content().raw()))
                        .orElse(true)
                && input.excerpt()
                        .map(text -> isSame(text, item.excerpt().raw()))
                        .orElse(true)
                && footnotes(input).map(item.footnotes()::equals).orElse(true);
    }

    /** Finds the footnotes that were sent, where they are text. */
    private static Optional<String> footnotes(ItemInput input) {
        return input.footnotes().filter(JsonNode::isString).map(JsonNode::stringValue);
    }

    private static ItemChanges wording(String title, String content, String excerpt, KnownImages images) {
        return new ItemChanges().title(title).wording(content, excerpt, images);
    }

    private static ItemChanges identity(ItemChanges wording, long parent, String slug, long author, Instant now) {
        return wording.set(ItemColumn.KIND, ItemType.REVISION.wireName())
                .status(ItemStatus.INHERIT)
                .set(ItemColumn.AUTHOR_ID, author)
                .set(ItemColumn.PARENT_ID, parent)
                .set(ItemColumn.SLUG, parent + slug)
                .set(ItemColumn.PUBLISHED_AT, now)
                .set(ItemColumn.MODIFIED_AT, now);
    }
}
