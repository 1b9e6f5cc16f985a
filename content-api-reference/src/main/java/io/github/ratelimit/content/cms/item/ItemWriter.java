package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.item.ItemType.Feature;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.security.Accounts;
import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.cms.term.Taxonomy;
import io.github.ratelimit.content.cms.term.Term;
import io.github.ratelimit.content.cms.term.TermStore;
import io.github.ratelimit.content.server.store.Writes;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Makes, changes, throws away and deletes items.
 *
 * <p>Each write is one transaction. It reads the item anew, so two writers of different fields lose none.
 */
@Component
@EnableScheduling
public class ItemWriter {
    private static final int DUE_AT_ONCE = 100;

    private final InstantSource clock;
    private final ItemStore store;
    private final ItemFinder finder;
    private final ItemRenderer renderer;
    private final ItemSlugs slugs;
    private final ItemHistory history;
    private final TermStore terms;
    private final Accounts accounts;
    private final Writes writes;
    private final ItemFiles files;

    ItemWriter(
            InstantSource clock,
            ItemStore store,
            ItemFinder finder,
            ItemRenderer renderer,
            ItemSlugs slugs,
            ItemHistory history,
            TermStore terms,
            Accounts accounts,
            Writes writes,
            ItemFiles files) {
        this.clock = clock;
        this.store = store;
        this.finder = finder;
        this.renderer = renderer;
        this.slugs = slugs;
        this.history = history;
        this.terms = terms;
        this.accounts = accounts;
        this.writes = writes;
        this.files = files;
    }

    /**
     * Makes an item.
     *
     * @param request knows the caller
     * @param type of the item
     * @param draft the fields that were sent
     * @param further columns that only the item's type knows
     * @return as it is stored now
     * @throws RestError if it may not or cannot be made
     */
    public Item create(RestRequest request, ItemType type, ItemDraft draft, ItemChanges further) {
        checkAuthor(request.caller(), draft);
        ItemChanges first = new ItemChanges()
                .set(ItemColumn.KIND, type.wireName())
                .set(ItemColumn.AUTHOR_ID, request.caller().accountId())
                .set(ItemColumn.UNDATED, true)
                .set(ItemColumn.COMMENTS_OPEN, type.has(Feature.COMMENTS))
                .set(ItemColumn.PINGS_OPEN, type.has(Feature.PINGS));
        Item blank = Item.BLANK.with(0, first);
        ItemChanges changes =
                renderer.render(request, blank.originals(), draft).set(first).set(further);
        Item created = writes.run(() -> {
            Item stored = store.create(apply(request, blank, draft, changes, true));
            if (stored.slug().isEmpty() && !stored.status().isUnfinished()) {
                // Nothing is left of the title, so the id serves as the name.
                stored = write(stored, slugs.set(new ItemChanges(), stored, Long.toString(stored.id()), false));
            }
            sort(stored, draft.terms(), true);
            return stored;
        });
        draft.checkFootnotes();
        return created;
    }

    /** Gives a post its terms. A post without a category gets the default one. */
    private void sort(Item post, Map<Taxonomy, List<Long>> wished, boolean isNew) {
        if (!post.type().has(Feature.TERMS)) {
            return;
        }
        List<Term> known = isNew ? List.of() : terms.termsOf(post.id());
        Map<Taxonomy, List<Long>> wanted = new EnumMap<>(Taxonomy.class);
        wanted.putAll(wished);
        if (known.stream().noneMatch(term -> term.taxonomy() == Taxonomy.CATEGORY)) {
            wanted.putIfAbsent(Taxonomy.CATEGORY, List.of(Term.DEFAULT_CATEGORY));
        }
        terms.sort(post.id(), wanted, known, post.status() == ItemStatus.PUBLISH);
    }

    /**
     * Changes an item.
     *
     * @param request knows the caller
     * @param item as it was when the caller was let in
     * @param draft the fields that were sent
     * @return as it is stored now
     * @throws RestError if it may not or cannot be changed so
     */
    public Item update(RestRequest request, Item item, ItemDraft draft) {
        return update(request, item, draft, true);
    }

