package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.item.ItemType.Feature;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.Finder;
import io.github.ratelimit.content.cms.rest.Lookup;
import io.github.ratelimit.content.cms.rest.Permission;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.cms.security.Guess;
import io.github.ratelimit.content.cms.security.ItemKind;
import io.github.ratelimit.content.cms.security.ItemRights;
import io.github.ratelimit.content.cms.security.ItemStage;
import io.github.ratelimit.content.cms.term.SortedItems;
import io.github.ratelimit.content.cms.term.Taxonomy;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
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
 * Who may do what with items: the permissions of their routes, and the questions that views and lists ask.
 *
 * <p>All of it comes down to the table of capabilities. An item that is asked for is looked up once in a request.
 */
@Component
public class ItemAccess implements SortedItems {
    /** Nobody's id. */
    private static final long NOBODY = -1;

    private final ItemStore store;
    private final Lookup<Long, Item> items;
    private final Lookup<Long, Standing> standings;

    ItemAccess(ItemStore store) {
        this.store = store;
        this.items = Lookup.of(store::find, store::findAll);
        this.standings = Lookup.of(store::standing, store::standings);
    }

    /** Finds what a request is about: asked of its standing first, as a refusal must not take as long as its texts are. */
    private Item item(RestRequest request, ItemType type, Consumer<Standing> check) {
        return find(request, request.arguments().number("id"), type, check)
                .orElseThrow(() -> RestError.of(404, "rest_post_invalid_id", "Invalid post ID."));
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
        if (!mayDoAll(request.caller())) {
            Optional<Standing> standing = standing(request, id).filter(found -> found.type() == type);
            standing.ifPresent(check);
            if (standing.isEmpty()) {
                return Optional.empty();
            }
        }
        // Looked at once more: in between, somebody may have hidden it.
        Optional<Item> item = find(request, id).filter(found -> found.type() == type);
        item.ifPresent(check);
        return item;
    }

