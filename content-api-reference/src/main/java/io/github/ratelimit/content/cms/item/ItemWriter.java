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
import io.github.ratelimit.content.cms.text.KnownImages;
import io.github.ratelimit.content.cms.text.Slugs;
import io.github.ratelimit.content.server.http.RequestBounds;
import io.github.ratelimit.content.server.store.Pieces;
import io.github.ratelimit.content.server.store.Writes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Writes items: what becomes of a wish, given what the item was, who asks and what time it is.
 *
 * <p>Each write is one transaction. It starts over when another writer took the slug or changed the item meanwhile, so
 * that no writer is refused for being second and no field is lost that only one of two writers sent.
 */
@Component
public class ItemWriter {
    /** Publication this near counts as now. Chosen: what clients of this interface know. */
    private static final Duration NEAR = Duration.ofMinutes(1);

    private static final int LAST_YEAR = 9999;

    private final InstantSource clock;
    private final ItemStore store;
    private final ItemAccess access;
    private final ItemSlugs slugs;
    private final ItemHistory history;
    private final TermStore terms;
    private final Accounts accounts;
    private final KnownImages images;
    private final Writes writes;
    private final RequestBounds bounds;
    private final ItemFiles files;

    ItemWriter(
            InstantSource clock,
            ItemStore store,
            ItemAccess access,
            ItemSlugs slugs,
            ItemHistory history,
            TermStore terms,
            Accounts accounts,
            KnownImages images,
            Writes writes,
            RequestBounds bounds,
            ItemFiles files) {
        this.clock = clock;
        this.store = store;
        this.access = access;
        this.slugs = slugs;
        this.history = history;
        this.terms = terms;
        this.accounts = accounts;
        this.images = images;
        this.writes = writes;
        this.bounds = bounds;
        this.files = files;
    }

    /**
     * Makes an item.
     *
     * @param request knows the caller
     * @param type of the item
     * @param input what it is to be
     * @param further columns that only the item's type knows
     * @return as it is stored now
     * @throws RestError if it may not or cannot be made
     */
    public Item create(RestRequest request, ItemType type, ItemInput input, ItemChanges further) {
        input.status().ifPresent(wished -> ItemAccess.checkStatus(request, type, wished));
        ItemStatus status = type == ItemType.ATTACHMENT
                ? statusOfFile(input.status().orElse(ItemStatus.INHERIT))
                : input.status().orElse(ItemStatus.DRAFT);
        checkAuthor(request.caller(), input);
        if (input.sticks() && input.guards()) {
            throw stickyAndGuarded("A post can not be sticky and have a password.");
        }
        requireWords(
                type,
                input.title().orElse(""),
                input.content().orElse(""),
                input.excerpt().orElse(""));
        requireDate(input);
        request.requireShown(0, bounds.maxShownText());
        // Rendered once and before the transaction: that takes the most
        // time of all, and the same text gives the same again.
        ItemChanges words = further.copy()
                .title(input.title().orElse(""))
                .content(input.content().orElse(""), imagesFor(request))
                // Before further work is done for what is too long.
                .requireStorable(input, request, bounds)
                .excerpt(input.excerpt().orElse(""), input.content().orElse(""), imagesFor(request))
                .requireStorable(input, request, bounds);
        String name = type.wireName() + " " + input.slug().or(input::title).orElse("");
        Item created = writes.run(name, hopeful -> insert(request, type, input, status, words));
        requireFootnotes(input);
        return created;
    }