    private Item update(RestRequest request, Item item, ItemDraft draft, boolean isDeliberate) {
        checkAuthor(request.caller(), draft);
        Item.Originals seen = item.originals();
        ItemChanges rendered = renderer.render(request, seen, draft);
        Item updated = change(item, editing(request), current -> {
            if (!isDeliberate && !isOwnDraft(request, current)) {
                // Published meanwhile.
                return saveBeside(request, current, draft, renderer.renderAutosave(request, draft));
            }
            // Another writer may have changed a text that was not sent.
            Item.Originals stored = current.originals();
            ItemChanges texts = stored.equals(seen) ? rendered : renderer.render(request, stored, draft);
            Item written = write(current, apply(request, current, draft, texts, isDeliberate));
            sort(written, draft.terms(), false);
            if (isDeliberate && written.type().has(Feature.TEXT) && !draft.hasWrongFootnotes()) {
                history.keep(written, request.caller().accountId(), written.modified());
            }
            return written;
        });
        keep(request, updated);
        draft.checkFootnotes();
        return updated;
    }

    private ItemChanges apply(
            RestRequest request, Item current, ItemDraft draft, ItemChanges texts, boolean isDeliberate) {
        ItemPermissions.checkSticky(request, current.isSticky());
        draft.status()
                .filter(wished -> wished != current.status())
                .ifPresent(wished -> ItemPermissions.checkStatus(request, current.type(), wished));
        ItemChanges changes = draft.applyTo(current, texts, now());
        draft.picture().ifPresent(id -> setPicture(request, changes, id));
        draft.parent().ifPresent(id -> changes.set(ItemColumn.PARENT_ID, parent(current, id)));
        slugs.change(changes, request.caller(), current, draft, isDeliberate);
        return changes;
    }

    /** An item that is no picture stands for none. The id of an unknown or hidden item changes nothing. */
    private void setPicture(RestRequest request, ItemChanges changes, long id) {
        if (id == 0) {
            changes.set(ItemColumn.FEATURED_MEDIA, 0L);
            return;
        }
        finder.header(request, id)
                .filter(item -> finder.mayRead(request, item))
                .flatMap(item -> store.find(id))
                .map(item -> item.mimeType().startsWith("image/") ? id : 0L)
                .ifPresent(picture -> changes.set(ItemColumn.FEATURED_MEDIA, picture));
    }

    /** Finds the item above. No item stands below itself, not even by way of others. */
    private long parent(Item item, long parent) {
        if (parent == 0 || parent == item.id()) {
            return 0;
        }
        if (item.type() == ItemType.ATTACHMENT) {
            // Clients move files before their owner is there, and files hold nothing themselves.
            return parent;
        }
        ItemHeader above = store.header(parent)
                .orElseThrow(() -> RestError.of(400, "rest_post_invalid_id", "Invalid post parent ID."));
        Set<Long> seen = new HashSet<>();
        long ancestor = above.parent();
        while (ancestor != 0 && seen.add(ancestor)) {
            if (ancestor == item.id()) {
                return 0;
            }
            ancestor = store.header(ancestor).map(ItemHeader::parent).orElse(0L);
        }
        return parent;
    }

    /**
     * Saves what an author's tool sends by itself. It changes the caller's own draft, without a revision. Any other item stays
     * as it is; its texts are saved beside it.
     *
     * @param request knows the caller
     * @param item as it was when the caller was let in
     * @param draft the fields that were sent
     * @return the draft, or the caller's one autosave of the item
     */
    public Item autosave(RestRequest request, Item item, ItemDraft draft) {
        if (isOwnDraft(request, item)) {
            return update(request, item, draft.withoutExtras(), false);
        }
        ItemChanges rendered = renderer.renderAutosave(request, draft);
        return change(item, editing(request), current -> saveBeside(request, current, draft, rendered));
    }

    private static boolean isOwnDraft(RestRequest request, Item item) {
        return item.status() == ItemStatus.DRAFT && request.caller().is(item.author());
    }

    private Item saveBeside(RestRequest request, Item current, ItemDraft draft, ItemChanges rendered) {
        return history.saveAutomatically(current, request.caller().accountId(), draft, rendered, now());
    }

    /**
     * Puts an item into the trash.
     *
     * @param request knows the caller
     * @param item as it was when the caller was let in
     * @return as it lies there
     * @throws RestError 410, if it lies there already
     */
    public Item trash(RestRequest request, Item item) {
        Item trashed = change(item, deleting(request), current -> throwAway(current, request.caller()));
        keep(request, trashed);
        return trashed;
    }

