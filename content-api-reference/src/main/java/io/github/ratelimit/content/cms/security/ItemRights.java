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
public record ItemRights(Caller caller, Capabilities needed, boolean own, Stage stage) {

    /**
     * Asks for one caller and one item.
     *
     * @param caller who wants to do something
     * @param needed the capabilities that the item asks for
     * @param authorId the account that the item belongs to, or 0
     * @param stage how far the item has come
     * @return the rights
     */
    public static ItemRights of(Caller caller, Capabilities needed, long authorId, Stage stage) {
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

    /** The capabilities that items of a type ask for. */
    public enum Capabilities {
        /** Posts. */
        POST("POSTS"),

        /** Pages. */
        PAGE("PAGES"),

        /** Uploaded files: like posts, but to make one is to upload. */
        MEDIA("POSTS");

        private final String items;

        /** @param items how the capabilities' names end */
        Capabilities(String items) {
            this.items = items;
        }

        /**
         * Is needed to make an item.
         *
         * @return the capability
         */
        public Capability create() {
            return this == MEDIA ? Capability.UPLOAD_FILES : edit();
        }

        /**
         * Is needed to change own items that were not published yet, and to see lists in edit context.
         *
         * @return the capability
         */
        public Capability edit() {
            return of("EDIT_");
        }

        /**
         * Is needed to change items of others, and to say who the author is.
         *
         * @return the capability
         */
        public Capability editOthers() {
            return of("EDIT_OTHERS_");
        }

        /**
         * Is needed to read private items of others.
         *
         * @return the capability
         */
        public Capability readPrivate() {
            return of("READ_PRIVATE_");
        }

        /**
         * Is needed to publish, to schedule and to make private.
         *
         * @return the capability
         */
        public Capability publish() {
            return of("PUBLISH_");
        }

        /** Finds a capability by how its name begins. */
        Capability of(String action) {
            return Capability.valueOf(action + items);
        }
    }

    /** How far an item has come, as far as it matters to who may read or change it. */
    public enum Stage {
        /** Published: anyone may read it. Uploaded files with nothing above them, or with a published item, are too. */
        PUBLIC,
        /** Ready, but not shown: scheduled, or in the trash after it was published or scheduled. */
        HELD_BACK,
        /** For its author and for those who may read private items. */
        PRIVATE,
        /** A draft, waiting for review, or in the trash without ever having been published. */
        UNFINISHED
    }
}
