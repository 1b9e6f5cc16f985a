package io.github.ratelimit.content.cms.media;

import static io.github.ratelimit.content.cms.rest.Context.EDITING;
import static io.github.ratelimit.content.cms.rest.Context.EVERYWHERE;
import static io.github.ratelimit.content.cms.rest.Context.NOT_EMBEDDED;

import io.github.ratelimit.content.cms.item.ItemColumn;
import io.github.ratelimit.content.cms.item.ItemDraft;
import io.github.ratelimit.content.cms.item.ItemFields;
import io.github.ratelimit.content.cms.item.ItemType;
import io.github.ratelimit.content.cms.rest.Argument;
import io.github.ratelimit.content.cms.rest.Fields;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.text.SingleLine;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The table of the members of a file: those of its item, and what is known about the file itself. */
final class MediaFields {
    private static final int LONGEST_ALT_TEXT = 10_000;
    private static final Pattern ESCAPED = Pattern.compile("\\\\(.?)", Pattern.DOTALL);

    static final Fields<ShownFile, ItemDraft> TABLE = fields();

    private MediaFields() {}

    private static Fields<ShownFile, ItemDraft> fields() {
        Fields.Table<ShownFile, ItemDraft> fields = Fields.declare();
        Fields.Members<MediaFile, ItemDraft> file = fields.of(ShownFile::file);
        fields.with(ItemFields.of(ItemType.ATTACHMENT), ShownFile::shown);
        fields.add("guid", ItemFields.guid(), NOT_EMBEDDED, ShownFile::guid);
        Schema description = ItemFields.text("Its description.", NOT_EMBEDDED);
        fields.add("description", description, NOT_EMBEDDED, ShownFile::description)
                .whole()
                .readBy(Argument::readAsText)
                .writtenBy(ItemDraft::content);
        fields.add("caption", ItemFields.text("Its caption.", EVERYWHERE), EVERYWHERE, ShownFile::caption)
                .whole()
                .readBy(Argument::readAsText)
                .writtenBy(ItemDraft::excerpt);
        file.text("alt_text", "What stands where it is not displayed.", EVERYWHERE, MediaFile::altText)
                .whole()
                .writtenBy((input, sent) -> input.set(ItemColumn.ALT_TEXT, altText(sent)));
        fields.text("media_type", "Whether it is a picture.", EVERYWHERE, ShownFile::kind)
                .with(schema -> schema.among("image", "file"))
                .whole();
        fields.text("mime_type", "Its media type.", EVERYWHERE, ShownFile::mediaType)
                .whole();
        Schema details = Schema.object("What is known about it.");
        fields.add("media_details", details, EVERYWHERE, ShownFile::details).whole();
        fields.add("post", Schema.integer("The item that it belongs to."), NOT_EMBEDDED, ShownFile::post)
                .whole()
                .writtenBy(ItemDraft::parent);
        fields.text("source_url", "Its address.", "uri", EVERYWHERE, ShownFile::address)
                .whole();
        Schema sizes = Schema.arrayOf(Schema.string(), "The sizes that were not made of it yet.");
        fields.add("missing_image_sizes", sizes, EDITING, ShownFile::missingSizes)
                .whole();
        file.text("filename", "The name of its file.", NOT_EMBEDDED, MediaFile::fileName)
                .whole();
        fields.add("filesize", Schema.integer("The bytes of its file."), NOT_EMBEDDED, ShownFile::size)
                .whole();
        Schema turn = Schema.integer("How its file is turned.");
        fields.add("exif_orientation", turn, EDITING, ShownFile::orientation).whole();
        return fields.build();
    }

    /** A backslash is lost, and of two one is left: clients of this interface send two. Before tags go, as it must make none. */
    private static String altText(JsonNode sent) {
        String text = SingleLine.of(ESCAPED.matcher(sent.stringValue()).replaceAll("$1"));
        if (text.length() > LONGEST_ALT_TEXT) {
            throw RestError.tooLong(LONGEST_ALT_TEXT);
        }
        return text;
    }
}
