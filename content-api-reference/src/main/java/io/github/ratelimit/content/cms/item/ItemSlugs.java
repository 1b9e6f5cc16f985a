package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.item.ItemType.Feature;
import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.cms.text.Slugs;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import org.springframework.stereotype.Component;

/** Names items: what slug a wish becomes, and what slugs nobody can have. */
@Component
class ItemSlugs {
    private static final String TRASHED = "__trashed";
    private static final int MOST_TRASHED = Slugs.MAX_LENGTH - TRASHED.length();

    /** Addresses of other things on a site of this kind. */
    private static final Set<String> RESERVED = Set.of("embed", "feed", "rdf", "rss", "rss2", "atom");

    private final ItemStore store;

    ItemSlugs(ItemStore store) {
        this.store = store;
    }

    /**
     * Finds a free slug.
     *
     * @param type of the item
     * @param parent what it stands below
     * @param slug the wish, not empty
     * @param id of the item that asks, or 0
     * @return the wish, or the wish with a number
     */
    private String free(ItemType type, long parent, String slug, long id) {
        return Slugs.free(slug, isReserved(type, slug), slugs -> store.takenSlugs(type, parent, slugs, id));
    }

    /**
     * Sets a slug that no other item has.
     *
     * @param item as it will be
     * @param slug the wish
     * @param mayShare whether the item may have the slug of another one, because it is unfinished
     * @return the changes
     */
    ItemChanges set(ItemChanges changes, Item item, String slug, boolean mayShare) {
        String free = slug.isEmpty() ? slug : free(item.type(), item.parent(), slug, item.id());
        return mayShare && !free.equals(slug)
                ? changes.sharedSlug(slug)
                : changes.slug(free, item.type().slugScope(item.parent()));
    }

    /** Sets the slug of an item that is new, or gets another one. */
    void change(ItemChanges changes, Caller caller, Item current, ItemDraft draft, boolean isDeliberate) {
        Item next = current.with(current.id(), changes);
        boolean isUnfinished = next.status().isUnfinished();
        boolean isRestored = current.status() == ItemStatus.TRASH && next.status() != ItemStatus.TRASH;
        String wish = isRestored && !current.trashedSlug().isEmpty()
                ? current.trashedSlug()
                : draft.slug().orElse(current.slug());
        String slug = wished(caller, next, wish);
        if (slug.isEmpty() && !isUnfinished && !current.isBlank()) {
            slug = Long.toString(current.id());
        }
        boolean isWished = isDeliberate && draft.slug().isPresent() && !slug.isEmpty();
        boolean isFinished = current.status().isUnfinished() && !isUnfinished;
        boolean isMoved = next.parent() != current.parent();
        if (current.isBlank() || !slug.equals(current.slug()) || isMoved || isWished || isFinished) {
            boolean isFixed = current.isBlank() ? draft.status().isPresent() : isWished;
            set(changes, next, slug, isUnfinished && !isFixed);
        }
    }

    /** Tells the slug that an item should have: the chosen one, or one of the title once it is finished. */
    private static String wished(Caller caller, Item item, String wish) {
        if (item.status() == ItemStatus.PENDING
                && !caller.may(item.type().capabilities().publish())) {
            return "";
        }
        return !wish.isEmpty() || item.status().isUnfinished()
                ? wish
                : Slugs.of(item.title().raw());
    }

    /** Makes the slug that an item would have if nobody had given it one, as people read it. */
    String generated(Item item) {
        String title = Slugs.of(item.title().raw());
        String wish = title.isEmpty() ? Long.toString(item.id()) : title;
        // A finished item has its slug for itself.
        boolean isItsOwn = item.slug().equals(wish) && !item.status().isUnfinished();
        String slug = isItsOwn ? wish : free(item.type(), item.parent(), wish, item.id());
        return URLDecoder.decode(slug, StandardCharsets.UTF_8);
    }

    private static boolean isReserved(ItemType type, String slug) {
        return RESERVED.contains(slug) || (type.has(Feature.TREE) && isPageNumber(slug));
    }

    private static boolean isPageNumber(String slug) {
        String number = slug.toLowerCase(Locale.ROOT).startsWith("page") ? slug.substring(4) : slug;
        return !number.isEmpty() && number.chars().allMatch(digit -> digit >= '0' && digit <= '9');
    }

    /** Makes room for others while an item lies in the trash. */
    static String trashed(String slug) {
        if (slug.endsWith(TRASHED)) {
            return slug;
        }
        return (slug.length() > MOST_TRASHED ? slug.substring(0, MOST_TRASHED) : slug) + TRASHED;
    }
}