    private Item throwAway(Item current, Caller caller) {
        if (current.status() == ItemStatus.TRASH) {
            throw RestError.of(410, "rest_already_trashed", "The post has already been deleted.");
        }
        Instant now = now();
        ItemChanges changes = new ItemChanges()
                .status(ItemStatus.TRASH)
                .set(ItemColumn.MODIFIED_AT, now)
                // An item that was restored stays on top of nothing.
                .set(ItemColumn.STICKY, false)
                .set(ItemColumn.TRASHED_STATUS, current.status().wireName())
                .set(ItemColumn.TRASHED_SLUG, current.slug());
        if (current.isUndated()) {
            changes.set(ItemColumn.PUBLISHED_AT, now).set(ItemColumn.UNDATED, false);
        }
        Item trashed = write(current, slugs.set(changes, current, ItemSlugs.trashed(current.slug()), false));
        sort(trashed, Map.of(), false);
        history.keep(trashed, caller.accountId(), now);
        return trashed;
    }

    /**
     * Deletes an item for good, and then its files. Pages below it move up, and its files belong to the item above it.
     *
     * @param request remembers what was looked up
     * @param item as it was when the caller was let in
     * @throws RestError 404, if it is gone already
     */
    public void delete(RestRequest request, Item item) {
        // After the commit: a file stays where nobody knows whether its item is gone.
        change(item, deleting(request), this::delete).run();
        finder.written(request, item.id(), Optional.empty());
    }

    private Runnable delete(Item current) {
        long above = current.parent() == current.id() ? 0 : current.parent();
        if (current.type().has(Feature.TREE)) {
            store.below(current.id(), current.type()).forEach(child -> moveUp(child, above));
        }
        store.replace(ItemColumn.FEATURED_MEDIA, current.id(), 0);
        store.replace(ItemColumn.PARENT_ID, current.id(), above);
        Runnable removal = files.removal(current.id());
        store.delete(current);
        return removal;
    }

    private void moveUp(Item child, long parent) {
        ItemChanges changes = new ItemChanges().set(ItemColumn.PARENT_ID, parent);
        write(child, slugs.set(changes, child.with(child.id(), changes), child.slug(), false));
    }

    /**
     * Deletes a revision.
     *
     * @param revision as it was read
     * @param check throws where the caller may not delete revisions of its item
     * @throws RestError 404, if it is gone already
     */
    public void deleteRevision(Item revision, Consumer<ItemHeader> check) {
        change(revision, current -> store.header(current.parent()).ifPresent(check), store::delete);
    }

    /**
     * Writes columns that only the item's type knows.
     *
     * @param request knows the caller
     * @param item as it was read
     * @param further the columns
     * @return as it is stored now
     * @throws RestError 404, if it is gone
     */
    public Item update(RestRequest request, Item item, ItemChanges further) {
        return change(item, editing(request), current -> write(current, further));
    }

    /**
     * Publishes items when their time comes. What is due is asked of the database each time, so nothing is forgotten while the
     * server is down, and several servers may look at once.
     */
    @Scheduled(fixedDelayString = "${content-api.publish-interval:1s}")
    void publishDue() {
        Instant now = clock.instant();
        while (!store.due(now, 1).isEmpty()) {
            writes.run(() -> store.due(now, DUE_AT_ONCE).stream()
                    .map(item -> write(item, new ItemChanges().status(ItemStatus.PUBLISH)))
                    .toList());
        }
    }

    /** Runs a write of an item. Every write runs here, which reads the item anew and checks the permission for what it read. */
    private <T> T change(Item item, Consumer<Item> check, Function<Item, T> write) {
        return writes.run(() -> {
            Item current = store.find(item.type(), item.id())
                    .orElseThrow(() -> RestError.of(404, "rest_post_invalid_id", "Invalid post ID."));
            check.accept(current);
            return write.apply(current);
        });
    }

    private Consumer<Item> editing(RestRequest request) {
        return current -> ItemPermissions.checkEdit(request.caller(), current);
    }

    private Consumer<Item> deleting(RestRequest request) {
        return current -> ItemPermissions.checkDelete(request.caller(), current);
    }

    private Item write(Item current, ItemChanges changes) {
        Item written = store.update(current, changes);
        boolean isPublished = written.status() == ItemStatus.PUBLISH;
        if (isPublished != (current.status() == ItemStatus.PUBLISH)) {
            terms.show(current.id(), isPublished);
        }
        return written;
    }

    /** The answer shows the item as it was written, and looks up everything else again. */
    private void keep(RestRequest request, Item written) {
        request.forget();
        finder.written(request, written.id(), Optional.of(written));
    }

    private void checkAuthor(Caller caller, ItemDraft draft) {
        if (draft.author()
                .filter(author -> !caller.is(author) && accounts.find(author).isEmpty())
                .isPresent()) {
            throw RestError.of(400, "rest_invalid_author", "Invalid author ID.");
        }
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS);
    }
}
