package io.github.ratelimit.content.item;

import io.github.ratelimit.content.security.Accounts;
import io.github.ratelimit.content.security.Caller;
import io.github.ratelimit.content.term.Taxonomy;
import io.github.ratelimit.content.term.Term;
import io.github.ratelimit.content.term.TermStore;
import io.github.ratelimit.content.text.Slugs;
import io.github.ratelimit.content.web.RestError;
import io.github.ratelimit.content.web.RestRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;
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

    /** Chosen: more writers of one item than a server has connections. */
    private static final int MOST_TRIES = 100;

    private static final int LONGEST_TEXT = 1 << 20;

    private final InstantSource clock;
    private final ItemStore store;
    private final ItemSlugs slugs;
    private final ItemHistory history;
    private final TermStore terms;
    private final Accounts accounts;
    private final TransactionTemplate transaction;

    ItemWriter(
            InstantSource clock,
            ItemStore store,
            ItemSlugs slugs,
            ItemHistory history,
            TermStore terms,
            Accounts accounts,
            PlatformTransactionManager transactions) {
        this.clock = clock;
        this.store = store;
        this.slugs = slugs;
        this.history = history;
        this.terms = terms;
        this.accounts = accounts;
        this.transaction = new TransactionTemplate(transactions);
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
        ItemStatus wished = input.status().orElse(ItemStatus.DRAFT);
        if (type == ItemType.ATTACHMENT) {
            wished = ItemStatus.INHERIT;
        } else if (input.status().isPresent()) {
            ItemAccess.checkStatus(request, type, wished);
        }
        checkAuthor(request.caller(), input);
        if (input.sticky().orElse(false) && !input.password().orElse("").isEmpty()) {
            throw stickyAndGuarded("A post can not be sticky and have a password.");
        }
        if (type != ItemType.ATTACHMENT && !hasWords(input)) {
            throw emptyContent();
        }
        ItemStatus status = wished;
        Item created = retrying(() -> insert(request, type, input, status, further));
        requireFootnotes(input);
        return created;
    }

    private Item insert(RestRequest request, ItemType type, ItemInput input, ItemStatus wished, ItemChanges further) {
        Instant now = now();
        Instant published = input.date().orElse(now);
        ItemStatus status = dated(type, wished, published, now);
        long parent = parentOf(0, input);
        ItemChanges changes = further.copy()
                .set(ItemColumn.KIND, type.wireName())
                .status(status)
                .set(
                        ItemColumn.AUTHOR_ID,
                        input.author().orElse(request.caller().accountId()))
                .set(ItemColumn.PARENT_ID, parent)
                .set(ItemColumn.PUBLISHED_AT, published)
                .set(ItemColumn.UNDATED, input.date().isEmpty() && status.isUnfinished())
                .set(ItemColumn.MODIFIED_AT, published)
                .title(input.title().orElse(""))
                .body(input.content().orElse(""), input.excerpt().orElse(""))
                .set(ItemColumn.COMMENTS_OPEN, input.commentsOpen().orElse(type != ItemType.PAGE))
                .set(ItemColumn.PINGS_OPEN, input.pingsOpen().orElse(type == ItemType.POST));
        setSimpleFields(changes, input);
        if (status == ItemStatus.PRIVATE) {
            changes.set(ItemColumn.PASSWORD, "");
        }
        String slug = slugFor(
                request.caller(),
                type,
                status,
                input.slug().orElse(""),
                input.title().orElse(""));
        changes.slug(slug.isEmpty() ? slug : slugs.free(type, parent, slug, 0), type.slugScope(parent));
        requireStorable(changes);

        long id = store.insert(changes);
        if (slug.isEmpty() && !status.isUnfinished()) {
            // Nothing is left of the title: the id serves as the name.
            Item stored = store.find(id).orElseThrow();
            String name = slugs.free(type, parent, Long.toString(id), id);
            store.update(stored, new ItemChanges().slug(name, type.slugScope(parent)));
        }
        if (type == ItemType.POST) {
            input.terms().forEach((taxonomy, ids) -> terms.assign(id, taxonomy, ids));
            if (!input.terms().containsKey(Taxonomy.CATEGORY)) {
                terms.assign(id, Taxonomy.CATEGORY, List.of(Term.DEFAULT_CATEGORY));
            }
        }
        return store.find(id).orElseThrow();
    }

    /**
     * Changes an item.
     *
     * @param request knows the caller
     * @param item as it was when the caller was let in
     * @param input what is to be different
     * @param further columns that only the item's type knows
     * @return as it is stored now
     * @throws RestError if it may not or cannot be changed so
     */
    public Item update(RestRequest request, Item item, ItemInput input, ItemChanges further) {
        return update(request, item, input, further, true);
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
        return update(request, item, input, new ItemChanges(), false);
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
        return retrying(() -> {
            Item current = current(item);
            return history.saveAutomatically(current, input, request.caller().accountId(), now());
        });
    }

    private Item update(RestRequest request, Item item, ItemInput input, ItemChanges further, boolean keepsHistory) {
        checkAuthor(request.caller(), input);
        Item updated = retrying(() -> {
            Item current = current(item);
            ItemStatus status = statusFor(request, current, input);
            requirePossible(current, input);
            ItemChanges changes = changes(request.caller(), current, input, status, further);
            requireStorable(changes);
            Item written = write(current, changes);
            if (written.type() == ItemType.POST) {
                input.terms().forEach((taxonomy, ids) -> terms.assign(written.id(), taxonomy, ids));
                if (!input.terms().containsKey(Taxonomy.CATEGORY)) {
                    requireCategory(written.id());
                }
            }
            if (keepsHistory && written.type() != ItemType.ATTACHMENT) {
                history.keep(written, request.caller().accountId(), now());
            }
            return written;
        });
        requireFootnotes(input);
        return updated;
    }

    private ItemStatus statusFor(RestRequest request, Item current, ItemInput input) {
        if (current.type() == ItemType.ATTACHMENT) {
            return current.status();
        }
        Optional<ItemStatus> wished = input.status().filter(status -> status != current.status());
        wished.ifPresent(status -> ItemAccess.checkStatus(request, current.type(), status));
        return wished.orElse(current.status());
    }

    private static void requirePossible(Item current, ItemInput input) {
        boolean guards = !input.password().orElse("").isEmpty();
        if (guards && input.sticky().orElse(false)) {
            throw stickyAndGuarded("A post can not be sticky and have a password.");
        }
        if (guards && current.isSticky()) {
            throw stickyAndGuarded("A sticky post can not be password protected.");
        }
        if (input.sticky().orElse(false) && current.isGuarded()) {
            throw stickyAndGuarded("A password protected post can not be set to sticky.");
        }
        boolean isEmpty = input.title().orElse(current.title().raw()).isEmpty()
                && input.content().orElse(current.content().raw()).isEmpty()
                && input.excerpt().orElse(current.excerpt().raw()).isEmpty();
        if (isEmpty && current.type() != ItemType.ATTACHMENT) {
            throw emptyContent();
        }
    }

    private ItemChanges changes(Caller caller, Item current, ItemInput input, ItemStatus wished, ItemChanges further) {
        Instant now = now();
        ItemChanges changes = further.copy().set(ItemColumn.MODIFIED_AT, now);
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
        setTexts(changes, current, input);
        setSimpleFields(changes, input);
        input.author().ifPresent(author -> changes.set(ItemColumn.AUTHOR_ID, author));
        input.commentsOpen().ifPresent(open -> changes.set(ItemColumn.COMMENTS_OPEN, open));
        input.pingsOpen().ifPresent(open -> changes.set(ItemColumn.PINGS_OPEN, open));
        if (status == ItemStatus.PRIVATE) {
            changes.set(ItemColumn.PASSWORD, "");
        }
        long parent = current.parent();
        if (input.parent().isPresent()) {
            parent = parentOf(current.id(), input);
            changes.set(ItemColumn.PARENT_ID, parent);
        }
        setSlug(changes, caller, current, input, status, parent);
        return changes;
    }

    private static void setTexts(ItemChanges changes, Item current, ItemInput input) {
        input.title().ifPresent(changes::title);
        if (input.content().isPresent() || input.excerpt().isPresent()) {
            changes.body(
                    input.content().orElse(current.content().raw()),
                    input.excerpt().orElse(current.excerpt().raw()));
        }
    }

    private void setSimpleFields(ItemChanges changes, ItemInput input) {
        input.password().ifPresent(password -> changes.set(ItemColumn.PASSWORD, password));
        input.menuOrder().ifPresent(order -> changes.set(ItemColumn.MENU_ORDER, order));
        input.format().ifPresent(format -> changes.set(ItemColumn.FORMAT, format));
        input.sticky().ifPresent(sticky -> changes.set(ItemColumn.STICKY, sticky));
        input.featuredMedia().ifPresent(id -> changes.set(ItemColumn.FEATURED_MEDIA, isPicture(id) ? id : 0L));
        input.footnotes()
                .filter(notes -> notes.isString() || notes.isNull())
                .ifPresent(notes -> changes.set(ItemColumn.FOOTNOTES, notes.isNull() ? "" : notes.stringValue()));
    }

    private boolean isPicture(long id) {
        return id > 0
                && store.find(ItemType.ATTACHMENT, id)
                        .filter(file -> file.mimeType().startsWith("image/"))
                        .isPresent();
    }

    private void setSlug(
            ItemChanges changes, Caller caller, Item current, ItemInput input, ItemStatus status, long parent) {
        String wish = input.slug().orElse(current.slug());
        boolean isRestored = current.status() == ItemStatus.TRASH && status != ItemStatus.TRASH;
        if (isRestored) {
            wish = current.trashedSlug().filter(slug -> !slug.isEmpty()).orElse(wish);
            changes.clear(ItemColumn.TRASHED_SLUG).clear(ItemColumn.TRASHED_STATUS);
        }
        String title = input.title().orElse(current.title().raw());
        String slug = slugFor(caller, current.type(), status, wish, title);
        if (slug.isEmpty() && !status.isUnfinished()) {
            slug = Long.toString(current.id());
        }
        if (slug.equals(current.slug()) && parent == current.parent()) {
            return;
        }
        changes.slug(
                slug.isEmpty() ? slug : slugs.free(current.type(), parent, slug, current.id()),
                current.type().slugScope(parent));
    }

    /** A slug that was chosen stays; else the title makes one when the item is finished. */
    private static String slugFor(Caller caller, ItemType type, ItemStatus status, String wish, String title) {
        if (status == ItemStatus.PENDING && !caller.may(type.kind().publish())) {
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

    /** Finds what an item is to stand below; nothing stands below itself, not even by way of others. */
    private long parentOf(long id, ItemInput input) {
        long parent = input.parent().orElse(0);
        if (parent == 0 || parent == id) {
            return 0;
        }
        Item above = store.find(parent)
                .orElseThrow(() -> RestError.of(400, "rest_post_invalid_id", "Invalid post parent ID."));
        Set<Long> seen = new HashSet<>();
        long ancestor = above.parent();
        while (ancestor != 0 && seen.add(ancestor)) {
            if (ancestor == id) {
                return 0;
            }
            ancestor = store.find(ancestor).map(Item::parent).orElse(0L);
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
        return retrying(() -> {
            Item current = current(item);
            if (current.status() == ItemStatus.TRASH) {
                throw RestError.of(410, "rest_already_trashed", "The post has already been deleted.");
            }
            Instant now = now();
            ItemChanges changes = new ItemChanges()
                    .status(ItemStatus.TRASH)
                    .set(ItemColumn.MODIFIED_AT, now)
                    .set(ItemColumn.TRASHED_STATUS, current.status().wireName())
                    .set(ItemColumn.TRASHED_SLUG, current.slug());
            if (current.isUndated()) {
                changes.set(ItemColumn.PUBLISHED_AT, now).set(ItemColumn.UNDATED, false);
            }
            String slug = slugs.free(current.type(), current.parent(), ItemSlugs.trashed(current.slug()), current.id());
            changes.slug(slug, current.type().slugScope(current.parent()));
            Item trashed = write(current, changes);
            if (trashed.type() == ItemType.POST) {
                requireCategory(trashed.id());
            }
            history.keep(trashed, request.caller().accountId(), now);
            return trashed;
        });
    }

    /**
     * Deletes an item for good. What stood below a page moves up.
     *
     * @param item as it was when the caller was let in
     * @return as it was when it was deleted
     * @throws RestError 404, if it is gone already
     */
    public Item delete(Item item) {
        return retrying(() -> {
            Item current = current(item);
            if (current.type() == ItemType.PAGE) {
                ItemQuery below = ItemQuery.of(ItemType.PAGE).in("parent_id", List.of(current.id()));
                store.all(below).forEach(child -> moveUp(child, current.parent()));
            }
            if (!store.delete(current)) {
                throw gone();
            }
            return current;
        });
    }

    private void moveUp(Item child, long parent) {
        ItemChanges changes = new ItemChanges().set(ItemColumn.PARENT_ID, parent);
        String slug = child.slug().isEmpty() ? "" : slugs.free(ItemType.PAGE, parent, child.slug(), child.id());
        write(child, changes.slug(slug, ItemType.PAGE.slugScope(parent)));
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
            boolean isMine = store.update(item, new ItemChanges().status(ItemStatus.PUBLISH));
            published += isMine ? 1 : 0;
        }
        return published;
    }

    /** Posts are never without a category for long: any write gives them the default one. */
    private void requireCategory(long id) {
        Map<Long, List<Term>> known = terms.termsOf(List.of(id));
        boolean has = known.getOrDefault(id, List.of()).stream().anyMatch(term -> term.taxonomy() == Taxonomy.CATEGORY);
        if (!has) {
            terms.assign(id, Taxonomy.CATEGORY, List.of(Term.DEFAULT_CATEGORY));
        }
    }

    private Item current(Item item) {
        return store.findForChange(item.type(), item.id()).orElseThrow(ItemWriter::gone);
    }

    private Item write(Item current, ItemChanges changes) {
        if (!store.update(current, changes)) {
            throw new OvertakenException();
        }
        return store.find(current.id()).orElseThrow(ItemWriter::gone);
    }

    /** Another writer was faster: look again and start over. */
    private static final class OvertakenException extends ConcurrencyFailureException {
        private static final long serialVersionUID = 1L;

        OvertakenException() {
            super("the item was changed meanwhile");
        }
    }

    private <T> T retrying(Supplier<T> work) {
        Function<Object, T> body = status -> work.get();
        for (int tries = 1; ; tries++) {
            try {
                T result = transaction.execute(body::apply);
                if (result == null) {
                    throw new IllegalStateException("a write gave no item");
                }
                return result;
            } catch (DuplicateKeyException | ConcurrencyFailureException overtaken) {
                if (tries == MOST_TRIES) {
                    throw overtaken;
                }
            }
        }
    }

    private void checkAuthor(Caller caller, ItemInput input) {
        long author = input.author().orElse(0);
        if (author != 0 && !caller.is(author) && accounts.find(author).isEmpty()) {
            throw RestError.of(400, "rest_invalid_author", "Invalid author ID.");
        }
    }

    private static boolean hasWords(ItemInput input) {
        return !(input.title().orElse("").isEmpty()
                && input.content().orElse("").isEmpty()
                && input.excerpt().orElse("").isEmpty());
    }

    /** Rendering lengthens texts; what no column holds is refused before the database would. */
    private static void requireStorable(ItemChanges changes) {
        if (changes.longestText() > LONGEST_TEXT) {
            throw RestError.of(400, "rest_content_too_long", "The text is longer than this server keeps.");
        }
    }

    /** Told after the item was stored, as clients of this interface know it. */
    private static void requireFootnotes(ItemInput input) {
        JsonNode notes = input.footnotes().orElse(null);
        if (notes == null || notes.isString() || notes.isNull()) {
            return;
        }
        JsonNodeFactory json = JsonNodeFactory.instance;
        throw RestError.of(400, "rest_invalid_type", "meta.footnotes is not of type string.")
                .withAdditional(json.arrayNode().add(json.objectNode().put("param", "meta.footnotes")));
    }

    private static RestError stickyAndGuarded(String message) {
        return RestError.of(400, "rest_invalid_field", message);
    }

    private static RestError emptyContent() {
        return RestError.of(400, "empty_content", "Content, title, and excerpt are empty.");
    }

    private static RestError gone() {
        return RestError.of(404, "rest_post_invalid_id", "Invalid post ID.");
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS);
    }
}
