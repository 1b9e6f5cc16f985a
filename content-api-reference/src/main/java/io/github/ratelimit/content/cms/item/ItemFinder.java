package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.Lookup;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.cms.term.SortedItems;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/**
 * Finds items, each once in a request, and says whether a caller may read them.
 *
 * <p>{@link ItemPermissions} says who may write them.
 */
@Component
public class ItemFinder implements SortedItems {
    private static final Pattern ITEM = Pattern.compile(ItemType.shown().stream()
            .map(ItemType::queryName)
            .collect(Collectors.joining("|", "[?&](", ")=([0-9]{1,18})")));

    private static final Pattern HOST = Pattern.compile(
            "(?i)(?:(?:https?:)?//)?(?:www\\.)?(\\[[0-9a-f:.]++]|[^/?#@:\\s]++)(?::[0-9]*+)?(?=[/?#]|$)");

    private final ItemStore store;
    private final Lookup<Long, Item> items;
    private final Lookup<Long, ItemHeader> headers;

    ItemFinder(ItemStore store) {
        this.store = store;
        this.items = // Writes are bounded by their bodies.
                Lookup.ofRequests((request, ids) -> store.findAll(
                        ids, ItemColumn.READ_TEXTS, request.method() == RestMethod.GET ? request::takeRoom : null));
        this.headers = Lookup.of(store::header, store::headers);
    }

    /**
     * Finds an item, once a check has let its header pass.
     *
     * @param request keeps it
     * @param id its id
     * @param type what it must be
     * @param check throws where the caller may not go on; must not change anything
     * @return empty where there is none, or where it is something else
     */
    public Optional<Item> find(RestRequest request, long id, ItemType type, Consumer<ItemHeader> check) {
        Optional<ItemHeader> header = header(request, id).filter(found -> found.type() == type);
        header.ifPresent(check);
        if (header.isEmpty()) {
            return Optional.empty();
        }
        // Looked at once more: in between, somebody may have hidden it.
        Optional<Item> item = find(request, id).filter(found -> found.type() == type);
        item.ifPresent(check);
        return item;
    }

    /**
     * Finds what says who may do what with an item of any type, without its texts.
     *
     * @param request keeps it
     * @param id its id
     * @return empty where there is none
     */
    public Optional<ItemHeader> header(RestRequest request, long id) {
        return headers.find(request, id);
    }

    /**
     * Finds what says who may do what with several items of any type, in one look.
     *
     * @param request keeps it
     * @param ids of items
     * @return by id; unknown ones are missing
     */
    public Map<Long, ItemHeader> headers(RestRequest request, Collection<Long> ids) {
        return headers.findAll(request, ids);
    }

    /**
     * Finds an item of any type.
     *
     * @param request keeps it
     * @param id its id
     * @return empty where there is none
     */
    public Optional<Item> find(RestRequest request, long id) {
        return items.find(request, id);
    }

    /**
     * Finds several items of any type in one look.
     *
     * @param request keeps them
     * @param ids of items
     * @return by id; unknown ones are missing
     */
    public Map<Long, Item> findAll(RestRequest request, Collection<Long> ids) {
        return items.findAll(request, ids);
    }

    /** Keeps what says who may do what with items that were found otherwise. Their texts need not be all there. */
    void known(RestRequest request, List<Item> found) {
        headers.keep(request, found.stream().collect(Collectors.toMap(Item::id, Function.identity())));
    }

    /** Keeps what a write made of an item: nobody has to read it again to say who may do what with it now. */
    void written(RestRequest request, long id, Optional<Item> stored) {
        items.written(request, id, stored);
        headers.written(request, id, stored.map(ItemHeader.class::cast));
    }

    /**
     * Finds the items that several requests are about, and what those belong to, which says who may see them.
     *
     * @param requests with the argument {@code id}; all know what one of them knows
     * @return the items that are there, and that the caller may read
     */
    public Collection<Item> foresee(List<RestRequest> requests) {
        RestRequest any = requests.get(0);
        List<Long> asked = requests.stream()
                .map(request -> request.arguments().number("id"))
                .toList();
        return findAll(any, readable(any, asked)).values();
    }

    /**
     * Says whether a caller may read an item; its password is asked for beside this.
     *
     * @param request keeps what a file belongs to
     * @param item any
     * @return whether reading is allowed
     */
    public boolean mayRead(RestRequest request, ItemHeader item) {
        return mayRead(request.caller(), item, id -> header(request, id));
    }

    @Override
    public Set<Long> readable(RestRequest request, Collection<Long> items) {
        Collection<ItemHeader> found = headers(request, items).values();
        headers(
                request,
                found.stream().map(ItemHeader::parent).filter(id -> id > 0).toList()); // in one look
        return found.stream()
                .filter(item -> mayRead(request, item))
                .map(ItemHeader::id)
                .collect(Collectors.toSet());
    }

    /**
     * Says whether everybody may read an item, on the pages of the site and on those of others.
     *
     * @param item any
     * @return false for wordings of another item, whatever that item is
     */
    public boolean isPublic(ItemHeader item) {
        return item.type() != ItemType.REVISION && mayRead(Caller.anonymous(), item, store::header);
    }

    /**
     * Finds the item that an address of this site shows to everybody. Scheme, port and {@code www.} do not matter, as clients of
     * this interface know it; an address without a host is nobody's. Files have a name of their own in addresses.
     *
     * @param baseUrl the address of the site
     * @param address any text
     * @return empty if the address is not this site's, or shows nothing of the kind
     */
    public Optional<Item> findPublic(String baseUrl, String address) {
        boolean isHere = host(address).equals(host(baseUrl));
        Matcher item = ITEM.matcher(address);
        if (!isHere || !item.find()) {
            return Optional.empty();
        }
        boolean isOfFile = item.group(1).equals(ItemType.ATTACHMENT.queryName());
        return findPublic(Long.parseLong(item.group(2)))
                .filter(found -> isOfFile || found.type() != ItemType.ATTACHMENT);
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
    public Optional<Item> findPublic(long id) {
        return store.header(id)
                .filter(this::isPublic)
                .flatMap(found -> store.find(id))
                .filter(this::isPublic);
    }

    /** A file is as visible as what it belongs to; one whose owner is gone belongs to nothing. */
    private static boolean mayRead(Caller caller, ItemHeader item, Function<Long, Optional<ItemHeader>> find) {
        if (item.status() == ItemStatus.INHERIT && item.parent() > 0) {
            // A chain of files would be a way to make work; one step tells what they belong to.
            return find.apply(item.parent())
                    .map(found -> found.rightsOf(caller).mayRead())
                    .orElse(true);
        }
        return item.rightsOf(caller).mayRead();
    }

    /**
     * Says whether a caller may read an item and what its password guards.
     *
     * @param request may carry the password
     * @param item any
     * @return true for whoever may change the item
     */
    public boolean mayReadText(RestRequest request, ItemHeader item) {
        return item.rightsOf(request.caller()).mayEdit()
                || (mayRead(request, item) && ItemPermissions.isOpen(request, item, Context.VIEW));
    }
}