    /** From whoever may do all with every item nothing is hidden: what they ask for is read at once. */
    private static boolean mayDoAll(Caller caller) {
        return Arrays.stream(ItemKind.values())
                .allMatch(kind -> Arrays.stream(ItemStage.values())
                        .map(stage -> ItemRights.of(caller, kind, NOBODY, stage))
                        .allMatch(rights -> rights.mayRead() && rights.mayEdit() && rights.mayDelete()));
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

    /** Keeps items that were found otherwise, so that nobody looks for them again. */
    void known(RestRequest request, List<Item> found) {
        items.keep(request, found.stream().collect(Collectors.toMap(Item::id, Function.identity())));
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
        standings(
                any,
                standings(any, asked).values().stream()
                        .map(Standing::parent)
                        .filter(id -> id > 0)
                        .toList());
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
        return standings(request, items).values().stream()
                .filter(item -> mayRead(request, item))
                .map(Standing::id)
                .collect(Collectors.toSet());
    }

    @Override
    public Optional<Map<Long, Long>> published(Taxonomy taxonomy, Collection<Long> terms) {
        return store.published(taxonomy, terms);
    }

    @Override
    public void beforeDeletion(long term) {
        store.resorted(term);
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
     * Lets those list items who may see the context they ask for.
     *
     * @param type of the items
     * @return a permission
     */
    public Permission toList(ItemType type) {
        return request -> {
            if (Context.of(request) == Context.EDIT) {
                request.require(
                        type.kind().edit(),
                        "rest_forbidden_context",
                        "Sorry, you are not allowed to edit posts in this post type.");
            }
        };
    }

    /**
     * Lets those read an item who may see it, in the context they ask for, with the right password if they send one.
     *
     * @param type of the item; its id is the argument {@code id}
     * @return finds the item
     */
    public Finder<Item> toRead(ItemType type) {
        return request -> item(request, type, item -> {
            if (Context.of(request) == Context.EDIT && !mayEdit(request.caller(), item)) {
                throw RestError.forbidden(
                        request.caller(), "rest_forbidden_context", "Sorry, you are not allowed to edit this post.");
            }
            // A password in a body is a wish for a new one.
            Optional<String> password = password(request);
            if (password.isPresent() && !isPassword(request, item, password.get())) {
                throw RestError.of(403, "rest_post_incorrect_password", "Incorrect post password.");
            }
            if (!mayRead(request, item)) {
                throw RestError.forbidden(request.caller(), "rest_forbidden", "Sorry, you are not allowed to do that.");
            }
        });
    }

    /**
     * Lets those make an item who may make one of its type, for the author and with the place that they ask for.
     *
     * @param type of the item
     * @return a permission
     */
    public Permission toCreate(ItemType type) {
        return request -> {
            if (isGiven(request.raw("id"))) {
                throw RestError.of(400, "rest_post_exists", "Cannot create existing post.");
            }
            checkAuthor(request, type, "Sorry, you are not allowed to create posts as this user.");
            checkSticky(request, type, false);
            request.require(
                    type.kind().create(),
                    "rest_cannot_create",
                    "Sorry, you are not allowed to create posts as this user.");
            checkTerms(request, type);
        };
    }

    /**
     * Lets those change an item who may.
     *
     * @param type of the item; its id is the argument {@code id}
     * @return finds the item
     */
    public Finder<Item> toUpdate(ItemType type) {
        return request -> {
            Item item = item(request, type, found -> checkEdit(request.caller(), found));
            checkAuthor(request, type, "Sorry, you are not allowed to update posts as this user.");
            checkSticky(request, type, item.isSticky());
            checkTerms(request, type);
            return item;
        };
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

    /**
     * Lets those throw an item away who may.
     *
     * @param type of the item; its id is the argument {@code id}
     * @return finds the item
     */
    public Finder<Item> toDelete(ItemType type) {
        return request -> item(request, type, item -> {
            if (!mayDelete(request.caller(), item)) {
                throw RestError.forbidden(
                        request.caller(), "rest_cannot_delete", "Sorry, you are not allowed to delete this post.");
            }
        });
    }

    private static void checkAuthor(RestRequest request, ItemType type, String message) {
        long author = request.arguments().number("author");
        Caller caller = request.caller();
        // Who names somebody that cannot be read, or filters a list by authors, does not name himself. The methods that
        // are
        // allowed show it.
        boolean isUnread =
                request.method() == RestMethod.GET || !request.arguments().has("author");
        boolean isNobody = isUnread
                && request.raw("author")
                        .filter(sent -> !sent.isNull())
                        .filter(sent -> sent.isContainer() || !sent.asString("").isEmpty())
                        .filter(sent -> !sent.isIntegralNumber() || !caller.is(sent.longValue()))
                        .isPresent();
        if ((isNobody || (author != 0 && !caller.is(author)))
                && !caller.may(type.kind().editOthers())) {
            throw RestError.forbidden(caller, "rest_cannot_edit_others", message);
        }
    }

    private static void checkSticky(RestRequest request, ItemType type, boolean isSticky) {
        boolean isRead = request.arguments().has("sticky");
        // What cannot be read, or has no such member, is a wish all the same: it shows in the methods that are allowed.
        boolean isWished = isRead ? request.arguments().flag("sticky") : isGiven(request.raw("sticky"));
        // A list that asks for sticky posts only tells what is allowed: authors may make posts.
        boolean isTold = type.has(Feature.STICKINESS) && (!isRead || request.method() == RestMethod.GET);
        boolean isAuthor = isTold && request.caller().may(Capability.PUBLISH_POSTS);
        if (isWished && !isSticky && !isAuthor && !maySticky(request.caller())) {
            throw RestError.forbidden(
                    request.caller(), "rest_cannot_assign_sticky", "Sorry, you are not allowed to make posts sticky.");
        }
    }

    /** Unknown terms are dropped later; a number that stands for none at all is refused to everybody. */
    private static void checkTerms(RestRequest request, ItemType type) {
        if (!type.has(Feature.TERMS)) {
            return;
        }
        for (Taxonomy taxonomy : Taxonomy.values()) {
            boolean namesNone = request.arguments().value(taxonomy.collection()).stream()
                    .filter(JsonNode::isArray)
                    .flatMap(ids -> ids.values().stream())
                    .anyMatch(id -> id.isIntegralNumber() && id.longValue() == 0);
            if (namesNone || isNone(request, taxonomy)) {
                throw RestError.forbidden(
                        request.caller(),
                        "rest_cannot_assign_term",
                        "Sorry, you are not allowed to assign the provided terms.");
            }
        }
    }

    /**
     * A term without a number is one of 0; where a list asks for it, so is the whole wish, and that for nothing below a term. An
     * item that is written refuses such arguments: there it shows in the methods that are allowed.
     */
    private static boolean isNone(RestRequest request, Taxonomy taxonomy) {
        boolean isAsked = request.method() == RestMethod.GET;
        return request.raw(taxonomy.collection())
                .filter(sent -> (isAsked && isEmpty(sent))
                        || sent.values().stream().anyMatch(ItemAccess::isEmpty)
                        || (isAsked
                                && taxonomy.isHierarchical()
                                && sent.path("include_children").asString("").equals("false")))
                .isPresent();
    }

    private static boolean isEmpty(JsonNode sent) {
        return sent.isNull() || (sent.isString() && sent.stringValue().isEmpty());
    }

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
        ItemKind kind = type.kind();
        boolean needsRight =
                status == ItemStatus.PUBLISH || status == ItemStatus.FUTURE || status == ItemStatus.PRIVATE;
        if (needsRight) {
            request.require(
                    kind.publish(),
                    "rest_cannot_publish",
                    status == ItemStatus.PRIVATE
                            ? "Sorry, you are not allowed to create private posts in this post type."
                            : "Sorry, you are not allowed to publish posts in this post type.");
        }
    }

    /**
     * Says whose guarded items a search finds.
     *
     * @param caller who searches
     * @return how guarded items are searched
     */
    static Search.Guarded guardedFor(Caller caller) {
        if (caller.isAnonymous()) {
            return Search.Guarded.HIDDEN;
        }
        return caller.may(Capability.EDIT_OTHERS_POSTS) ? Search.Guarded.OPEN : Search.Guarded.BY_TITLE;
    }
}
