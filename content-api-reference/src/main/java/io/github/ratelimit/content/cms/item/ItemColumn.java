package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.text.Rendering;
import io.github.ratelimit.content.shared.storage.Column;
import io.github.ratelimit.content.shared.storage.Columns;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** The columns of an item that code asks for by name. */
public final class ItemColumn {
    /** Its number. */
    static final Column<Long> ID = Column.number("id");
    /** Counts writes. */
    static final Column<Long> VERSION = Column.number("version");
    /** What it is, as {@link ItemType#wireName}. */
    public static final Column<String> TYPE = Column.text("kind", 20);
    /** How far it has come. */
    public static final Column<String> STATUS = Column.text("status", 20);
    /** Whose it is. */
    public static final Column<Long> AUTHOR_ID = Column.number("author_id");
    /** What it belongs to. */
    public static final Column<Long> PARENT_ID = Column.number("parent_id");
    /** Its name in addresses. */
    public static final Column<String> SLUG = Column.text("slug", 200);
    /** Within what that name is unique. */
    public static final Column<String> SLUG_SCOPE = Column.text("slug_scope", 60);
    /** That name for sorting. */
    public static final Column<byte[]> SLUG_ORDER = Column.bytes("slug_order");
    /** Its title for sorting. */
    public static final Column<byte[]> TITLE_ORDER = Column.bytes("title_order");
    /** When it was or will be published. */
    public static final Column<Instant> PUBLISHED_AT = Column.moment("published_at");
    /** Whether nobody chose that moment. */
    public static final Column<Boolean> UNDATED = Column.flag("undated");
    /** When it was last written. */
    public static final Column<Instant> MODIFIED_AT = Column.moment("modified_at");
    /** As written. */
    public static final Column<String> TITLE = Column.text("title", Rendering.LONGEST);
    /** As read. */
    public static final Column<String> TITLE_RENDERED = Column.text("title_rendered", Rendering.LONGEST);
    /** As written. */
    public static final Column<String> CONTENT = Column.text("content", Rendering.LONGEST);
    /** As read. */
    public static final Column<String> CONTENT_RENDERED = Column.text("content_rendered", Rendering.LONGEST);
    /** What the content is made of. */
    public static final Column<Long> BLOCK_VERSION = Column.number("block_version");
    /** As written. */
    public static final Column<String> EXCERPT = Column.text("excerpt", Rendering.LONGEST);
    /** As read. */
    public static final Column<String> EXCERPT_RENDERED = Column.text("excerpt_rendered", Rendering.LONGEST);
    /** What guards it. */
    public static final Column<String> PASSWORD = Column.text("password", 255);
    /** Whether comments are welcome. */
    public static final Column<Boolean> COMMENTS_OPEN = Column.flag("comments_open");
    /** Whether announcements are welcome. */
    public static final Column<Boolean> PINGS_OPEN = Column.flag("pings_open");
    /** How it is to be shown. */
    public static final Column<String> FORMAT = Column.text("format", 20);
    /** The template it is shown with. */
    public static final Column<String> TEMPLATE = Column.text("template", 100);
    /** Whether it stays on top. */
    public static final Column<Boolean> STICKY = Column.flag("sticky");
    /** Its picture. */
    public static final Column<Long> FEATURED_MEDIA = Column.number("featured_media");
    /** As an editor's tool keeps them. */
    public static final Column<String> FOOTNOTES = Column.text("footnotes", Rendering.LONGEST);
    /** Of a file. */
    public static final Column<String> MIME_TYPE = Column.text("mime_type", 100);
    /** Where a file lies. */
    public static final Column<String> FILE = Column.text("file", 300);
    /** What is known about a file, as JSON. */
    public static final Column<String> FILE_DETAILS = Column.text("file_details", 200_000);
    /** What a file says where it is not displayed. */
    public static final Column<String> ALT_TEXT = Column.text("alt_text", 10_000);
    /** What it was before the trash. */
    public static final Column<String> TRASHED_STATUS = Column.text("trashed_status", 20);
    /** How it was called before the trash. */
    public static final Column<String> TRASHED_SLUG = Column.text("trashed_slug", 200);

    /** Those that are read with every item, whatever its members are. */
    static final List<Column<?>> READ = List.of(
            ID,
            TYPE,
            STATUS,
            VERSION,
            AUTHOR_ID,
            PARENT_ID,
            SLUG,
            PUBLISHED_AT,
            UNDATED,
            MODIFIED_AT,
            TITLE,
            TITLE_RENDERED,
            CONTENT,
            CONTENT_RENDERED,
            EXCERPT,
            EXCERPT_RENDERED,
            BLOCK_VERSION,
            PASSWORD,
            COMMENTS_OPEN,
            PINGS_OPEN,
            FORMAT,
            STICKY,
            FEATURED_MEDIA,
            FOOTNOTES,
            MIME_TYPE,
            TRASHED_STATUS,
            TRASHED_SLUG);

    /** The columns that have rules: no member is stored there as it is sent. */
    static final Set<String> OWN = Set.copyOf(Columns.of(List.of(
                    ID,
                    VERSION,
                    TYPE,
                    STATUS,
                    AUTHOR_ID,
                    PARENT_ID,
                    SLUG,
                    SLUG_SCOPE,
                    SLUG_ORDER,
                    TITLE,
                    TITLE_ORDER,
                    TITLE_RENDERED,
                    PUBLISHED_AT,
                    UNDATED,
                    MODIFIED_AT,
                    CONTENT,
                    CONTENT_RENDERED,
                    BLOCK_VERSION,
                    EXCERPT,
                    EXCERPT_RENDERED,
                    COMMENTS_OPEN,
                    PINGS_OPEN,
                    FORMAT,
                    FEATURED_MEDIA,
                    FOOTNOTES,
                    MIME_TYPE,
                    FILE,
                    FILE_DETAILS,
                    ALT_TEXT,
                    TRASHED_STATUS,
                    TRASHED_SLUG))
            .names());

    /** Those of the table of texts. */
    static final Set<Column<?>> TEXTS =
            Set.of(TITLE, TITLE_RENDERED, CONTENT, CONTENT_RENDERED, EXCERPT, EXCERPT_RENDERED, FOOTNOTES);

    private ItemColumn() {}
}
