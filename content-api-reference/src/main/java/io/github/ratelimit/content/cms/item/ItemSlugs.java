package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.item.ItemType.Feature;
import io.github.ratelimit.content.cms.text.FreeSlugs;
import io.github.ratelimit.content.cms.text.Slugs;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;

/** Names items: what slug a wish becomes, and what slugs nobody can have. */
@Component
class ItemSlugs {
    private static final String TRASHED = "__trashed";
    private static final int MOST_TRASHED = Slugs.MAX_LENGTH - TRASHED.length();

    /** Addresses of other things on a site of this kind. */
    private static final Set<String> RESERVED = Set.of("embed", "feed", "rdf", "rss", "rss2", "atom");

    private static final Pattern NUMBER = Pattern.compile("-([0-9]{1,9})$");

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
     * Makes the slug that the title of an item stands for, as people read it. Where its own slug is that one with a number, others
     * have it; else whether another item has it is not looked at.
     *
     * @param item any
     * @return its id where nothing is left of the title
     */
    static String generated(Item item) {
        String wish = Slugs.of(item.title().raw());
        String slug = wish.isEmpty() ? Long.toString(item.id()) : wish;
        Matcher number = NUMBER.matcher(item.slug());
        boolean isNumbered = number.find()
                && Slugs.numbered(slug, Integer.parseInt(number.group(1))).equals(item.slug());
        return URLDecoder.decode(
                isNumbered ? item.slug() : isReserved(item.type(), slug) ? Slugs.numbered(slug, 2) : slug,
                StandardCharsets.UTF_8);
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
