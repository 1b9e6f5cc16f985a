package io.github.ratelimit.content.media;

import io.github.ratelimit.content.item.Item;
import io.github.ratelimit.content.item.ItemAccess;
import io.github.ratelimit.content.item.ItemHandlers;
import io.github.ratelimit.content.item.ItemListing;
import io.github.ratelimit.content.item.ItemQuery;
import io.github.ratelimit.content.item.ItemSchemas;
import io.github.ratelimit.content.item.ItemType;
import io.github.ratelimit.content.media.image.ImageFormat;
import io.github.ratelimit.content.media.image.Modifier;
import io.github.ratelimit.content.media.storage.FileType;
import io.github.ratelimit.content.security.Capability;
import io.github.ratelimit.content.web.Argument;
import io.github.ratelimit.content.web.ArgumentValues;
import io.github.ratelimit.content.web.Arguments;
import io.github.ratelimit.content.web.Context;
import io.github.ratelimit.content.web.Permission;
import io.github.ratelimit.content.web.RestAddress;
import io.github.ratelimit.content.web.RestAnswer;
import io.github.ratelimit.content.web.RestError;
import io.github.ratelimit.content.web.RestMethod;
import io.github.ratelimit.content.web.RestRequest;
import io.github.ratelimit.content.web.Route;
import io.github.ratelimit.content.web.RouteSource;
import io.github.ratelimit.content.web.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The routes of uploaded files. */
@Component
@Order(130)
class MediaRoutes implements RouteSource {

    private static final String[] KINDS = {"image", "video", "text", "application", "audio"};

    /** Chosen: more steps than any editor's tool sends. */
    private static final int MOST_MODIFIERS = 20;

    private final ItemAccess access;
    private final ItemListing listing;
    private final MediaView view;
    private final MediaWriter writer;
    private final MediaStore store;

    MediaRoutes(ItemAccess access, ItemListing listing, MediaView view, MediaWriter writer, MediaStore store) {
        this.access = access;
        this.listing = listing;
        this.view = view;
        this.writer = writer;
        this.store = store;
    }

    @Override
    public List<Route> routes() {
        Map<String, Schema> fields = MediaSchemas.fields();
        Arguments writable = ItemSchemas.writable(fields);
        Route collection = Route.in("cms/v2")
                .at("/media")
                .describedBy(base -> ItemSchemas.describe(ItemType.ATTACHMENT, base, fields))
                .on(RestMethod.GET)
                .accepts(listArguments())
                .allowedTo(access.toList(ItemType.ATTACHMENT))
                .servedBy(this::list)
                .on(RestMethod.POST)
                .accepts(writable)
                .allowedTo(toUpload())
                .servedBy(this::create)
                .build();
        Route item = Route.in("cms/v2")
                .at("/media/<id>")
                .describedBy(base -> ItemSchemas.describe(ItemType.ATTACHMENT, base, fields))
                .on(RestMethod.GET)
                .accepts(Arguments.of(ItemHandlers.ID, Context.ARGUMENT))
                .allowedTo(access.toRead(ItemType.ATTACHMENT))
                .servedBy(this::read)
                .on(RestMethod.POST, RestMethod.PUT, RestMethod.PATCH)
                .accepts(Arguments.of(ItemHandlers.ID).and(writable))
                .allowedTo(toUpdate())
                .servedBy(this::update)
                .on(RestMethod.DELETE)
                .accepts(Arguments.of(ItemHandlers.ID, ItemHandlers.FORCE))
                .allowedTo(access.toDelete(ItemType.ATTACHMENT))
                .servedBy(this::delete)
                .build();
        Route processing = Route.in("cms/v2")
                .at("/media/<id>/post-process")
                .on(RestMethod.POST)
                .accepts(Arguments.of(
                        ItemHandlers.ID,
                        Argument.required("action", Schema.string().among("create-image-subsizes"))))
                .allowedTo(access.toUpdate(ItemType.ATTACHMENT))
                .servedBy(this::process)
                .build();
        Route editing = Route.in("cms/v2")
                .at("/media/<id>/edit")
                .on(RestMethod.POST)
                .accepts(MediaSchemas.editArguments(fields))
                .allowedTo(toEdit())
                .servedBy(this::edit)
                .build();
        return List.of(collection, item, processing, editing);
    }

    private static Arguments listArguments() {
        return ItemListing.arguments(ItemType.ATTACHMENT)
                .and(
                        ItemListing.status("inherit", "inherit", "private", "trash"),
                        Argument.optional(
                                "media_type",
                                Schema.arrayOf(Schema.string().among(KINDS))
                                        .describedAs("Of one of these kinds.")
                                        .defaultsToNull()),
                        Argument.optional(
                                "mime_type",
                                Schema.arrayOf(Schema.string())
                                        .describedAs("Of one of these media types.")
                                        .defaultsToNull()));
    }

