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
