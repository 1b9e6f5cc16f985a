package io.github.ratelimit.content.media;

import io.github.ratelimit.content.item.ItemSchemas;
import io.github.ratelimit.content.item.ItemType;
import io.github.ratelimit.content.web.Argument;
import io.github.ratelimit.content.web.Arguments;
import io.github.ratelimit.content.web.Schema;
import java.util.Map;

/** What files look like, and what an edit of a picture can be asked for. */
final class MediaSchemas {

    private static final String[] EVERYWHERE = {"view", "edit", "embed"};
    private static final String[] NOT_EMBEDDED = {"view", "edit"};

    private MediaSchemas() {}

    /** Lists the fields of a file by name. */
    static Map<String, Schema> fields() {
        Map<String, Schema> fields = ItemSchemas.fields(ItemType.ATTACHMENT);
        fields.put(
                "alt_text",
                Schema.string()
                        .describedAs("What stands where it is not displayed.")
                        .context(EVERYWHERE));
        fields.put("caption", ItemSchemas.text("Its caption.", EVERYWHERE));
        fields.put("description", ItemSchemas.text("Its description.", NOT_EMBEDDED));
        fields.put(
                "media_type",
                Schema.string()
                        .describedAs("Whether it is a picture.")
                        .among("image", "file")
                        .context(EVERYWHERE)
                        .readOnly());
        fields.put("mime_type", shown(Schema.string().describedAs("Its media type."), EVERYWHERE));
        fields.put("media_details", shown(Schema.object().describedAs("What is known about it."), EVERYWHERE));
        fields.put(
                "post",
                Schema.integer().describedAs("The item that it belongs to.").context(NOT_EMBEDDED));
        fields.put(
                "source_url", shown(Schema.string().describedAs("Its address.").format("uri"), EVERYWHERE));
        fields.put(
                "missing_image_sizes",
                shown(Schema.arrayOf(Schema.string()).describedAs("The sizes that were not made of it yet."), "edit"));
        fields.put("filename", shown(Schema.string().describedAs("The name of its file."), NOT_EMBEDDED));
        fields.put("filesize", shown(Schema.integer().describedAs("The bytes of its file."), NOT_EMBEDDED));
        fields.put("exif_orientation", shown(Schema.integer().describedAs("How its file is turned."), "edit"));
        return fields;
    }

    private static Schema shown(Schema schema, String... contexts) {
        return schema.context(contexts).readOnly();
    }

    /** Lists what an edit can be asked for. */
    static Arguments editArguments(Map<String, Schema> fields) {
        Arguments texts = ItemSchemas.writable(Map.of(
                "caption", fields.get("caption"),
                "description", fields.get("description"),
                "title", fields.get("title"),
                "post", fields.get("post"),
                "alt_text", fields.get("alt_text")));
        return Arguments.of(
                        Argument.required(
                                "src",
                                Schema.string()
                                        .describedAs("The address of the picture that is edited.")
                                        .format("uri")),
                        Argument.optional(
                                "modifiers",
                                Schema.arrayOf(modifier())
                                        .describedAs("The steps of the edit.")
                                        .minItems(1)),
                        Argument.optional(
                                "rotation",
                                Schema.integer()
                                        .describedAs("Degrees clockwise; modifiers are the newer way.")
                                        .minimum(0)
                                        .maximum(360)
                                        .withinBounds()),
                        percentage("x", "Where the part that is kept begins, from the left, in hundredths."),
                        percentage("y", "Where the part that is kept begins, from above, in hundredths."),
                        percentage("width", "How wide the part that is kept is, in hundredths."),
                        percentage("height", "How high the part that is kept is, in hundredths."))
                .and(texts);
    }

    private static Argument percentage(String name, String description) {
        return Argument.optional(
                name, Schema.number().describedAs(description).minimum(0).maximum(100));
    }

    private static Schema modifier() {
        return Schema.object()
                .describedAs("One step.")
                .requiring("type", "args")
                .oneOf(
                        variant(
                                "Flip",
                                "flip",
                                Schema.object()
                                        .describedAs("Which ways to mirror.")
                                        .requiring("flip")
                                        .property(
                                                "flip",
                                                Schema.object()
                                                        .describedAs("Which ways to mirror.")
                                                        .requiring("horizontal", "vertical")
                                                        .property(
                                                                "horizontal",
                                                                Schema.bool().describedAs("Left and right."))
                                                        .property(
                                                                "vertical",
                                                                Schema.bool().describedAs("Top and bottom.")))),
                        variant(
                                "Rotation",
                                "rotate",
                                Schema.object()
                                        .describedAs("How far to turn.")
                                        .requiring("angle")
                                        .property("angle", Schema.number().describedAs("Degrees clockwise."))),
                        variant(
                                "Crop",
                                "crop",
                                Schema.object()
                                        .describedAs("What to keep.")
                                        .requiring("left", "top", "width", "height")
                                        .property("left", Schema.number().describedAs("From the left, in hundredths."))
                                        .property("top", Schema.number().describedAs("From above, in hundredths."))
                                        .property("width", Schema.number().describedAs("In hundredths."))
                                        .property("height", Schema.number().describedAs("In hundredths."))));
    }

    private static Schema variant(String title, String type, Schema args) {
        return Schema.any()
                .titled(title)
                .property("type", Schema.string().describedAs("What to do.").among(type))
                .property("args", args);
    }
}
