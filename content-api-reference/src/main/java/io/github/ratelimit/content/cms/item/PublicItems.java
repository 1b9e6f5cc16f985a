package io.github.ratelimit.content.cms.item;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** Items that everybody may see, by their ids and their addresses. Safe for concurrent use. */
@Component
public class PublicItems {
    private static final Pattern ITEM = Pattern.compile(ItemType.shown().stream()
            .map(ItemType::queryName)
            .collect(Collectors.joining("|", "[?&](", ")=([0-9]{1,18})")));

    private static final Pattern HOST = Pattern.compile(
            "(?i)(?:(?:https?:)?//)?(?:www\\.)?(\\[[0-9a-f:.]++]|[^/?#@:\\s]++)(?::[0-9]*+)?(?=[/?#]|$)");

    private final ItemStore store;
    private final ItemFinder finder;

    PublicItems(ItemStore store, ItemFinder finder) {
        this.store = store;
        this.finder = finder;
    }

    /**
     * Finds the item that an address of this site shows to everybody. Scheme, port and {@code www.} do not matter, as clients of
     * this interface know it; an address without a host is nobody's. Files have a name of their own in addresses.
     *
     * @param baseUrl the address of the site
     * @param address any text
     * @return empty if the address is not this site's, or shows nothing of the kind
     */
    public Optional<Item> find(String baseUrl, String address) {
        boolean isHere = host(address).equals(host(baseUrl));
        Matcher item = ITEM.matcher(address);
        if (!isHere || !item.find()) {
            return Optional.empty();
        }
        boolean isOfFile = item.group(1).equals(ItemType.ATTACHMENT.queryName());
        return find(Long.parseLong(item.group(2))).filter(found -> isOfFile || found.type() != ItemType.ATTACHMENT);
    }

    private static Optional<String> host(String address) {
        Matcher host = HOST.matcher(address);
        return host.lookingAt() ? Optional.of(host.group(1).toLowerCase(Locale.ROOT)) : Optional.empty();
    }

    /**
     * Finds an item that everybody may see.
     *
     * @param id of any item
     * @return empty if there is none, or not everybody may see it
     */
    public Optional<Item> find(long id) {
        return store.header(id)
                .filter(finder::isPublic)
                .flatMap(found -> store.find(id))
                .filter(finder::isPublic);
    }

    /**
     * Returns the title as readers see it.
     *
     * @param item any
     * @return HTML
     */
    public static String title(Item item) {
        return (item.isGuarded() ? "Protected: " : "") + item.title().rendered();
    }
}
