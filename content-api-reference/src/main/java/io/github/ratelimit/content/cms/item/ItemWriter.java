package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.item.ItemType.Feature;
import io.github.ratelimit.content.cms.rest.Paging;
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
import org.springframework.stereotype.Component;

/**
 * Makes, changes, throws away and deletes items.
 *
 * <p>Each write is one transaction. It reads the item anew, so two writers of different fields lose none.
 */
@Component
public class ItemWriter {
    private final InstantSource clock;
    private final ItemStore store;
    private final ItemAccess access;
    private final ItemWords words;
    private final ItemSlugs slugs;
    private final ItemHistory history;
    private final TermStore terms;
    private final Accounts accounts;
    private final Writes writes;
    private final ItemFiles files;

    ItemWriter(
            InstantSource clock,
            ItemStore store,
            ItemAccess access,
            ItemWords words,
            ItemSlugs slugs,
            ItemHistory history,
            TermStore terms,
            Accounts accounts,
            Writes writes,
            ItemFiles files) {
        this.clock = clock;
        this.store = store;
        this.access = access;
        this.words = words;
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
     * @param input the fields that were sent
     * @param further columns that only the item's type knows
     * @return as it is stored now
     * @throws RestError if it may not or cannot be made
     */
    public Item create(RestRequest request, ItemType type, ItemInput input, ItemChanges further) {
        input.status().ifPresent(wished -> ItemAccess.checkStatus(request, type, wished));
        checkAuthor(request.caller(), input);
        ItemRules.checkNew(type, input);
        ItemChanges changes = words.ofItem(request, Wording.NONE, input).set(further);
        Item created = writes.run(() -> insert(request, type, input, changes));
        ItemRules.checkFootnotes(input);
        return created;
    }

    private Item insert(RestRequest request, ItemType type, ItemInput input, ItemChanges changes) {
        Instant now = now();
        Instant published = input.date().orElse(now);
        ItemStatus status = ItemRules.status(type, input.status().orElse(ItemStatus.DRAFT), published, now);
        long parent = parentOf(type, 0, input);
        changes.set(ItemColumn.KIND, type.wireName())
                .status(status)
                .set(ItemColumn.AUTHOR_ID, request.caller().accountId())
                .set(ItemColumn.PARENT_ID, parent)
                .set(ItemColumn.PUBLISHED_AT, published)
                .set(ItemColumn.UNDATED, input.date().isEmpty() && status.isUnfinished())
                .set(ItemColumn.MODIFIED_AT, published)
                .set(ItemColumn.COMMENTS_OPEN, type.has(Feature.COMMENTS))
                .set(ItemColumn.PINGS_OPEN, type.has(Feature.PINGS));
        setColumns(request, changes, input, status);
        String slug = ItemSlugs.wished(
                request.caller(),
                type,
                status,
                input.slug().orElse(""),
                input.title().orElse(""));
        boolean mayShare = status.isUnfinished() && input.status().isEmpty();
        slugs.set(changes, type, parent, slug, 0, mayShare);
        Item stored = store.create(changes);
        if (slug.isEmpty() && !status.isUnfinished()) {
            // Nothing is left of the title, so the id serves as the name.
            ItemChanges named = new ItemChanges();
            slugs.set(named, type, parent, Long.toString(stored.id()), stored.id(), false);
            stored = write(stored, named);
        }
        sort(stored, input.terms());
        return stored;
    }

    /** Gives a post its terms. A post without a category gets the default one. */
    private void sort(Item post, Map<Taxonomy, List<Long>> wished) {
        if (!post.type().has(Feature.TERMS)) {
            return;
        }
        List<Term> known = terms.termsOf(post.id());
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
     * @param input the fields that were sent
     * @return as it is stored now
     * @throws RestError if it may not or cannot be changed so
     */
    public Item update(RestRequest request, Item item, ItemInput input) {
        return update(request, item, input, true);
    }

    private Item update(RestRequest request, Item item, ItemInput input, boolean isDeliberate) {
        checkAuthor(request.caller(), input);
        Wording seen = Wording.of(item);
        ItemChanges rendered = words.ofItem(request, seen, input);
        Item updated = change(item, editing(request), current -> {
            if (!isDeliberate && !isOwnDraft(request, current)) {
                // Published meanwhile.
                return saveBeside(request, current, input, words.ofAutosave(request, input));
            }
            // Another writer may have changed a text that was not sent.
            Wording now = Wording.of(current);
            ItemChanges changes = now.equals(seen) ? rendered : words.ofItem(request, now, input);
            return update(request, current, input, changes, isDeliberate);
        });
        keep(request, updated);
        ItemRules.checkFootnotes(input);
        return updated;
    }

    private Item update(RestRequest request, Item current, ItemInput input, ItemChanges changes, boolean isDeliberate) {
        ItemType type = current.type();
        ItemPermissions.checkSticky(request, current.isSticky());
        input.status()
                .filter(wished -> wished != current.status())
                .ifPresent(wished -> ItemAccess.checkStatus(request, type, wished));
        ItemRules.checkChange(current, input);
        Instant now = now();
        boolean isRedated =
                input.date().filter(date -> !date.equals(current.published())).isPresent();
        boolean isNow = !isRedated && (input.isDateReset() || current.isUndated());
        Instant published = isNow ? now : input.date().orElse(current.published());
        ItemStatus status = ItemRules.status(type, input.status().orElse(current.status()), published, now);
        changes.status(status).set(ItemColumn.MODIFIED_AT, now);
        if (isRedated || isNow) {
            changes.set(ItemColumn.PUBLISHED_AT, published).set(ItemColumn.UNDATED, isNow && status.isUnfinished());
        }
        setColumns(request, changes, input, status);
        long parent = input.parent().isPresent() ? parentOf(type, current.id(), input) : current.parent();
        changes.set(ItemColumn.PARENT_ID, parent);
        if (current.status() == ItemStatus.TRASH && status != ItemStatus.TRASH) {
            changes.set(ItemColumn.TRASHED_SLUG, null).set(ItemColumn.TRASHED_STATUS, null);
        }
        slugs.change(changes, request.caller(), current, input, status, parent, isDeliberate);
        Item written = write(current, changes);
        sort(written, input.terms());
        if (isDeliberate && type.has(Feature.TEXT) && !ItemRules.hasRefusedFootnotes(input)) {
            history.keep(written, request.caller().accountId(), now);
        }
        return written;
    }

    private void setColumns(RestRequest request, ItemChanges changes, ItemInput input, ItemStatus status) {
        changes.set(input.columns());
        input.picture().ifPresent(id -> setPicture(request, changes, Paging.absolute(id)));
        input.footnotes()
                .filter(notes -> notes.isString() || notes.isNull())
                .ifPresent(notes -> changes.set(ItemColumn.FOOTNOTES, notes.isNull() ? "" : notes.stringValue()));
        if (status == ItemStatus.PRIVATE) {
            changes.set(ItemColumn.PASSWORD, "");
        }
    }

    /** An item that is no picture stands for none. The id of an unknown or hidden item changes nothing. */
    private void setPicture(RestRequest request, ItemChanges changes, long id) {
        if (id == 0) {
            changes.set(ItemColumn.FEATURED_MEDIA, 0L);
            return;
        }
        access.standing(request, id)
                .filter(item -> access.mayRead(request, item))
                .flatMap(item -> store.find(id))
                .map(item -> item.mimeType().startsWith("image/") ? id : 0L)
                .ifPresent(picture -> changes.set(ItemColumn.FEATURED_MEDIA, picture));
    }

    /** Finds the item above. No item stands below itself, not even by way of others. */
    private long parentOf(ItemType type, long id, ItemInput input) {
        long parent = input.parent().orElse(0);
        if (parent == 0 || parent == id) {
            return 0;
        }
        if (type == ItemType.ATTACHMENT) {
            // Clients move files before their owner is there, and files hold nothing themselves.
            return parent;
        }
        Standing above = store.standing(parent)
                .orElseThrow(() -> RestError.of(400, "rest_post_invalid_id", "Invalid post parent ID."));
        Set<Long> seen = new HashSet<>();
        long ancestor = above.parent();
        while (ancestor != 0 && seen.add(ancestor)) {
            if (ancestor == id) {
                return 0;
            }
            ancestor = store.standing(ancestor).map(Standing::parent).orElse(0L);
        }
        return parent;
    }

    /**
     * Saves what an author's tool sends by itself. It changes the caller's own draft, without a revision. Any other item stays
     * as it is; its texts are saved beside it.
     *
     * @param request knows the caller
     * @param item as it was when the caller was let in
     * @param input the fields that were sent
     * @return the draft, or the caller's one autosave of the item
     */
    public Item autosave(RestRequest request, Item item, ItemInput input) {
        if (isOwnDraft(request, item)) {
            return update(request, item, input.withoutExtras(), false);
        }
        ItemChanges rendered = words.ofAutosave(request, input);
        return change(item, editing(request), current -> saveBeside(request, current, input, rendered));
    }

    private static boolean isOwnDraft(RestRequest request, Item item) {
        return item.status() == ItemStatus.DRAFT && request.caller().is(item.author());
    }

    private Item saveBeside(RestRequest request, Item current, ItemInput input, ItemChanges rendered) {
        return history.saveAutomatically(current, request.caller().accountId(), input, rendered, now());
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
        String slug = ItemSlugs.trashed(current.slug());
        slugs.set(changes, current.type(), current.parent(), slug, current.id(), false);
        Item trashed = write(current, changes);
        sort(trashed, Map.of());
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
        access.written(request, item.id(), Optional.empty());
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
        slugs.set(changes, child.type(), parent, child.slug(), child.id(), false);
        write(child, changes);
    }

    /**
     * Deletes a revision.
     *
     * @param revision as it was read
     * @param check throws where the caller may not delete revisions of its item
     * @throws RestError 404, if it is gone already
     */
    public void deleteRevision(Item revision, Consumer<Standing> check) {
        change(revision, current -> store.standing(current.parent()).ifPresent(check), store::delete);
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
     * Publishes items whose time has come.
     *
     * @param most how many items at once
     * @return how many were published
     */
    public int publishDue(int most) {
        Instant now = clock.instant();
        if (store.due(now, 1).isEmpty()) {
            return 0;
        }
        return writes.run(() -> {
            List<Item> due = store.due(now, most);
            due.forEach(item -> write(item, new ItemChanges().status(ItemStatus.PUBLISH)));
            return due.size();
        });
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
        return current -> access.checkEdit(request.caller(), current);
    }

    private Consumer<Item> deleting(RestRequest request) {
        return current -> access.checkDelete(request.caller(), current);
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
        access.written(request, written.id(), Optional.of(written));
    }

    private void checkAuthor(Caller caller, ItemInput input) {
        long author = input.author().orElse(0);
        if (author != 0 && !caller.is(author) && accounts.find(author).isEmpty()) {
            throw RestError.of(400, "rest_invalid_author", "Invalid author ID.");
        }
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS);
    }
}
