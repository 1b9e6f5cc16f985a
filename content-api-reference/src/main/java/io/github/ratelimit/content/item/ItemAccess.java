package io.github.ratelimit.content.item;

import io.github.ratelimit.content.security.Caller;
import io.github.ratelimit.content.security.Capability;
import io.github.ratelimit.content.security.ItemKind;
import io.github.ratelimit.content.web.Context;
import io.github.ratelimit.content.web.Permission;
import io.github.ratelimit.content.web.RestError;
import io.github.ratelimit.content.web.RestRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * Who may do what with items: the permissions of their routes, and the questions that views and lists ask.
 *
 * <p>All of it comes down to the table of capabilities. An item that is asked for is looked up once in a request.
 */
@Component
public class ItemAccess {
    private final ItemStore store;

    ItemAccess(ItemStore store) {
        this.store = store;
    }

    /** Names an item among what a request remembers. */
    private record ItemKey(long id) {}

    /**
     * Finds the item that a request is about.
     *
     * @param request remembers it
     * @param type what it must be
     * @param id its id
     * @return the item
     * @throws RestError 404, if there is none of that type
     */
    public Item item(RestRequest request, ItemType type, long id) {
        return find(request, id)
                .filter(item -> item.type() == type)
                .orElseThrow(() -> RestError.of(404, "rest_post_invalid_id", "Invalid post ID."));
    }

    /**
     * Finds an item of any type.
     *
     * @param request remembers it
     * @param id its id
     * @return empty where there is none
     */
    public Optional<Item> find(RestRequest request, long id) {
        return request.remember(new ItemKey(id), () -> store.find(id));
    }

    /**
     * Lets a request remember an item that was found another way.
     *
     * @param request remembers it
     * @param item any
     */
    void keep(RestRequest request, Item item) {
        request.remember(new ItemKey(item.id()), () -> Optional.of(item));
    }

    /**
     * Says whether a caller may read an item; its password is asked for beside this.
     *
     * @param request remembers what a file belongs to
     * @param item any
     * @return whether reading is allowed
     */
    public boolean mayRead(RestRequest request, Item item) {
        if (item.status() == ItemStatus.INHERIT && item.parent() > 0) {
            Optional<Item> parent = find(request, item.parent());
            // A chain of files would be a way to make work; one step tells what they belong to.
            return parent.map(found -> found.rightsOf(request.caller()).mayRead())
                    .orElse(true);
        }
        return item.rightsOf(request.caller()).mayRead();
    }

    /**
     * Says whether a caller may change an item.
     *
     * @param caller who
     * @param item what
     * @return whether changing is allowed
     */
    public boolean mayEdit(Caller caller, Item item) {
        return item.rightsOf(caller).mayEdit();
    }

    /**
     * Says whether a caller may throw an item away, or delete it.
     *
     * @param caller who
     * @param item what
     * @return whether deleting is allowed
     */
    public boolean mayDelete(Caller caller, Item item) {
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
    boolean isOpen(RestRequest request, Item item, Context context) {
        if (!item.isGuarded() || (context == Context.EDIT && mayEdit(request.caller(), item))) {
            return true;
        }
        return request.queryText("password")
                .filter(password -> isPassword(item, password))
                .isPresent();
    }

    private static boolean isPassword(Item item, String password) {
        // In constant time: how far two of them are alike must not show.
        return MessageDigest.isEqual(
                password.getBytes(StandardCharsets.UTF_8), item.password().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Lets those list items who may see the context they ask for.
     *
     * @param type of the items
     * @return a permission
     */
    public Permission toList(ItemType type) {
        return request -> {
            if (Context.of(request) == Context.EDIT
                    && !request.caller().may(type.kind().edit())) {
                throw RestError.forbidden(
                        request.caller(),
                        "rest_forbidden_context",
                        "Sorry, you are not allowed to edit posts in this post type.");
            }
        };
    }

    /**
     * Lets those read an item who may see it, in the context they ask for, with the right password if they send one.
     *
     * @param type of the item; its id is the argument {@code id}
     * @return a permission
     */
    public Permission toRead(ItemType type) {
        return request -> {
            Item item = item(request, type, request.arguments().number("id"));
            if (Context.of(request) == Context.EDIT && !mayEdit(request.caller(), item)) {
                throw RestError.forbidden(
                        request.caller(), "rest_forbidden_context", "Sorry, you are not allowed to edit this post.");
            }
            // A password in a body is a wish for a new one.
            Optional<String> password = request.queryText("password");
            if (password.isPresent() && !isPassword(item, password.get())) {
                throw RestError.of(403, "rest_post_incorrect_password", "Incorrect post password.");
            }
            if (!mayRead(request, item)) {
                throw RestError.forbidden(request.caller(), "rest_forbidden", "Sorry, you are not allowed to do that.");
            }
        };
    }

    /**
     * Lets those make an item who may make one of its type, for the author and with the place that they ask for.
     *
     * @param type of the item
     * @return a permission
     */
    public Permission toCreate(ItemType type) {
        return request -> {
            Caller caller = request.caller();
            if (request.arguments().number("id") != 0) {
                throw RestError.of(400, "rest_post_exists", "Cannot create existing post.");
            }
            checkAuthor(request, type, "Sorry, you are not allowed to create posts as this user.");
            checkSticky(request, type);
            if (!caller.may(type.kind().create())) {
                throw RestError.forbidden(
                        caller, "rest_cannot_create", "Sorry, you are not allowed to create posts as this user.");
            }
        };
    }

    /**
     * Lets those change an item who may.
     *
     * @param type of the item; its id is the argument {@code id}
     * @return a permission
     */
    public Permission toUpdate(ItemType type) {
        return request -> {
            Item item = item(request, type, request.arguments().number("id"));
            checkEdit(request.caller(), item);
            checkAuthor(request, type, "Sorry, you are not allowed to update posts as this user.");
            checkSticky(request, type);
        };
    }

    /**
     * Refuses callers who may not change an item.
     *
     * @param caller who
     * @param item what
     * @throws RestError if they may not
     */
    public void checkEdit(Caller caller, Item item) {
        if (!mayEdit(caller, item)) {
            throw RestError.forbidden(caller, "rest_cannot_edit", "Sorry, you are not allowed to edit this post.");
        }
    }

    /**
     * Lets those throw an item away who may.
     *
     * @param type of the item; its id is the argument {@code id}
     * @return a permission
     */
    public Permission toDelete(ItemType type) {
        return request -> {
            Item item = item(request, type, request.arguments().number("id"));
            if (!mayDelete(request.caller(), item)) {
                throw RestError.forbidden(
                        request.caller(), "rest_cannot_delete", "Sorry, you are not allowed to delete this post.");
            }
        };
    }

    private static void checkAuthor(RestRequest request, ItemType type, String message) {
        long author = request.arguments().number("author");
        Caller caller = request.caller();
        if (author != 0 && !caller.is(author) && !caller.may(type.kind().editOthers())) {
            throw RestError.forbidden(caller, "rest_cannot_edit_others", message);
        }
    }

    private static void checkSticky(RestRequest request, ItemType type) {
        if (type == ItemType.POST && request.arguments().flag("sticky") && !maySticky(request.caller())) {
            throw RestError.forbidden(
                    request.caller(), "rest_cannot_assign_sticky", "Sorry, you are not allowed to make posts sticky.");
        }
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
        if (needsRight && !request.caller().may(kind.publish())) {
            throw RestError.forbidden(
                    request.caller(),
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
