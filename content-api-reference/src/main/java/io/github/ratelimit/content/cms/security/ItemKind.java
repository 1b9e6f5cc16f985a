package io.github.ratelimit.content.cms.security;

/** A kind of item, and the capabilities that its items ask for. */
public enum ItemKind {
    /** Posts. */
    POST(
            Capability.EDIT_POSTS,
            Capability.EDIT_PUBLISHED_POSTS,
            Capability.EDIT_OTHERS_POSTS,
            Capability.EDIT_PRIVATE_POSTS,
            Capability.READ_PRIVATE_POSTS,
            Capability.PUBLISH_POSTS,
            Capability.DELETE_POSTS,
            Capability.DELETE_PUBLISHED_POSTS,
            Capability.DELETE_OTHERS_POSTS,
            Capability.DELETE_PRIVATE_POSTS),

    /** Pages. */
    PAGE(
            Capability.EDIT_PAGES,
            Capability.EDIT_PUBLISHED_PAGES,
            Capability.EDIT_OTHERS_PAGES,
            Capability.EDIT_PRIVATE_PAGES,
            Capability.READ_PRIVATE_PAGES,
            Capability.PUBLISH_PAGES,
            Capability.DELETE_PAGES,
            Capability.DELETE_PUBLISHED_PAGES,
            Capability.DELETE_OTHERS_PAGES,
            Capability.DELETE_PRIVATE_PAGES),

    /** Uploaded files: like posts, but to make one is to upload. */
    MEDIA(
            Capability.EDIT_POSTS,
            Capability.EDIT_PUBLISHED_POSTS,
            Capability.EDIT_OTHERS_POSTS,
            Capability.EDIT_PRIVATE_POSTS,
            Capability.READ_PRIVATE_POSTS,
            Capability.PUBLISH_POSTS,
            Capability.DELETE_POSTS,
            Capability.DELETE_PUBLISHED_POSTS,
            Capability.DELETE_OTHERS_POSTS,
            Capability.DELETE_PRIVATE_POSTS);

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

    ItemKind(
            Capability edit,
            Capability editPublished,
            Capability editOthers,
            Capability editPrivate,
            Capability readPrivate,
            Capability publish,
            Capability delete,
            Capability deletePublished,
            Capability deleteOthers,
            Capability deletePrivate) {
        this.edit = edit;
        this.editPublished = editPublished;
        this.editOthers = editOthers;
        this.editPrivate = editPrivate;
        this.readPrivate = readPrivate;
        this.publish = publish;
        this.delete = delete;
        this.deletePublished = deletePublished;
        this.deleteOthers = deleteOthers;
        this.deletePrivate = deletePrivate;
    }

    /**
     * Is needed to make an item of this kind.
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
