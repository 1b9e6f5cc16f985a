package io.github.ratelimit.content.cms.item;

import java.util.Locale;

/** The columns of an item that can be written. */
public enum ItemColumn {
    /** What it is, as {@link ItemType#wireName}. */
    TYPE("kind"),
    /** How far it has come. */
    STATUS,
    /** Whose it is. */
    AUTHOR_ID,
    /** What it belongs to. */
    PARENT_ID,
    /** Its name in addresses. */
    SLUG,
    /** Within what that name is unique. */
    SLUG_SCOPE,
    /** That name for sorting. */
    SLUG_ORDER,
    /** Its title for sorting. */
    TITLE_ORDER,
    /** When it was or will be published. */
    PUBLISHED_AT,
    /** Whether nobody chose that moment. */
    UNDATED,
    /** When it was last written. */
    MODIFIED_AT,
    /** As written. */
    TITLE,
    /** As read. */
    TITLE_RENDERED,
    /** As written. */
    CONTENT,
    /** As read. */
    CONTENT_RENDERED,
    /** What the content is made of. */
    BLOCK_VERSION,
    /** As written. */
    EXCERPT,
    /** As read. */
    EXCERPT_RENDERED,
    /** What guards it. */
    PASSWORD,
    /** Its place among its siblings. */
    MENU_ORDER,
    /** Whether comments are welcome. */
    COMMENTS_OPEN,
    /** Whether announcements are welcome. */
    PINGS_OPEN,
    /** How it is to be shown. */
    FORMAT,
    /** The template it is shown with. */
    TEMPLATE,
    /** Whether it stays on top. */
    STICKY,
    /** Its picture. */
    FEATURED_MEDIA,
    /** As an editor's tool keeps them. */
    FOOTNOTES,
    /** Of a file. */
    MIME_TYPE,
    /** Where a file lies. */
    FILE,
    /** What is known about a file, as JSON. */
    FILE_DETAILS,
    /** What a file says where it is not displayed. */
    ALT_TEXT,
    /** What it was before the trash. */
    TRASHED_STATUS,
    /** How it was called before the trash. */
    TRASHED_SLUG;

    private final String sql;

    ItemColumn() {
        sql = name().toLowerCase(Locale.ROOT);
    }

    ItemColumn(String sql) {
        this.sql = sql;
    }

    String sql() {
        return sql;
    }
}
