package io.github.ratelimit.content.cms.item;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The columns of an item that are written. */
public enum ItemColumn {
    /** The type, as {@link ItemType#wireName}. */
    KIND,
    /** The status, as {@link ItemStatus#wireName}. */
    STATUS,
    /** The account that owns it. */
    AUTHOR_ID,
    /** The item above it. */
    PARENT_ID,
    /** Its name in addresses. */
    SLUG,
    /** The group of items in which that name is unique. */
    SLUG_SCOPE,
    /** That name for sorting. */
    SLUG_ORDER,
    /** Its title for sorting. */
    TITLE_ORDER,
    /** The moment of its publication. */
    PUBLISHED_AT,
    /** Whether nobody chose that moment. */
    UNDATED,
    /** The moment of its last write. */
    MODIFIED_AT,
    /** 1 where the content is made of blocks. */
    BLOCK_VERSION,
    /** The password that guards it. */
    PASSWORD,
    /** Its place among its siblings. */
    MENU_ORDER,
    /** Whether comments are welcome. */
    COMMENTS_OPEN,
    /** Whether announcements are welcome. */
    PINGS_OPEN,
    /** The way in which it is shown. */
    FORMAT,
    /** The template of its page. */
    TEMPLATE,
    /** Whether it stays on top of lists. */
    STICKY,
    /** Its picture. */
    FEATURED_MEDIA,
    /** The media type of a file. */
    MIME_TYPE,
    /** The path of a file. */
    FILE,
    /** The details of a file, as JSON. */
    FILE_DETAILS,
    /** The text that stands for a file. */
    ALT_TEXT,
    /** Its status before the trash. */
    TRASHED_STATUS,
    /** Its name before the trash. */
    TRASHED_SLUG,
    /** The title as written. */
    TITLE,
    /** The title as read. */
    TITLE_RENDERED,
    /** The content as written. */
    CONTENT,
    /** The content in small letters, for searching. */
    CONTENT_SEARCHED,
    /** The content as read. */
    CONTENT_RENDERED,
    /** The excerpt as written. */
    EXCERPT,
    /** The excerpt as read. */
    EXCERPT_RENDERED,
    /** The notes of an editor's tool. */
    FOOTNOTES;

    /** The columns of the table of texts. */
    static final Set<ItemColumn> TEXTS = EnumSet.range(TITLE, FOOTNOTES);

    static final Set<ItemColumn> MOMENTS = EnumSet.of(PUBLISHED_AT, MODIFIED_AT);

    /** The columns of which an {@link Item} is made. */
    static final Set<ItemColumn> READ = EnumSet.complementOf(
            EnumSet.of(SLUG_SCOPE, SLUG_ORDER, TITLE_ORDER, FILE, FILE_DETAILS, ALT_TEXT, CONTENT_SEARCHED));

    /** Those of the table of texts. */
    static final Set<ItemColumn> READ_TEXTS =
            EnumSet.copyOf(READ.stream().filter(TEXTS::contains).toList());

    /** The columns that say who may do what with an item. */
    static final Set<ItemColumn> HEADER = EnumSet.of(KIND, STATUS, AUTHOR_ID, PARENT_ID, PASSWORD, TRASHED_STATUS);

    private final String sql = name().toLowerCase(Locale.ROOT);

    /** Begins a statement that reads the id and some columns, in their order. */
    static String select(Set<ItemColumn> columns) {
        return columns.stream().map(ItemColumn::sql).collect(Collectors.joining(", ", "select id, ", " from item "));
    }

    String sql() {
        return sql;
    }
}
