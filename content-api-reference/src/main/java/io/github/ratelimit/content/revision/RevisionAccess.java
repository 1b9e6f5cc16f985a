package io.github.ratelimit.content.revision;

import io.github.ratelimit.content.item.Item;
import io.github.ratelimit.content.item.ItemAccess;
import io.github.ratelimit.content.item.ItemType;
import io.github.ratelimit.content.web.RestError;
import io.github.ratelimit.content.web.RestRequest;
import org.springframework.stereotype.Component;

/** Who may see earlier wordings: those who may change the item. */
@Component
public class RevisionAccess {
    private final ItemAccess items;

    RevisionAccess(ItemAccess items) {
        this.items = items;
    }

    /**
     * Finds the item whose wordings are asked for.
     *
     * @param request remembers it
     * @param type what it must be
     * @param argument that has its id
     * @return the item
     * @throws RestError 404, if there is none of that type
     */
    public Item parent(RestRequest request, ItemType type, String argument) {
        return items.find(request, request.arguments().number(argument))
                .filter(item -> item.type() == type)
                .orElseThrow(() -> RestError.of(404, "rest_post_invalid_parent", "Invalid post parent ID."));
    }

    /**
     * Refuses callers who may not see the wordings of an item.
     *
     * @param request knows the caller
     * @param parent the item
     * @param what is asked for, as the message names it
     * @throws RestError if they may not
     */
    public void checkRead(RestRequest request, Item parent, String what) {
        if (!items.mayEdit(request.caller(), parent)) {
            throw RestError.forbidden(
                    request.caller(),
                    "rest_cannot_read",
                    "Sorry, you are not allowed to view " + what + " of this post.");
        }
    }

    /**
     * Finds a wording of an item.
     *
     * @param request names it, and remembers it
     * @param parent the item
     * @return the wording
     * @throws RestError 404, if there is none, or if it is another item's
     */
    Item revision(RestRequest request, Item parent) {
        Item revision = items.find(request, request.arguments().number("id"))
                .filter(item -> item.type() == ItemType.REVISION)
                .orElseThrow(() -> RestError.of(404, "rest_post_invalid_id", "Invalid revision ID."));
        if (revision.parent() != parent.id()) {
            throw RestError.of(
                    404,
                    "rest_revision_parent_id_mismatch",
                    "The revision does not belong to the specified parent with id of \"" + parent.id() + "\"");
        }
        return revision;
    }

    /** Deleting needs the right to delete the item, a wording of it, and the word that it is for good. */
    void checkDelete(RestRequest request, Item parent) {
        if (!items.mayDelete(request.caller(), parent)) {
            throw RestError.forbidden(
                    request.caller(),
                    "rest_cannot_delete",
                    "Sorry, you are not allowed to delete revisions of this post.");
        }
        revision(request, parent);
        if (!request.arguments().flag("force")) {
            throw RestError.of(
                    501, "rest_trash_not_supported", "Revisions do not support trashing. Set 'force=true' to delete.");
        }
    }
}