    private Item insert(RestRequest request, ItemType type, ItemInput input, ItemStatus wished, ItemChanges words) {
        Instant now = now();
        Instant published = input.date().orElse(now);
        ItemStatus status = dated(type, wished, published, now);
        long parent = parentOf(type, 0, input);
        ItemChanges changes = words.copy()
                .set(ItemColumn.KIND, type.wireName())
                .status(status)
                .set(ItemColumn.AUTHOR_ID, request.caller().accountId())
                .set(ItemColumn.PARENT_ID, parent)
                .set(ItemColumn.PUBLISHED_AT, published)
                .set(ItemColumn.UNDATED, input.date().isEmpty() && status.isUnfinished())
                .set(ItemColumn.MODIFIED_AT, published)
                .set(ItemColumn.COMMENTS_OPEN, type.has(Feature.COMMENTS))
                .set(ItemColumn.PINGS_OPEN, type.has(Feature.PINGS));
        setColumns(request, changes, input);
        if (status == ItemStatus.PRIVATE) {
            changes.set(ItemColumn.PASSWORD, "");
        }
        String slug = slugFor(
                request.caller(),
                type,
                status,
                input.slug().orElse(""),
                input.title().orElse(""));
        name(
                changes,
                type,
                parent,
                slug,
                0,
                status.isUnfinished() && input.status().isEmpty());

        Item stored = store.insert(changes);
        if (slug.isEmpty() && !status.isUnfinished()) {
            // Nothing is left of the title: the id serves as the name.
            String name = slugs.free(type, parent, Long.toString(stored.id()), stored.id());
            stored = write(stored, new ItemChanges().slug(name, type.slugScope(parent)));
        }
        if (type.has(Feature.TERMS)) {
            sort(stored, input.terms(), List.of());
        }
        return stored;
    }

    /** Posts are never without a category for long: any write gives them the default one. */
    private boolean sort(Item post, Map<Taxonomy, List<Long>> wished, List<Term> known) {
        Map<Taxonomy, List<Long>> wanted = new EnumMap<>(Taxonomy.class);
        wanted.putAll(wished);
        if (known.stream().noneMatch(term -> term.taxonomy() == Taxonomy.CATEGORY)) {
            wanted.putIfAbsent(Taxonomy.CATEGORY, List.of(Term.DEFAULT_CATEGORY));
        }
        if (!wanted.isEmpty()) {
            terms.sort(post.id(), wanted, known, post.status() == ItemStatus.PUBLISH);
        }
        return !wanted.isEmpty();
    }

    private void sortAnew(RestRequest request, Item post, Map<Taxonomy, List<Long>> wished, boolean hopeful) {
        if (!hopeful) {
            // Somebody was faster than what was read before.
            request.forget();
        }
        // Most updates leave the terms as they are: what is read here is what the answer will show.
        boolean isShown = hopeful && wished.isEmpty();
        List<Term> known = isShown
                ? terms.termsOf(request, List.of(post.id())).getOrDefault(post.id(), List.of())
                : terms.termsOf(post.id());
        if (sort(post, wished, known) && isShown) {
            request.forget();
        }
    }

    /**
     * Changes an item.
     *
     * @param request knows the caller
     * @param item as it was when the caller was let in
     * @param input what is to be different
     * @return as it is stored now
     * @throws RestError if it may not or cannot be changed so
     */
    public Item update(RestRequest request, Item item, ItemInput input) {
        return update(request, item, input, true);
    }

    /**
     * Changes a draft the way an author's tool does by itself: without keeping the wording it had.
     *
     * @param request knows the caller
     * @param item as it was when the caller was let in
     * @param input what is to be different
     * @return as it is stored now
     */
    public Item updateQuietly(RestRequest request, Item item, ItemInput input) {
        return update(request, item, input, false);
    }

    /**
     * Saves the words of an item beside it, the way an author's tool does by itself.
     *
     * @param request knows the caller
     * @param item stays as it is
     * @param input the words
     * @return the caller's one autosave of the item
     */
    public Item saveBeside(RestRequest request, Item item, ItemInput input) {
        return writes.runPrepared(name(item), hopeful -> {
            Item seen = hopeful ? item : newest(item);
            Writes.Write<Item> save = history.saveAutomatically(request, seen, input, now(), imagesFor(request));
            return again -> {
                Item current = current(item);
                if (current.version() != seen.version()) {
                    throw new Writes.OvertakenException();
                }
                return save.run(again);
            };
        });
    }

