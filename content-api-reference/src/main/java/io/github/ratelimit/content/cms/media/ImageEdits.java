package io.github.ratelimit.content.cms.media;

import io.github.ratelimit.content.cms.item.ItemFields;
import io.github.ratelimit.content.cms.media.image.Modifier;
import io.github.ratelimit.content.cms.rest.Argument;
import io.github.ratelimit.content.cms.rest.Arguments;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/** What an edit of a picture can be asked for, and the steps that are asked for. */
final class ImageEdits {
    /** Chosen: more steps than any editor's tool sends. */
    private static final int MOST_MODIFIERS = 20;

    private ImageEdits() {}

    /** Lists what an edit can be asked for. */
    static Arguments arguments() {
        Arguments texts =
                ItemFields.writable(MediaFields.TABLE).only("caption", "description", "title", "post", "alt_text");
        return Arguments.of(
                        Argument.required(
                                "src",
                                Schema.string("The address of the picture that is edited.")
                                        .format("uri")),
                        Argument.nullable(
                                "modifiers",
                                Schema.arrayOf(modifier(), "The steps of the edit.")
                                        .minItems(1)),
                        Argument.nullable(
                                "rotation",
                                Schema.integer("Degrees clockwise; modifiers are the newer way.")
                                        .within(0, 360)),
                        percentage("x", "Where the part that is kept begins, from the left, in hundredths."),
                        percentage("y", "Where the part that is kept begins, from above, in hundredths."),
                        percentage("width", "How wide the part that is kept is, in hundredths."),
                        percentage("height", "How high the part that is kept is, in hundredths."))
                .and(texts);
    }

    private static Argument percentage(String name, String description) {
        return Argument.nullable(name, Schema.number().describedAs(description).between(0, 100));
    }

    private static Schema modifier() {
        Schema ways = members(
                "Which ways to mirror.", Schema::bool, "horizontal", "Left and right.", "vertical", "Top and bottom.");
        Schema flip = Schema.object("Which ways to mirror.").requiring("flip").property("flip", ways);
        Schema angle = members("How far to turn.", Schema::number, "angle", "Degrees clockwise.");
        Schema part = members(
                "What to keep.",
                Schema::number,
                "left",
                "From the left, in hundredths.",
                "top",
                "From above, in hundredths.",
                "width",
                "In hundredths.",
                "height",
                "In hundredths.");
        return Schema.object("One step.")
                .requiring("type", "args")
                .oneOf(
                        variant("Flip", "flip", flip),
                        variant("Rotation", "rotate", angle),
                        variant("Crop", "crop", part));
    }

    /** All of them are required; each name stands before its description. */
    private static Schema members(String description, Supplier<Schema> type, String... named) {
        Schema members = Schema.object(description);
        String[] names = new String[named.length / 2];
        for (int i = 0; i < names.length; i++) {
            names[i] = named[2 * i];
            members = members.property(names[i], type.get().describedAs(named[2 * i + 1]));
        }
        return members.requiring(names);
    }

    private static Schema variant(String title, String type, Schema args) {
        return Schema.any()
                .titled(title)
                .property("type", Schema.string("What to do.").among(type))
                .property("args", args);
    }

    /** Reads the steps of an edit, in their order. */
    static List<Modifier> modifiers(RestRequest request) {
        Arguments.Values sent = request.arguments();
        List<Modifier> modifiers = new ArrayList<>();
        Optional<JsonNode> listed = sent.value("modifiers");
        if (listed.isPresent()) {
            for (JsonNode modifier : listed.get().values()) {
                modifiers.add(modifier(modifier.path("type").asString(""), modifier.path("args")));
            }
        } else {
            sent.integer("rotation").ifPresent(angle -> modifiers.add(new Modifier.Rotate(angle)));
            if (sent.has("x") && sent.has("y") && sent.has("width") && sent.has("height")) {
                modifiers.add(new Modifier.Crop(
                        number(sent, "x"), number(sent, "y"), number(sent, "width"), number(sent, "height")));
            }
        }
        if (modifiers.size() > MOST_MODIFIERS) {
            throw RestError.of(400, "rest_image_not_edited", "An edit has at most " + MOST_MODIFIERS + " steps.");
        }
        return modifiers;
    }

    private static double number(Arguments.Values sent, String name) {
        return sent.value(name).map(value -> value.asDouble(0)).orElse(0.0);
    }

    private static Modifier modifier(String type, JsonNode args) {
        return switch (type) {
            case "flip" ->
                new Modifier.Flip(
                        args.path("flip").path("horizontal").asBoolean(false),
                        args.path("flip").path("vertical").asBoolean(false));
            case "rotate" -> new Modifier.Rotate(finite(args.path("angle")));
            default ->
                new Modifier.Crop(
                        finite(args.path("left")),
                        finite(args.path("top")),
                        finite(args.path("width")),
                        finite(args.path("height")));
        };
    }

    /** A number that is too large for a double turns nothing and cuts nothing out. */
    private static double finite(JsonNode number) {
        double value = number.asDouble(0);
        return Double.isFinite(value) ? value : 0;
    }
}
