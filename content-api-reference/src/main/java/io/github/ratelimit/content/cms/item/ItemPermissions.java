package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.item.ItemType.Feature;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Route;
import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.cms.term.Taxonomy;
import io.github.ratelimit.content.limits.Guess;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/** Who may call the routes of items: reads, makes, changes and deletes them. Safe for concurrent use. */
@Component
public class ItemPermissions {
    private final ItemFinder finder;

    ItemPermissions(ItemFinder finder) {
        this.finder = finder;
    }

    /**
     * Lets those list items who may see the context they ask for.
     *
     * @param type of the items
     * @return a permission
     */
    public Route.Permission toList(ItemType type) {
        return request -> {
            if (Context.of(request) == Context.EDIT) {
                request.require(
                        type.capabilities().edit(),
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
    public Function<RestRequest, Item> toRead(ItemType type) {
        return request -> item(request, type, item -> {
            request.require(
                    Context.of(request) != Context.EDIT
                            || item.rightsOf(request.caller()).mayEdit(),
                    "rest_forbidden_context",
                    "Sorry, you are not allowed to edit this post.");
            checkPassword(request, item);
            request.require(finder.mayRead(request, item), "rest_forbidden", "Sorry, you are not allowed to do that.");
        });
    }

    /**
     * Lets those make an item who may make one of its type, for the author and with the place that they ask for.
     *
     * @param type of the item
     * @return a permission
     */
    public Route.Permission toCreate(ItemType type) {
        return request -> {
            if (isGiven(request.raw("id"))) {
                throw RestError.of(400, "rest_post_exists", "Cannot create existing post.");
            }
            checkAuthor(request, type, "Sorry, you are not allowed to create posts as this user.");
            checkSticky(request, false);
            request.require(
                    type.capabilities().create(),
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
    public Function<RestRequest, Item> toUpdate(ItemType type) {
        return request -> {
            Item item = item(request, type, found -> checkEdit(request.caller(), found));
            checkAuthor(request, type, "Sorry, you are not allowed to update posts as this user.");
            checkSticky(request, item.isSticky());
            checkTerms(request, type);
            return item;
        };
    }

    /**
     * Lets those throw an item away who may.
     *
     * @param type of the item; its id is the argument {@code id}
     * @return finds the item
     */
    public Function<RestRequest, Item> toDelete(ItemType type) {
        return request -> item(request, type, item -> checkDelete(request.caller(), item));
    }

    private static void checkAuthor(RestRequest request, ItemType type, String message) {
        long author = request.arguments().number("author");
        Caller caller = request.caller();
        // An author that cannot be read is another one. It shows in the methods that are allowed.
        boolean isUnreadable = !request.arguments().has("author") && isGiven(request.raw("author"));
        if ((isUnreadable || (author != 0 && !caller.is(author)))
                && !caller.may(type.capabilities().editOthers())) {
            throw RestError.forbidden(caller, "rest_cannot_edit_others", message);
        }
    }

    static void checkSticky(RestRequest request, boolean isSticky) {
        if (request.arguments().flag("sticky") && !isSticky && !maySticky(request.caller())) {
            throw RestError.forbidden(
                    request.caller(), "rest_cannot_assign_sticky", "Sorry, you are not allowed to make posts sticky.");
        }
    }

    /** Unknown terms are dropped later; a number that stands for none at all is denied to everybody. */
    private static void checkTerms(RestRequest request, ItemType type) {
        if (!type.has(Feature.TERMS)) {
            return;
        }
        for (Taxonomy taxonomy : Taxonomy.values()) {
            boolean namesNone = request.arguments().value(taxonomy.collection()).stream()
                    .filter(JsonNode::isArray)
                    .flatMap(ids -> ids.values().stream())
                    .anyMatch(id -> id.isIntegralNumber() && id.longValue() == 0);
            request.require(
                    !namesNone, "rest_cannot_assign_term", "Sorry, you are not allowed to assign the provided terms.");
        }
    }

    /** Finds what a request is about: asked of its header first, as a rejection must not take as long as its texts are. */
    private Item item(RestRequest request, ItemType type, Consumer<ItemHeader> check) {
        return finder.find(request, request.arguments().number("id"), type, check)
                .orElseThrow(() -> RestError.of(404, "rest_post_invalid_id", "Invalid post ID."));
    }

    /**
     * Says whether the text of a guarded item is open to a request.
     *
     * @param request may carry the password, and says in which context it reads
     * @param item any
     * @param context the context in which it will be shown
     * @return true for items without a password
     */
    static boolean isOpen(RestRequest request, ItemHeader item, Context context) {
        if (!item.isGuarded()
                || (context == Context.EDIT && item.rightsOf(request.caller()).mayEdit())) {
            return true;
        }
        return password(request)
                .filter(password -> isPassword(request, item, password))
                .isPresent();
    }

    private static Optional<String> password(RestRequest request) {
        return Optional.of(request.query().path("password").asString("")).filter(password -> !Item.isNothing(password));
    }

    /** Rejects a password that a request sends and that is not the item's. One in a body is a wish for a new one. */
    static void checkPassword(RestRequest request, ItemHeader item) {
        Optional<String> password = password(request);
        if (password.isPresent() && !isPassword(request, item, password.get())) {
            throw RestError.of(403, "rest_post_incorrect_password", "Incorrect post password.");
        }
    }

    private static boolean isPassword(RestRequest request, ItemHeader item, String password) {
        // In constant time: how far two of them are alike must not show.
        BooleanSupplier comparison = () -> MessageDigest.isEqual(
                password.getBytes(StandardCharsets.UTF_8), item.password().getBytes(StandardCharsets.UTF_8));
        if (!item.isGuarded() || item.rightsOf(request.caller()).mayEdit()) {
            // Nothing can be guessed here: there is no password, or the caller may read it.
            return comparison.getAsBoolean();
        }
        try {
            return request.guess().isRight(comparison);
        } catch (Guess.TooManyException tooMany) {
            throw RestError.tooMany(tooMany.retryAfter());
        }
    }

    /** Rejects callers who may not change an item. */
    static void checkEdit(Caller caller, ItemHeader item) {
        if (!item.rightsOf(caller).mayEdit()) {
            throw RestError.forbidden(caller, "rest_cannot_edit", "Sorry, you are not allowed to edit this post.");
        }
    }

    /** Rejects callers who may not throw an item away, or delete it. */
    static void checkDelete(Caller caller, ItemHeader item) {
        if (!item.rightsOf(caller).mayDelete()) {
            throw RestError.forbidden(caller, "rest_cannot_delete", "Sorry, you are not allowed to delete this post.");
        }
    }

    /** Says whether a caller may put any post on top of lists. */
    static boolean maySticky(Caller caller) {
        return caller.may(Capability.EDIT_OTHERS_POSTS) && caller.may(Capability.PUBLISH_POSTS);
    }

    /**
     * Rejects a status that a caller may not give.
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
}