    private Item update(RestRequest request, Item item, ItemInput input, boolean keepsHistory) {
        checkAuthor(request.caller(), input);
        // Of two that are moved at once below each other, the second one must see where the first one stands.
        boolean mayMove = item.type().has(Feature.TREE) && input.parent().isPresent();
        String name = mayMove ? "tree of " + item.type().wireName() : name(item);
        Item updated = writes.runPrepared(name, hopeful -> {
            Item seen = hopeful ? item : newest(item);
            // Before the transaction: rendering takes the most time of all, and nobody else has to wait for it.
            ItemChanges words = words(request, seen, input);
            return stillHopeful -> update(request, seen, input, words, stillHopeful, keepsHistory);
        });
        access.written(request, updated.id(), Optional.of(updated));
        requireFootnotes(input);
        return updated;
    }

    private Item update(
            RestRequest request, Item seen, ItemInput input, ItemChanges words, boolean hopeful, boolean keepsHistory) {
        // What was seen is still the newest, unless somebody wrote meanwhile: then the version tells.
        Item current = hopeful ? seen : current(seen);
        ItemStatus status = statusFor(request, current, input);
        requirePossible(current, input);
        boolean isSame = current.title().equals(seen.title())
                && current.content().equals(seen.content())
                && current.excerpt().equals(seen.excerpt());
        ItemChanges changes =
                changes(request, current, input, status, isSame ? words : words(request, current, input), keepsHistory);
        Item written = write(current, changes);
        if (written.type().has(Feature.TERMS)) {
            sortAnew(request, written, input.terms(), hopeful);
        }
        if (keepsHistory && written.type().has(Feature.TEXT) && !hasRefusedFootnotes(input)) {
            history.keep(written, request.caller().accountId(), now());
        }
        return written;
    }

    /** Under which writers of an item wait for each other. */
    private static String name(Item item) {
        return "item " + item.id();
    }

    private ItemStatus statusFor(RestRequest request, Item current, ItemInput input) {
        Optional<ItemStatus> wished = input.status().filter(status -> status != current.status());
        wished.ifPresent(status -> ItemAccess.checkStatus(request, current.type(), status));
        ItemStatus status = wished.orElse(current.status());
        return current.type() == ItemType.ATTACHMENT ? statusOfFile(status) : status;
    }

    /** A file is as public as what it belongs to, unless it is private. */
    private static ItemStatus statusOfFile(ItemStatus wished) {
        return wished == ItemStatus.PRIVATE || wished == ItemStatus.TRASH ? wished : ItemStatus.INHERIT;
    }

    private static void requirePossible(Item current, ItemInput input) {
        if (input.guards() && input.sticks()) {
            throw stickyAndGuarded("A post can not be sticky and have a password.");
        }
        if (input.guards() && current.isSticky()) {
            throw stickyAndGuarded("A sticky post can not be password protected.");
        }
        if (input.sticks() && current.isGuarded()) {
            throw stickyAndGuarded("A password protected post can not be set to sticky.");
        }
        requireWords(
                current.type(),
                input.title().orElse(current.title().raw()),
                input.content().orElse(current.content().raw()),
                input.excerpt().orElse(current.excerpt().raw()));
        requireDate(input);
    }

    private ItemChanges changes(
            RestRequest request,
            Item current,
            ItemInput input,
            ItemStatus wished,
            ItemChanges words,
            boolean isDeliberate) {
        Instant now = now();
        ItemChanges changes = words.copy().set(ItemColumn.MODIFIED_AT, now);
        Instant published = current.published();
        if (input.date().filter(date -> !date.equals(current.published())).isPresent()) {
            published = input.date().orElseThrow();
            changes.set(ItemColumn.PUBLISHED_AT, published).set(ItemColumn.UNDATED, false);
        } else if (input.isDateReset() || current.isUndated()) {
            published = now;
            changes.set(ItemColumn.PUBLISHED_AT, now).set(ItemColumn.UNDATED, wished.isUnfinished());
        }
        ItemStatus status = dated(current.type(), wished, published, now);
        if (status != current.status()) {
            changes.status(status);
        }
        setColumns(request, changes, input);
        if (status == ItemStatus.PRIVATE) {
            changes.set(ItemColumn.PASSWORD, "");
        }
        long parent = current.parent();
        if (input.parent().isPresent()) {
            parent = parentOf(current.type(), current.id(), input);
            changes.set(ItemColumn.PARENT_ID, parent);
        }
        setSlug(changes, request.caller(), current, input, status, parent, isDeliberate);
        return changes;
    }

