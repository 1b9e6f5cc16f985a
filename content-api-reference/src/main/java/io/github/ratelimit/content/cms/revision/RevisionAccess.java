package io.github.ratelimit.content.cms.revision;

import io.github.ratelimit.content.cms.item.Item;
import io.github.ratelimit.content.cms.item.ItemFinder;
import io.github.ratelimit.content.cms.item.ItemHeader;
import io.github.ratelimit.content.cms.item.ItemType;
import io.github.ratelimit.content.cms.rest.Finder;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestRequest;
import java.util.function.Consumer;
import org.springframework.stereotype.Component;

/** Who may see earlier wordings: those who may change the item. */
@Component
public class RevisionAccess {
    private final ItemFinder items;

    RevisionAccess(ItemFinder items) {
        this.items = items;
    }

    private Item parent(RestRequest request, ItemType type, String argument, Consumer<ItemHeader> check) {
        return items.find(request, request.arguments().number(argument), type, check)
                .orElseThrow(() -> RestError.of(404, "rest_post_invalid_parent", "Invalid post parent ID."));
    }

    /**
     * Finds an item for callers who may see its wordings.
     *
     * @param type what it must be
     * @param argument that has its id
     * @param what is asked for, as the message names it
     * @return finds the item
     */
    public Finder<Item> toRead(ItemType type, String argument, String what) {
        return request -> parent(request, type, argument, parent -> {
            if (!parent.rightsOf(request.caller()).mayEdit()) {
                throw RestError.forbidden(
                        request.caller(),
                        "rest_cannot_read",
                        "Sorry, you are not allowed to view " + what + " of this post.");
            }
        });
    }

    /**
     * Finds a wording of an item.
     *
     * @param request names it, and keeps it
     * @param parent the item
     * @return the wording
     * @throws RestError 404, if there is none, or if it is another item's
     */
    Item revision(RestRequest request, Item parent) {
        return items.find(request, request.arguments().number("id"), ItemType.REVISION, revision -> {
                    if (revision.parent() != parent.id()) {
                        throw RestError.of(
                                404,
                                "rest_revision_parent_id_mismatch",
                                "The revision does not belong to the specified parent with id of \"" + parent.id()
                                        + "\"");
                    }
                })
                .orElseThrow(() -> RestError.of(404, "rest_post_invalid_id", "Invalid revision ID."));
    }

    /** Rejects callers who may not delete revisions of an item. */
    Consumer<ItemHeader> deletion(RestRequest request) {
        return parent -> {
            if (!parent.rightsOf(request.caller()).mayDelete()) {
                throw RestError.forbidden(
                        request.caller(),
                        "rest_cannot_delete",
                        "Sorry, you are not allowed to delete revisions of this post.");
            }
        };
    }

    /** Deleting needs the right to delete the item, a wording of it, and the word that it is for good. */
    Finder<Item> toDelete(ItemType type) {
        return request -> {
            Item revision = revision(request, parent(request, type, "parent", deletion(request)));
            if (!request.arguments().flag("force")) {
                throw RestError.of(
                        501,
                        "rest_trash_not_supported",
                        "Revisions do not support trashing. Set 'force=true' to delete.");
            }
            return revision;
        };
    }
}
