package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.cms.security.ItemRights;
import java.util.Optional;

/**
 * All of an item that says who may do what with it. It is looked at before the texts are: what nobody may read must not show by how
 * long it takes to read it.
 */
public interface ItemHeader {
    /** Returns its number among all items of all types. */
    long id();

    /** Returns what it is. */
    ItemType type();

    /** Returns how far it has come. */
    ItemStatus status();

    /** Returns an account's id, or 0. */
    long author();

    /** Returns another item's id, or 0. */
    long parent();

    /** Returns what guards content and excerpt, or an empty text. */
    String password();

    /** Returns what it was before it was thrown away. */
    Optional<ItemStatus> trashedStatus();

    /**
     * Says whether content and excerpt need a password.
     *
     * @return whether one is set that a reader could send: "0" counts as none, as clients of this interface know it
     */
    default boolean isGuarded() {
        return !Item.isNothing(password());
    }

    /**
     * Tells what a caller may do with this item.
     *
     * @param caller who wants to do something
     * @return for a file, as if it belonged to nothing; {@link ItemFinder} knows what it belongs to
     */
    default ItemRights rightsOf(Caller caller) {
        return ItemRights.of(caller, type().capabilities(), author(), Item.stage(status(), trashedStatus()));
    }
}