    /** What was not sent stays, as far as the caller may write it: filters do not ask who wrote a text. */
    private ItemChanges words(RestRequest request, Item current, ItemInput input) {
        request.requireShown(0, bounds.maxShownText());
        ItemChanges changes = new ItemChanges();
        String title =
                input.title().orElseGet(() -> input.keptTitle(current.title().raw()));
        String content =
                input.content().orElseGet(() -> input.keptText(current.content().raw()));
        String excerpt =
                input.excerpt().orElseGet(() -> input.keptText(current.excerpt().raw()));
        if (input.title().isPresent() || !title.equals(current.title().raw())) {
            changes.title(title);
        }
        boolean isOtherContent =
                input.content().isPresent() || !content.equals(current.content().raw());
        if (isOtherContent) {
            changes.content(content, imagesFor(request)).requireStorable(input, request, bounds);
        }
        // Where nobody wrote one, it is the beginning of the content.
        if (input.excerpt().isPresent()
                || !excerpt.equals(current.excerpt().raw())
                || (isOtherContent && excerpt.isBlank())) {
            changes.excerpt(excerpt, content, imagesFor(request));
        }
        return changes.requireStorable(input, request, bounds);
    }

    private void setColumns(RestRequest request, ItemChanges changes, ItemInput input) {
        changes.set(input.columns());
        input.picture().ifPresent(id -> setPicture(request, changes, Paging.absolute(id)));
        input.footnotes()
                .filter(notes -> notes.isString() || notes.isNull())
                .ifPresent(notes -> changes.set(ItemColumn.FOOTNOTES, notes.isNull() ? "" : notes.stringValue()));
    }

    /** In what somebody writes, pictures that they may not read are as unknown as those that are not there. */
    private KnownImages imagesFor(RestRequest request) {
        return new KnownImages() {
            @Override
            public Map<Long, Image> find(Collection<Long> ids) {
                Set<Long> readable = access.readable(request, ids);
                // Their captions are asked for one by one.
                access.findAll(request, readable);
                return images.find(readable);
            }

            @Override
            public Place place(long id) {
                String caption = access.find(request, id)
                        .map(item -> item.excerpt().raw())
                        .orElse("");
                return new Place(request.baseUrl(), ItemType.ATTACHMENT.page(request.baseUrl(), id), caption);
            }
        };
    }

    /** An item that is no picture stands for none; the id of nothing, or of what is hidden, is not a wish. A file stays until it is shown. */
    private void setPicture(RestRequest request, ItemChanges changes, long id) {
        if (id == 0) {
            changes.set(ItemColumn.FEATURED_MEDIA, 0L);
            return;
        }
        access.standing(request, id)
                .filter(item -> access.mayRead(request, item))
                .ifPresent(named -> {
                    if (named.type() != ItemType.ATTACHMENT) {
                        changes.set(ItemColumn.FEATURED_MEDIA, 0L);
                        return;
                    }
                    store.findForChange(ItemType.ATTACHMENT, id).ifPresent(file -> {
                        boolean isPicture = file.mimeType().startsWith("image/");
                        changes.set(ItemColumn.FEATURED_MEDIA, isPicture ? id : 0L);
                    });
                });
    }

    private void setSlug(
            ItemChanges changes,
            Caller caller,
            Item current,
            ItemInput input,
            ItemStatus status,
            long parent,
            boolean isDeliberate) {
        String wish = input.slug().orElse(current.slug());
        boolean isRestored = current.status() == ItemStatus.TRASH && status != ItemStatus.TRASH;
        if (isRestored) {
            wish = current.trashedSlug().isEmpty() ? wish : current.trashedSlug();
            changes.set(ItemColumn.TRASHED_SLUG, null).set(ItemColumn.TRASHED_STATUS, null);
        }
        String title = input.title().orElse(current.title().raw());
        String slug = slugFor(caller, current.type(), status, wish, title);
        if (slug.isEmpty() && !status.isUnfinished()) {
            slug = Long.toString(current.id());
        }
        boolean isWished = isDeliberate && input.slug().isPresent() && !slug.isEmpty();
        boolean isFinished = current.status().isUnfinished() && !status.isUnfinished();
        if (slug.equals(current.slug()) && parent == current.parent() && !isWished && !isFinished) {
            return;
        }
        name(changes, current.type(), parent, slug, current.id(), status.isUnfinished() && !isWished);
    }

