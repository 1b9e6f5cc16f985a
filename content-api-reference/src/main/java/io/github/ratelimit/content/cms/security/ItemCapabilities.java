package io.github.ratelimit.content.cms.security;

/** The capabilities that items of a type ask for. */
public enum ItemCapabilities {
    /** Posts. */
    POST("POSTS"),

    /** Pages. */
    PAGE("PAGES"),

    /** Uploaded files: like posts, but to make one is to upload. */
    MEDIA("POSTS");

    private final String items;

    /** @param items how the capabilities' names end */
    ItemCapabilities(String items) {
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
        return Capability.valueOf("EDIT_" + items);
    }

    /**
     * Is needed to change items that are published or scheduled.
     *
     * @return the capability
     */
    public Capability editPublished() {
        return Capability.valueOf("EDIT_PUBLISHED_" + items);
    }

    /**
     * Is needed to change items of others, and to say who the author is.
     *
     * @return the capability
     */
    public Capability editOthers() {
        return Capability.valueOf("EDIT_OTHERS_" + items);
    }

    /**
     * Is needed to change private items of others.
     *
     * @return the capability
     */
    public Capability editPrivate() {
        return Capability.valueOf("EDIT_PRIVATE_" + items);
    }

    /**
     * Is needed to read private items of others.
     *
     * @return the capability
     */
    public Capability readPrivate() {
        return Capability.valueOf("READ_PRIVATE_" + items);
    }

    /**
     * Is needed to publish, to schedule and to make private.
     *
     * @return the capability
     */
    public Capability publish() {
        return Capability.valueOf("PUBLISH_" + items);
    }

    /**
     * Is needed to delete own items that were not published yet.
     *
     * @return the capability
     */
    public Capability delete() {
        return Capability.valueOf("DELETE_" + items);
    }

    /**
     * Is needed to delete items that are published or scheduled.
     *
     * @return the capability
     */
    public Capability deletePublished() {
        return Capability.valueOf("DELETE_PUBLISHED_" + items);
    }

    /**
     * Is needed to delete items of others.
     *
     * @return the capability
     */
    public Capability deleteOthers() {
        return Capability.valueOf("DELETE_OTHERS_" + items);
    }

    /**
     * Is needed to delete private items of others.
     *
     * @return the capability
     */
    public Capability deletePrivate() {
        return Capability.valueOf("DELETE_PRIVATE_" + items);
    }
}
