package io.github.ratelimit.content.cms.security;

import static io.github.ratelimit.content.cms.security.Role.*;

/**
 * One thing that a caller may or may not do, and the least role that may. This is the one table of who may do what: a role may do
 * what the roles before it may.
 *
 * <p>What depends on a single item (whose it is, and how far it has come) is decided by {@link ItemRights} from several
 * of these.
 */
public enum Capability {
    /** Be signed in at all: read one's own account. */
    READ(SUBSCRIBER),
    /** Write posts, and change own ones that were not published yet. */
    EDIT_POSTS(CONTRIBUTOR),
    /** Change own posts that are published or scheduled. */
    EDIT_PUBLISHED_POSTS(AUTHOR),
    /** Change posts of other authors, and choose who an author is. */
    EDIT_OTHERS_POSTS(EDITOR),
    /** Change private posts of other authors. */
    EDIT_PRIVATE_POSTS(EDITOR),
    /** Read private posts of other authors. */
    READ_PRIVATE_POSTS(EDITOR),
    /** Publish, schedule and make private. */
    PUBLISH_POSTS(AUTHOR),
    /** Delete own posts that were not published yet. */
    DELETE_POSTS(CONTRIBUTOR),
    /** Delete own posts that are published or scheduled. */
    DELETE_PUBLISHED_POSTS(AUTHOR),
    /** Delete posts of other authors. */
    DELETE_OTHERS_POSTS(EDITOR),
    /** Delete private posts of other authors. */
    DELETE_PRIVATE_POSTS(EDITOR),
    /** As {@link #EDIT_POSTS}, for pages. */
    EDIT_PAGES(EDITOR),
    /** As {@link #EDIT_PUBLISHED_POSTS}, for pages. */
    EDIT_PUBLISHED_PAGES(EDITOR),
    /** As {@link #EDIT_OTHERS_POSTS}, for pages. */
    EDIT_OTHERS_PAGES(EDITOR),
    /** As {@link #EDIT_PRIVATE_POSTS}, for pages. */
    EDIT_PRIVATE_PAGES(EDITOR),
    /** As {@link #READ_PRIVATE_POSTS}, for pages. */
    READ_PRIVATE_PAGES(EDITOR),
    /** As {@link #PUBLISH_POSTS}, for pages. */
    PUBLISH_PAGES(EDITOR),
    /** As {@link #DELETE_POSTS}, for pages. */
    DELETE_PAGES(EDITOR),
    /** As {@link #DELETE_PUBLISHED_POSTS}, for pages. */
    DELETE_PUBLISHED_PAGES(EDITOR),
    /** As {@link #DELETE_OTHERS_POSTS}, for pages. */
    DELETE_OTHERS_PAGES(EDITOR),
    /** As {@link #DELETE_PRIVATE_POSTS}, for pages. */
    DELETE_PRIVATE_PAGES(EDITOR),
    /** Upload files and edit own pictures. */
    UPLOAD_FILES(AUTHOR),
    /** Write HTML that is stored as it stands. */
    UNFILTERED_HTML(EDITOR),
    /** Create, change and delete categories, and change and delete tags. */
    MANAGE_TERMS(EDITOR),
    /** Fetch descriptions of foreign addresses through the server. */
    USE_PROXY(CONTRIBUTOR),
    /** See every account, also those that published nothing. */
    LIST_USERS(ADMINISTRATOR),
    /** Make accounts. */
    CREATE_USERS(ADMINISTRATOR),
    /** Change other accounts, their application passwords included. */
    EDIT_USERS(ADMINISTRATOR),
    /** Give accounts another role. */
    PROMOTE_USERS(ADMINISTRATOR),
    /** Delete accounts. */
    DELETE_USERS(ADMINISTRATOR),
    /** Operate the server's caches and read its settings. */
    MANAGE_SITE(ADMINISTRATOR);

    private final Role least;

    Capability(Role least) {
        this.least = least;
    }

    boolean isOf(Role role) {
        return role.compareTo(least) >= 0;
    }
}
