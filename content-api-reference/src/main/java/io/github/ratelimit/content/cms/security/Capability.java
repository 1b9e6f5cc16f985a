package io.github.ratelimit.content.cms.security;

/**
 * One thing that a caller may or may not do; {@link Role} says who may.
 *
 * <p>What depends on a single item (whose it is, and how far it has come) is decided by {@link ItemRights} from several
 * of these.
 */
public enum Capability {
    /** Be signed in at all: read one's own account. */
    READ,
    /** Write posts, and change own ones that were not published yet. */
    EDIT_POSTS,
    /** Change own posts that are published or scheduled. */
    EDIT_PUBLISHED_POSTS,
    /** Change posts of other authors, and choose who an author is. */
    EDIT_OTHERS_POSTS,
    /** Change private posts of other authors. */
    EDIT_PRIVATE_POSTS,
    /** Read private posts of other authors. */
    READ_PRIVATE_POSTS,
    /** Publish, schedule and make private. */
    PUBLISH_POSTS,
    /** Delete own posts that were not published yet. */
    DELETE_POSTS,
    /** Delete own posts that are published or scheduled. */
    DELETE_PUBLISHED_POSTS,
    /** Delete posts of other authors. */
    DELETE_OTHERS_POSTS,
    /** Delete private posts of other authors. */
    DELETE_PRIVATE_POSTS,
    /** As {@link #EDIT_POSTS}, for pages. */
    EDIT_PAGES,
    /** As {@link #EDIT_PUBLISHED_POSTS}, for pages. */
    EDIT_PUBLISHED_PAGES,
    /** As {@link #EDIT_OTHERS_POSTS}, for pages. */
    EDIT_OTHERS_PAGES,
    /** As {@link #EDIT_PRIVATE_POSTS}, for pages. */
    EDIT_PRIVATE_PAGES,
    /** As {@link #READ_PRIVATE_POSTS}, for pages. */
    READ_PRIVATE_PAGES,
    /** As {@link #PUBLISH_POSTS}, for pages. */
    PUBLISH_PAGES,
    /** As {@link #DELETE_POSTS}, for pages. */
    DELETE_PAGES,
    /** As {@link #DELETE_PUBLISHED_POSTS}, for pages. */
    DELETE_PUBLISHED_PAGES,
    /** As {@link #DELETE_OTHERS_POSTS}, for pages. */
    DELETE_OTHERS_PAGES,
    /** As {@link #DELETE_PRIVATE_POSTS}, for pages. */
    DELETE_PRIVATE_PAGES,
    /** Upload files and edit own pictures. */
    UPLOAD_FILES,
    /** Write HTML that is stored as it stands. */
    UNFILTERED_HTML,
    /** Create, change and delete categories, and change and delete tags. */
    MANAGE_TERMS,
    /** Fetch descriptions of foreign addresses through the server. */
    USE_PROXY,
    /** See every account, also those that published nothing. */
    LIST_USERS,
    /** Make accounts. */
    CREATE_USERS,
    /** Change other accounts, their application passwords included. */
    EDIT_USERS,
    /** Give accounts another role. */
    PROMOTE_USERS,
    /** Delete accounts. */
    DELETE_USERS,
    /** Operate the server's caches and read its settings. */
    MANAGE_SITE
}
