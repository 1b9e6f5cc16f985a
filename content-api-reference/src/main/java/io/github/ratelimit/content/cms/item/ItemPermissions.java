package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.item.ItemType.Feature;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.Finder;
import io.github.ratelimit.content.cms.rest.Permission;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.cms.term.Taxonomy;
import java.util.function.Consumer;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/** Who may call the routes of items: reads, makes, changes and deletes them. Safe for concurrent use. */
@Component
public class ItemPermissions {
    private final ItemAccess access;

    ItemPermissions(ItemAccess access) {
        this.access = access;
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
    public Finder<Item> toRead(ItemType type) {
        return request -> item(request, type, item -> {
            if (Context.of(request) == Context.EDIT && !access.mayEdit(request.caller(), item)) {
                throw RestError.forbidden(
                        request.caller(), "rest_forbidden_context", "Sorry, you are not allowed to edit this post.");
            }
            access.checkPassword(request, item);
            if (!access.mayRead(request, item)) {
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
            if (ItemAccess.isGiven(request.raw("id"))) {
                throw RestError.of(400, "rest_post_exists", "Cannot create existing post.");
            }
            checkAuthor(request, type, "Sorry, you are not allowed to create posts as this user.");
            checkSticky(request, type, false);
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
    public Finder<Item> toUpdate(ItemType type) {
        return request -> {
            Item item = item(request, type, found -> access.checkEdit(request.caller(), found));
            checkAuthor(request, type, "Sorry, you are not allowed to update posts as this user.");
            checkSticky(request, type, item.isSticky());
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
    public Finder<Item> toDelete(ItemType type) {
        return request -> item(request, type, item -> {
            if (!access.mayDelete(request.caller(), item)) {
                throw RestError.forbidden(
                        request.caller(), "rest_cannot_delete", "Sorry, you are not allowed to delete this post.");
            }
        });
    }

    private static void checkAuthor(RestRequest request, ItemType type, String message) {
        long author = request.arguments().number("author");
        Caller caller = request.caller();
        // Who names somebody that cannot be read, or filters a list by authors,
        // does not name himself. The methods that are allowed show it.
        boolean isUnread =
                request.method() == RestMethod.GET || !request.arguments().has("author");
        boolean isNobody = isUnread
                && request.raw("author")
                        .filter(sent -> !sent.isNull() && !(sent.isBoolean() && !sent.booleanValue()))
                        .filter(sent -> sent.isContainer()
                                ? !sent.isEmpty()
                                : !sent.asString("").isEmpty())
                        .filter(sent -> !sent.isIntegralNumber() || !caller.is(sent.longValue()))
                        .isPresent();
        if ((isNobody || (author != 0 && !caller.is(author)))
                && !caller.may(type.capabilities().editOthers())) {
            throw RestError.forbidden(caller, "rest_cannot_edit_others", message);
        }
    }

    private static void checkSticky(RestRequest request, ItemType type, boolean isSticky) {
        boolean isRead = request.arguments().has("sticky");
        // What cannot be read, or has no such member, is a wish all the same: it shows in the methods that are allowed.
        boolean isWished = isRead ? request.arguments().flag("sticky") : ItemAccess.isGiven(request.raw("sticky"));
        // A list that asks for sticky posts only tells what is allowed: authors may make posts.
        boolean isTold = type.has(Feature.STICKINESS) && (!isRead || request.method() == RestMethod.GET);
        boolean isAuthor = isTold && request.caller().may(Capability.PUBLISH_POSTS);
        if (isWished && !isSticky && !isAuthor && !ItemAccess.maySticky(request.caller())) {
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
                        || sent.values().stream().anyMatch(ItemPermissions::isEmpty)
                        || (isAsked
                                && taxonomy.isHierarchical()
                                && sent.path("include_children").asString("").equals("false")))
                .isPresent();
    }

    private static boolean isEmpty(JsonNode sent) {
        return sent.isNull() || (sent.isString() && sent.stringValue().isEmpty());
    }

    /** Finds what a request is about: asked of its standing first, as a refusal must not take as long as its texts are. */
    private Item item(RestRequest request, ItemType type, Consumer<Standing> check) {
        return access.find(request, request.arguments().number("id"), type, check)
                .orElseThrow(() -> RestError.of(404, "rest_post_invalid_id", "Invalid post ID."));
    }
}