    /** Gives a name that nobody else has; one that is kept while the item is unfinished may be another one's, too. */
    private void name(ItemChanges changes, ItemType type, long parent, String slug, long id, boolean mayShare) {
        String free = slug.isEmpty() ? slug : slugs.free(type, parent, slug, id);
        if (mayShare && !free.equals(slug)) {
            changes.sharedSlug(slug);
        } else {
            changes.slug(free, type.slugScope(parent));
        }
    }

    /** A slug that was chosen stays; else the title makes one when the item is finished. */
    private static String slugFor(Caller caller, ItemType type, ItemStatus status, String wish, String title) {
        if (status == ItemStatus.PENDING && !caller.may(type.capabilities().publish())) {
            return "";
        }
        return !wish.isEmpty() || status.isUnfinished() ? wish : Slugs.of(title);
    }

    private static ItemStatus dated(ItemType type, ItemStatus wished, Instant published, Instant now) {
        if (type == ItemType.ATTACHMENT) {
            return wished;
        }
        boolean isAhead = !published.isBefore(now.plus(NEAR));
        return switch (wished) {
            case PUBLISH, FUTURE -> isAhead ? ItemStatus.FUTURE : ItemStatus.PUBLISH;
            default -> wished;
        };
    }

    /**
     * Finds what an item is to stand below; nothing stands below itself, not even by way of others, and none of these is moved before
     * it stands there: not by another server either.
     */
    private long parentOf(ItemType type, long id, ItemInput input) {
        long parent = input.parent().orElse(0);
        if (parent == 0 || parent == id) {
            return 0;
        }
        if (type == ItemType.ATTACHMENT) {
            // Clients move files before what they belong to is there, and files hold nothing themselves.
            return parent;
        }
        Standing above = store.standingStill(parent)
                .orElseThrow(() -> RestError.of(400, "rest_post_invalid_id", "Invalid post parent ID."));
        Set<Long> seen = new HashSet<>();
        long ancestor = above.parent();
        while (ancestor != 0 && seen.add(ancestor)) {
            if (ancestor == id) {
                return 0;
            }
            ancestor = store.standingStill(ancestor).map(Standing::parent).orElse(0L);
        }
        return parent;
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
        Item trashed = throwAway(request, item);
        access.written(request, trashed.id(), Optional.of(trashed));
        return trashed;
    }

    private Item throwAway(RestRequest request, Item item) {
        return writes.run(name(item), hopeful -> {
            Item current = hopeful ? item : current(item);
            if (current.status() == ItemStatus.TRASH) {
                throw RestError.of(410, "rest_already_trashed", "The post has already been deleted.");
            }
            Instant now = now();
            ItemChanges changes = new ItemChanges()
                    .status(ItemStatus.TRASH)
                    .set(ItemColumn.MODIFIED_AT, now)
                    // What is thrown away stays on top of nothing, not even after it was brought back.
                    .set(ItemColumn.STICKY, false)
                    .set(ItemColumn.TRASHED_STATUS, current.status().wireName())
                    .set(ItemColumn.TRASHED_SLUG, current.slug());
            if (current.isUndated()) {
                changes.set(ItemColumn.PUBLISHED_AT, now).set(ItemColumn.UNDATED, false);
            }
            String slug = slugs.free(current.type(), current.parent(), ItemSlugs.trashed(current.slug()), current.id());
            changes.slug(slug, current.type().slugScope(current.parent()));
            Item trashed = write(current, changes);
            if (trashed.type().has(Feature.TERMS)) {
                sortAnew(request, trashed, Map.of(), hopeful);
            }
            history.keep(trashed, request.caller().accountId(), now);
            return trashed;
        });
    }

