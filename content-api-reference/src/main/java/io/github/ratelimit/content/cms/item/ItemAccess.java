package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.Lookup;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.cms.term.SortedItems;
import io.github.ratelimit.content.limits.Guess;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/**
 * Finds items, and says who may do what with them; {@link ItemPermissions} asks it on behalf of routes.
 *
 * <p>All of it comes down to the table of capabilities. An item that is asked for is looked up once in a request.
 */
@Component
public class ItemAccess implements SortedItems {
    private final ItemStore store;
    private final Lookup<Long, Item> items;
    private final Lookup<Long, Standing> standings;

    ItemAccess(ItemStore store) {
        this.store = store;
        this.items = // Writes are bounded by their bodies.
                Lookup.ofRequests((request, ids) -> store.findAll(
                        ids, ItemColumn.READ, request.method() == RestMethod.GET ? request::takeRoom : null));
        this.standings = Lookup.of(store::standing, store::standings);
    }

    /**
     * Finds an item, once a check has let its standing pass.
     *
     * @param request keeps it
     * @param id its id
     * @param type what it must be
     * @param check throws where the caller may not go on; must not change anything
     * @return empty where there is none, or where it is something else
     */
    public Optional<Item> find(RestRequest request, long id, ItemType type, Consumer<Standing> check) {
        Optional<Standing> standing = standing(request, id).filter(found -> found.type() == type);
        standing.ifPresent(check);
        if (standing.isEmpty()) {
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
    public Optional<Standing> standing(RestRequest request, long id) {
        return standings.find(request, id);
    }

    /**
     * Finds what says who may do what with several items of any type, in one look.
     *
     * @param request keeps it
     * @param ids of items
     * @return by id; unknown ones are missing
     */
    public Map<Long, Standing> standings(RestRequest request, Collection<Long> ids) {
        return standings.findAll(request, ids);
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
        standings.keep(request, found.stream().collect(Collectors.toMap(Item::id, Function.identity())));
    }

    /** Keeps what a write made of an item: nobody has to read it again to say who may do what with it now. */
    void written(RestRequest request, long id, Optional<Item> stored) {
        items.written(request, id, stored);
        standings.written(request, id, stored.map(Standing.class::cast));
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
    public boolean mayRead(RestRequest request, Standing item) {
        return mayRead(request.caller(), item, id -> standing(request, id));
    }

    @Override
    public Set<Long> readable(RestRequest request, Collection<Long> items) {
        Collection<Standing> found = standings(request, items).values();
        standings(
                request,
                found.stream().map(Standing::parent).filter(id -> id > 0).toList()); // in one look
        return found.stream()
                .filter(item -> mayRead(request, item))
                .map(Standing::id)
                .collect(Collectors.toSet());
    }

    /**
     * Says whether everybody may read an item, on the pages of the site and on those of others.
     *
     * @param item any
     * @return false for wordings of another item, whatever that item is
     */
    public boolean isPublic(Standing item) {
        return item.type() != ItemType.REVISION && mayRead(Caller.anonymous(), item, store::standing);
    }

    /** A file is as visible as what it belongs to; one whose owner is gone belongs to nothing. */
    private static boolean mayRead(Caller caller, Standing item, Function<Long, Optional<Standing>> find) {
        if (item.status() == ItemStatus.INHERIT && item.parent() > 0) {
            // A chain of files would be a way to make work; one step tells what they belong to.
            return find.apply(item.parent())
                    .map(found -> found.rightsOf(caller).mayRead())
                    .orElse(true);
        }
        return item.rightsOf(caller).mayRead();
    }

    /**
     * Says whether a caller may change an item.
     *
     * @param caller who
     * @param item what
     * @return whether changing is allowed
     */
    public boolean mayEdit(Caller caller, Standing item) {
        return item.rightsOf(caller).mayEdit();
    }

    /**
     * Says whether a caller may throw an item away, or delete it.
     *
     * @param caller who
     * @param item what
     * @return whether deleting is allowed
     */
    public boolean mayDelete(Caller caller, Standing item) {
        return item.rightsOf(caller).mayDelete();
    }

    /**
     * Says whether the text of a guarded item is open to a request.
     *
     * @param request may carry the password, and says in which context it reads
     * @param item any
     * @param context the context in which it will be shown
     * @return true for items without a password
     */
    boolean isOpen(RestRequest request, Standing item, Context context) {
        if (!item.isGuarded() || (context == Context.EDIT && mayEdit(request.caller(), item))) {
            return true;
        }
        return password(request)
                .filter(password -> isPassword(request, item, password))
                .isPresent();
    }

    /**
     * Says whether a caller may read an item and what its password guards.
     *
     * @param request may carry the password
     * @param item any
     * @return true for whoever may change the item
     */
    public boolean mayReadText(RestRequest request, Standing item) {
        return mayEdit(request.caller(), item) || (mayRead(request, item) && isOpen(request, item, Context.VIEW));
    }

    private static Optional<String> password(RestRequest request) {
        return request.queryText("password").filter(password -> !ItemInput.isNothing(password));
    }

    /** Refuses a password that a request sends and that is not the item's. One in a body is a wish for a new one. */
    void checkPassword(RestRequest request, Standing item) {
        Optional<String> password = password(request);
        if (password.isPresent() && !isPassword(request, item, password.get())) {
            throw RestError.of(403, "rest_post_incorrect_password", "Incorrect post password.");
        }
    }

    private boolean isPassword(RestRequest request, Standing item, String password) {
        // In constant time: how far two of them are alike must not show.
        BooleanSupplier comparison = () -> MessageDigest.isEqual(
                password.getBytes(StandardCharsets.UTF_8), item.password().getBytes(StandardCharsets.UTF_8));
        if (!item.isGuarded() || mayEdit(request.caller(), item)) {
            // Nothing can be guessed here: there is no password, or the caller may read it.
            return comparison.getAsBoolean();
        }
        try {
            return request.guess().isRight(comparison);
        } catch (Guess.TooManyException tooMany) {
            throw RestError.tooMany(tooMany.retryAfter());
        }
    }

    /**
     * Says whether a value says anything, as clients of this interface know it.
     *
     * @param sent a value, if there is one
     * @return false for nothing, zero, false and what is empty
     */
    public static boolean isGiven(Optional<JsonNode> sent) {
        return sent.filter(value -> value.isContainer()
                        ? !value.isEmpty()
                        : !Set.of("", "0", "0.0", "false", "null").contains(value.asString("")))
                .isPresent();
    }

    /**
     * Refuses callers who may not change an item.
     *
     * @param caller who
     * @param item what
     * @throws RestError if they may not
     */
    public void checkEdit(Caller caller, Standing item) {
        if (!mayEdit(caller, item)) {
            throw RestError.forbidden(caller, "rest_cannot_edit", "Sorry, you are not allowed to edit this post.");
        }
    }

    /** Says whether a caller may put any post on top of lists. */
    static boolean maySticky(Caller caller) {
        return caller.may(Capability.EDIT_OTHERS_POSTS) && caller.may(Capability.PUBLISH_POSTS);
    }

    /**
     * Refuses a status that a caller may not give.
     *
     * @param request knows the caller
     * @param type of the item
     * @param status that it is to have
     * @throws RestError if that is not allowed
     */
    static void checkStatus(RestRequest request, ItemType type, ItemStatus status) {
        boolean needsRight =
                status == ItemStatus.PUBLISH || status == ItemStatus.FUTURE || status == ItemStatus.PRIVATE;
        if (needsRight) {
            request.require(
                    type.capabilities().publish(),
                    "rest_cannot_publish",
                    status == ItemStatus.PRIVATE
                            ? "Sorry, you are not allowed to create private posts in this post type."
                            : "Sorry, you are not allowed to publish posts in this post type.");
        }
    }
}
