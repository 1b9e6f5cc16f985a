package io.github.ratelimit.content.cms.security;

/** How far an item has come, as far as it matters to who may read or change it. */
public enum ItemStage {
    /** Published: anyone may read it. Uploaded files with nothing above them, or with a published item, are too. */
    PUBLIC,
    /** Ready, but not shown: scheduled, or in the trash after it was published or scheduled. */
    HELD_BACK,
    /** For its author and for those who may read private items. */
    PRIVATE,
    /** A draft, waiting for review, or in the trash without ever having been published. */
    UNFINISHED
}
