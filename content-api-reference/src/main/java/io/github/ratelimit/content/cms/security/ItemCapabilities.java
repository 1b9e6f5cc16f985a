package io.github.ratelimit.content.cms.security;

/** The capabilities that items of a type ask for. */
public enum ItemCapabilities {
    /** Posts. */
    POST("POSTS"),

    /** Pages. */
    PAGE("PAGES"),

    /** Uploaded files: like posts, but to make one is to upload. */
    MEDIA("POSTS");

    private final Capability edit;
    private final Capability editPublished;
    private final Capability editOthers;
    private final Capability editPrivate;
    private final Capability readPrivate;
    private final Capability publish;
    private final Capability delete;
    private final Capability deletePublished;
    private final Capability deleteOthers;
    private final Capability deletePrivate;

    /** @param items how the capabilities' names end */
    ItemCapabilities(String items) {
        edit = Capability.valueOf("EDIT_" + items);
        editPublished = Capability.valueOf("EDIT_PUBLISHED_" + items);
        editOthers = Capability.valueOf("EDIT_OTHERS_" + items);
        editPrivate = Capability.valueOf("EDIT_PRIVATE_" + items);
        readPrivate = Capability.valueOf("READ_PRIVATE_" + items);
        publish = Capability.valueOf("PUBLISH_" + items);
        delete = Capability.valueOf("DELETE_" + items);
        deletePublished = Capability.valueOf("DELETE_PUBLISHED_" + items);
        deleteOthers = Capability.valueOf("DELETE_OTHERS_" + items);
        deletePrivate = Capability.valueOf("DELETE_PRIVATE_" + items);
    }

    /**
     * Is needed to make an item.
     *
     * @return the capability
     */
    public Capability create() {
        return this == MEDIA ? Capability.UPLOAD_FILES : edit;
    }

    /**
     * Is needed to change own items that were not published yet, and to see lists in edit context.
     *
     * @return the capability
     */
    public Capability edit() {
        return edit;
    }

    /**
     * Is needed to change items that are published or scheduled.
     *
     * @return the capability
     */
    public Capability editPublished() {
        return editPublished;
    }

    /**
     * Is needed to change items of others, and to say who the author is.
     *
     * @return the capability
     */
    public Capability editOthers() {
        return editOthers;
    }

    /**
     * Is needed to change private items of others.
     *
     * @return the capability
     */
    public Capability editPrivate() {
        return editPrivate;
    }

    /**
     * Is needed to read private items of others.
     *
     * @return the capability
     */
    public Capability readPrivate() {
        return readPrivate;
    }

    /**
     * Is needed to publish, to schedule and to make private.
     *
     * @return the capability
     */
    public Capability publish() {
        return publish;
    }

    /**
     * Is needed to delete own items that were not published yet.
     *
     * @return the capability
     */
    public Capability delete() {
        return delete;
    }

    /**
     * Is needed to delete items that are published or scheduled.
     *
     * @return the capability
     */
    public Capability deletePublished() {
        return deletePublished;
    }

    /**
     * Is needed to delete items of others.
     *
     * @return the capability
     */
    public Capability deleteOthers() {
        return deleteOthers;
    }

    /**
     * Is needed to delete private items of others.
     *
     * @return the capability
     */
    public Capability deletePrivate() {
        return deletePrivate;
    }
}
