package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.item.ItemType.Feature;
import io.github.ratelimit.content.cms.text.FreeSlugs;
import io.github.ratelimit.content.cms.text.Slugs;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
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
        return FreeSlugs.find(slug, isReserved(type, slug), slugs -> taken(type, parent, slugs, id));
    }

    private Set<String> taken(ItemType type, long parent, Set<String> slugs, long id) {
        return store.slugHolders(type, parent, slugs).entrySet().stream()
                .filter(held -> isHeldByOthers(held.getValue(), id))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private static boolean isHeldByOthers(Set<Long> holders, long id) {
        return holders.stream().anyMatch(holder -> holder != id);
    }

    /**
     * Makes the slugs that the titles of several items stand for, as people read them: those that they would have if they had
     * not been given one. Nobody is asked about them before the first one is wanted, and then about all at once.
     *
     * @param shown any items
     * @return makes the slug of one of them; of its id where nothing is left of the title
     */
    Function<Item, String> generated(Collection<Item> shown) {
        Map<Place, Map<String, Set<Long>>> holders = new HashMap<>();
        return item -> {
            Place place = Place.of(item);
            String wish = wish(item);
            if (isSurelyItsOwn(item, wish)) {
                return ofItself(item);
            }
            if (shown.size() == 1) {
                return URLDecoder.decode(free(item.type(), item.parent(), wish, item.id()), StandardCharsets.UTF_8);
            }
            Map<String, Set<Long>> there = holders.computeIfAbsent(
                    place, asked -> store.slugHolders(item.type(), item.parent(), wishes(shown, place)));
            boolean isFree =
                    !isReserved(item.type(), wish) && !isHeldByOthers(there.getOrDefault(wish, Set.of()), item.id());
            String slug = isFree ? wish : free(item.type(), item.parent(), wish, item.id());
            return URLDecoder.decode(slug, StandardCharsets.UTF_8);
        };
    }

    /** Shows the slug that an item has, as people read it. */
    static String ofItself(Item item) {
        return URLDecoder.decode(item.slug(), StandardCharsets.UTF_8);
    }

    /** What is finished has its slug for itself. */
    private static boolean isSurelyItsOwn(Item item, String wish) {
        return item.slug().equals(wish) && !item.status().isUnfinished();
    }

    /** Within what slugs are compared. */
    private record Place(ItemType type, long parent) {
        static Place of(Item item) {
            return new Place(item.type(), item.type().has(Feature.TREE) ? item.parent() : 0);
        }
    }

    private static Set<String> wishes(Collection<Item> shown, Place place) {
        return shown.stream()
                .filter(item -> Place.of(item).equals(place) && !isSurelyItsOwn(item, wish(item)))
                .map(ItemSlugs::wish)
                .collect(Collectors.toSet());
    }

    private static String wish(Item item) {
        String slug = Slugs.of(item.title().raw());
        return slug.isEmpty() ? Long.toString(item.id()) : slug;
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