    private Permission toUpload() {
        Permission creating = access.toCreate(ItemType.ATTACHMENT);
        return request -> {
            creating.check(request);
            checkParent(request);
        };
    }

    private Permission toUpdate() {
        Permission updating = access.toUpdate(ItemType.ATTACHMENT);
        return request -> {
            updating.check(request);
            checkParent(request);
        };
    }

    private Permission toEdit() {
        Permission updating = toUpdate();
        return request -> {
            if (!request.caller().may(Capability.UPLOAD_FILES)) {
                throw RestError.forbidden(
                        request.caller(),
                        "rest_cannot_edit_image",
                        "Sorry, you are not allowed to upload media on this site.");
            }
            updating.check(request);
        };
    }

    /** A file belongs to nothing that the caller may not change, nor to what does not exist. */
    private void checkParent(RestRequest request) {
        long parent = request.arguments().number("post");
        if (parent == 0) {
            return;
        }
        boolean mayAttach = access.find(request, parent)
                .filter(item -> item.type() == ItemType.POST || item.type() == ItemType.PAGE)
                .filter(item -> access.mayEdit(request.caller(), item))
                .isPresent();
        if (!mayAttach) {
            throw RestError.forbidden(
                    request.caller(), "rest_cannot_edit", "Sorry, you are not allowed to upload media to this post.");
        }
    }

    private RestAnswer list(RestRequest request) {
        ItemQuery query = listing.query(request, ItemType.ATTACHMENT);
        // Types that nobody could upload are no condition at all, as clients of this interface know it.
        List<String> known = FileType.allMediaTypes();
        Set<String> wanted = Stream.concat(
                        request.arguments().texts("media_type").stream()
                                .flatMap(kind -> known.stream().filter(type -> type.startsWith(kind + "/"))),
                        request.arguments().texts("mime_type").stream().filter(known::contains))
                .collect(Collectors.toSet());
        if (!wanted.isEmpty()) {
            query.where("mime_type = any (?)", (Object) wanted.toArray(String[]::new));
        }
        return listing.answer(
                request, ItemType.ATTACHMENT, query, (items, context) -> view.show(request, items, context));
    }

    private RestAnswer create(RestRequest request) {
        Item item = writer.create(request);
        return created(request, item, Context.EDIT)
                // For clients that lose the rest of the answer, and ask for what is missing then.
                .withHeader("X-WP-Upload-Attachment-ID", String.valueOf(item.id()));
    }

    private RestAnswer created(RestRequest request, Item item, Context context) {
        return RestAnswer.created(
                view.show(request, item, context),
                RestAddress.of(request.baseUrl(), ItemType.ATTACHMENT.route(item.id())));
    }

    private RestAnswer read(RestRequest request) {
        Item item = item(request);
        return RestAnswer.ok(view.show(request, item, Context.of(request)))
                .withHeader("Link", ItemHandlers.alternate(request, item));
    }

    private RestAnswer update(RestRequest request) {
        return RestAnswer.ok(view.show(request, writer.update(request, item(request)), Context.EDIT));
    }

    private RestAnswer delete(RestRequest request) {
        Item item = item(request);
        if (!request.arguments().flag("force")) {
            throw RestError.of(
                    501, "rest_trash_not_supported", "The post does not support trashing. Set 'force=true' to delete.");
        }
        ObjectNode previous = view.show(request, item, Context.EDIT);
        writer.delete(item);
        return ItemHandlers.deleted(previous);
    }

    private RestAnswer process(RestRequest request) {
        return RestAnswer.ok(view.show(request, writer.completeOrRefuse(item(request)), Context.EDIT));
    }

    private RestAnswer edit(RestRequest request) {
        Item item = item(request);
        List<Modifier> modifiers = modifiers(request.arguments());
        Optional<ImageFormat> format = ImageFormat.ofMediaType(item.mimeType());
        MediaFile file = store.find(item.id()).orElseThrow(MediaWriter::unknownAttachment);
        String src = request.arguments().text("src").orElse("");
        boolean isOwn =
                file.allPaths().stream().anyMatch(path -> src.equals(request.baseUrl() + MediaFile.FOLDER + path));
        if (format.isEmpty() || !isOwn) {
            throw MediaWriter.unknownAttachment();
        }
        if (modifiers.isEmpty()) {
            throw RestError.of(
                    400,
                    "rest_image_not_edited",
                    "The image was not edited. Edit the image before applying the changes.");
        }
        return created(request, writer.edit(request, item, file, format.get(), modifiers), Context.VIEW);
    }

    private Item item(RestRequest request) {
        return access.item(request, ItemType.ATTACHMENT, request.arguments().number("id"));
    }

    private static List<Modifier> modifiers(ArgumentValues sent) {
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

    private static double number(ArgumentValues sent, String name) {
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
