package io.github.ratelimit.content.item;

import io.github.ratelimit.content.text.Slugs;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.springframework.stereotype.Component;

/**
 * Finds slugs that nobody has.
 *
 * <p>What is free now may be taken in a moment: the database has the last word, and whoever is refused asks again.
 */
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
     * Finds the first free one of {@code slug}, {@code slug-2}, {@code slug-3} …
     *
     * @param type of the item
     * @param parent what it stands below
     * @param slug the wish, not empty
     * @param id of the item that asks, or 0
     */
    String free(ItemType type, long parent, String slug, long id) {
        if (!isReserved(type, slug)
                && store.takenSlugs(type, parent, slug, id, false).isEmpty()) {
            return slug;
        }
        Set<String> taken = new HashSet<>(store.takenSlugs(type, parent, slug, id, true));
        String candidate = slug;
        for (int number = 2; taken.contains(candidate) || isReserved(type, candidate); number++) {
            candidate = Slugs.numbered(slug, number);
        }
        return candidate;
    }

    private static boolean isReserved(ItemType type, String slug) {
        return RESERVED.contains(slug) || (type == ItemType.PAGE && isPageNumber(slug));
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