    /**
     * Deletes an item for good, and then its files. What stood below a page moves up, files that belong to it belong to what it stood below, and what showed a picture shows
     * none. Any number of items may: they go before it, some at a time, and where that is ended in between, a repeat finishes it.
     *
     * @param request remembers what was looked up
     * @param item as it was when the caller was let in
     * @return as it was when it was deleted
     * @throws RestError 404, if it is gone already
     */
    public Item delete(RestRequest request, Item item) {
        Optional<Item> deleted;
        do {
            deleted = deletePieceOf(item);
        } while (deleted.isEmpty());
        access.written(request, item.id(), Optional.empty());
        return deleted.get();
    }

    private Optional<Item> deletePieceOf(Item item) {
        return writes.run(name(item), hopeful -> {
            // Not locked yet: the item above comes first.
            Item current = hopeful ? item : newest(item);
            return deletePiece(current) == Deletion.BEGUN ? Optional.<Item>empty() : Optional.of(current);
        });
    }

    /**
     * Deletes items for good, and then their files, whatever their versions.
     *
     * @param ids of a few items; some may be gone, with what they belonged to
     */
    void deleteAll(List<Long> ids) {
        boolean isDone;
        do {
            isDone = writes.run(hopeful -> {
                for (long id : ids) {
                    Optional<Item> item = store.find(id);
                    // What an item takes with it is as much as one transaction should take.
                    if (item.isPresent() && deletePiece(item.get()) != Deletion.ALONE) {
                        return false;
                    }
                }
                return true;
            });
        } while (!isDone);
    }

    /** What a transaction did of the deletion of an item. */
    private enum Deletion {
        /** It let some of what points to the item go, and more is left than one transaction should take. */
        BEGUN,
        /** It let go what was left, and deleted the item. */
        ENDED,
        /** It deleted the item, to which nothing pointed. */
        ALONE
    }

    /** Lets some of what points to an item go, and deletes it when nothing is left. */
    private Deletion deletePiece(Item current) {
        if (current.type().has(Feature.TREE)) {
            // Whoever deletes what this stands below waits, or has moved it by then; the upper one comes first in each
            // deletion. Who puts something below comes from below: where the two meet, the database ends one, which
            // starts over.
            store.standingStill(current.parent());
        }
        if (current.type().has(Feature.TREE) || current.type() == ItemType.ATTACHMENT) {
            // What is put below it meanwhile, or is to show it, waits, and finds it gone.
            store.standingStill(current.id());
        }
        Deletion done = letGo(current);
        if (done != Deletion.BEGUN && current.type() == ItemType.ATTACHMENT) {
            removeAfterwards(files.removal(current.id()));
        }
        boolean isMine = done == Deletion.BEGUN
                ? store.findForChange(current.type(), current.id())
                        .filter(now -> now.version() == current.version())
                        .isPresent()
                : store.delete(current);
        if (!isMine) {
            throw new Writes.OvertakenException();
        }
        return done;
    }

