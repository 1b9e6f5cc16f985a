package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.item.ItemType.Feature;
import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.cms.text.FreeSlugs;
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
    String free(ItemType type, long parent, String slug, long id) {
        return FreeSlugs.find(slug, isReserved(type, slug), slugs -> store.takenSlugs(type, parent, slugs, id));
    }

    /**
     * Sets a slug that no other item has.
     *
     * @param mayShare whether the item may have the slug of another one, because it is unfinished
     */
    void set(ItemChanges changes, ItemType type, long parent, String slug, long id, boolean mayShare) {
        String free = slug.isEmpty() ? slug : free(type, parent, slug, id);
        if (mayShare && !free.equals(slug)) {
            changes.sharedSlug(slug);
        } else {
            changes.slug(free, type.slugScope(parent));
        }
    }

    /** Sets the slug of an item that changes, where it gets another one. */
    void change(
            ItemChanges changes,
            Caller caller,
            Item current,
            ItemInput input,
            ItemStatus status,
            long parent,
            boolean isDeliberate) {
        boolean isRestored = current.status() == ItemStatus.TRASH
                && status != ItemStatus.TRASH
                && !current.trashedSlug().isEmpty();
        String wish = isRestored ? current.trashedSlug() : input.slug().orElse(current.slug());
        String title = input.title().orElse(current.title().raw());
        String slug = wished(caller, current.type(), status, wish, title);
        if (slug.isEmpty() && !status.isUnfinished()) {
            slug = Long.toString(current.id());
        }
        boolean isWished = isDeliberate && input.slug().isPresent() && !slug.isEmpty();
        boolean isFinished = current.status().isUnfinished() && !status.isUnfinished();
        if (!slug.equals(current.slug()) || parent != current.parent() || isWished || isFinished) {
            set(changes, current.type(), parent, slug, current.id(), status.isUnfinished() && !isWished);
        }
    }

    /** Tells the slug that an item should have: the chosen one, or one of the title once it is finished. */
    static String wished(Caller caller, ItemType type, ItemStatus status, String wish, String title) {
        if (status == ItemStatus.PENDING && !caller.may(type.capabilities().publish())) {
            return "";
        }
        return !wish.isEmpty() || status.isUnfinished() ? wish : Slugs.of(title);
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
