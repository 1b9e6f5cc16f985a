package io.github.ratelimit.content.cms.security;

/**
 * What a caller may do with one item: the table of capabilities, read for an author and a stage.
 *
 * <p>Pure; nothing is looked up.
 *
 * @param caller who wants to do something
 * @param needed the capabilities that the item asks for
 * @param own whether the caller is the author
 * @param stage how far the item has come
 */
public record ItemRights(Caller caller, ItemCapabilities needed, boolean own, ItemStage stage) {

    /**
     * Asks for one caller and one item.
     *
     * @param caller who wants to do something
     * @param needed the capabilities that the item asks for
     * @param authorId the account that the item belongs to, or 0
     * @param stage how far the item has come
     * @return the rights
     */
    public static ItemRights of(Caller caller, ItemCapabilities needed, long authorId, ItemStage stage) {
        return new ItemRights(caller, needed, caller.is(authorId), stage);
    }

    /**
     * Says whether the caller may see that the item exists and read it; a password is asked beside this.
     *
     * @return whether reading is allowed
     */
    public boolean mayRead() {
        return switch (stage) {
            case PUBLIC -> true;
            case PRIVATE -> own || caller.may(needed.readPrivate());
            case HELD_BACK, UNFINISHED -> own || mayEdit();
        };
    }

    /**
     * Says whether the caller may change the item, read its drafts and its edit context.
     *
     * @return whether changing is allowed
     */
    public boolean mayEdit() {
        return may("EDIT_");
    }

    /**
     * Says whether the caller may put the item into the trash, or delete it.
     *
     * @return whether deleting is allowed
     */
    public boolean mayDelete() {
        return may("DELETE_");
    }

    private boolean may(String action) {
        if (!caller.may(needed.of(action)) || !(own || caller.may(needed.of(action + "OTHERS_")))) {
            return false;
        }
        return switch (stage) {
            case PUBLIC, HELD_BACK -> caller.may(needed.of(action + "PUBLISHED_"));
            case PRIVATE -> own || caller.may(needed.of(action + "PRIVATE_"));
            case UNFINISHED -> true;
        };
    }
}