    /** Where nobody knows whether the transaction was committed, the files stay. */
    private static void removeAfterwards(Runnable removal) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                removal.run();
            }
        });
    }

    private Deletion letGo(Item item) {
        long above = item.parent() == item.id() ? 0 : item.parent();
        List<Long> below = item.type().has(Feature.TREE) ? store.below(item.id(), item.type()) : List.of();
        piece(below)
                .forEach(id -> store.find(id)
                        // What was moved away meanwhile stays there.
                        .filter(child -> child.parent() == item.id())
                        .ifPresent(child -> moveUp(child, above)));
        List<Long> showing = item.type() == ItemType.ATTACHMENT ? store.featuring(item.id()) : List.of();
        store.replace(piece(showing), ItemColumn.FEATURED_MEDIA, item.id(), 0);
        List<Long> files = store.below(item.id(), ItemType.ATTACHMENT);
        store.replace(piece(files), ItemColumn.PARENT_ID, item.id(), above);
        int most = Stream.of(below, showing, files).mapToInt(List::size).max().orElse(0);
        return most > Pieces.ITEMS ? Deletion.BEGUN : most > 0 ? Deletion.ENDED : Deletion.ALONE;
    }

    private static List<Long> piece(List<Long> ids) {
        return ids.subList(0, Math.min(Pieces.ITEMS, ids.size()));
    }

    private void moveUp(Item child, long parent) {
        ItemChanges changes = new ItemChanges().set(ItemColumn.PARENT_ID, parent);
        String slug = child.slug().isEmpty() ? "" : slugs.free(child.type(), parent, child.slug(), child.id());
        write(child, changes.slug(slug, child.type().slugScope(parent)));
    }

    /**
     * Writes columns that only the item's type knows, whoever else changes the item meanwhile.
     *
     * @param item as it was read
     * @param further the columns
     * @return as it is stored now
     * @throws RestError 404, if it is gone
     */
    public Item update(Item item, ItemChanges further) {
        return writes.run(name(item), hopeful -> write(current(item), further));
    }

    /**
     * Publishes what is due.
     *
     * @param most how many items at once
     * @return how many were published
     */
    public int publishDue(int most) {
        int published = 0;
        for (Item item : store.due(clock.instant(), most)) {
            // One statement: whoever else looks at the same moment loses the version.
            boolean isMine = writes.run(hopeful ->
                    written(item, new ItemChanges().status(ItemStatus.PUBLISH)).isPresent());
            published += isMine ? 1 : 0;
        }
        return published;
    }

    private Item newest(Item item) {
        return store.find(item.type(), item.id()).orElseThrow(ItemWriter::gone);
    }

    private Item current(Item item) {
        return store.findForChange(item.type(), item.id()).orElseThrow(ItemWriter::gone);
    }

    private Item write(Item current, ItemChanges changes) {
        return written(current, changes).orElseThrow(Writes.OvertakenException::new);
    }

    private Optional<Item> written(Item current, ItemChanges changes) {
        Optional<Item> written = store.update(current, changes);
        boolean isShown = current.status() == ItemStatus.PUBLISH;
        written.map(item -> item.status() == ItemStatus.PUBLISH)
                .filter(shown -> shown != isShown)
                .ifPresent(shown -> terms.show(current.id(), shown));
        return written;
    }

    private void checkAuthor(Caller caller, ItemInput input) {
        if (!knowsAuthor(caller, input)) {
            throw RestError.of(400, "rest_invalid_author", "Invalid author ID.");
        }
    }

    /**
     * Says whether an item is to belong to somebody.
     *
     * @param caller whom it belongs to if nobody is named
     * @param input what it is to be
     * @return false for an account that there is not
     */
    public boolean knowsAuthor(Caller caller, ItemInput input) {
        long author = input.author().orElse(0);
        return author == 0 || caller.is(author) || accounts.find(author).isPresent();
    }

    /** Posts alone must say something: what has no excerpt of its own, as pages and files, may be empty. */
    private static void requireWords(ItemType type, String... texts) {
        if (type == ItemType.POST && Arrays.stream(texts).allMatch(ItemInput::isNothing)) {
            throw RestError.of(400, "empty_content", "Content, title, and excerpt are empty.");
        }
    }

    /** A year has four digits and is not 0. What a date counts on from may be such a year, the date itself may not. */
    private static void requireDate(ItemInput input) {
        input.date().map(date -> date.atOffset(ZoneOffset.UTC).getYear()).ifPresent(year -> {
            if (year < 1 || year > LAST_YEAR) {
                throw RestError.of(400, "invalid_date", "Invalid date.");
            }
        });
    }

    /** Told after the item was stored, as clients of this interface know it. */
    private static void requireFootnotes(ItemInput input) {
        if (!hasRefusedFootnotes(input)) {
            return;
        }
        JsonNodeFactory json = JsonNodeFactory.instance;
        throw RestError.of(400, "rest_invalid_type", "meta.footnotes is not of type string.")
                .withAdditional(json.arrayNode().add(json.objectNode().put("param", "meta.footnotes")));
    }

    private static boolean hasRefusedFootnotes(ItemInput input) {
        return input.footnotes()
                .filter(notes -> !notes.isString() && !notes.isNull())
                .isPresent();
    }

    private static RestError stickyAndGuarded(String message) {
        return RestError.of(400, "rest_invalid_field", message);
    }

    private static RestError gone() {
        return RestError.of(404, "rest_post_invalid_id", "Invalid post ID.");
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS);
    }
}
