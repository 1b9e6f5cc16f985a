package io.github.ratelimit.content.cms.media;

import io.github.ratelimit.content.cms.item.Item;
import io.github.ratelimit.content.cms.item.ItemFields;
import io.github.ratelimit.content.cms.item.ItemFilters;
import io.github.ratelimit.content.cms.item.ItemFinder;
import io.github.ratelimit.content.cms.item.ItemListing;
import io.github.ratelimit.content.cms.item.ItemPermissions;
import io.github.ratelimit.content.cms.item.ItemRoutes;
import io.github.ratelimit.content.cms.item.ItemType;
import io.github.ratelimit.content.cms.item.ItemView;
import io.github.ratelimit.content.cms.media.image.ImageFormat;
import io.github.ratelimit.content.cms.media.image.Modifier;
import io.github.ratelimit.content.cms.media.storage.FileType;
import io.github.ratelimit.content.cms.rest.Argument;
import io.github.ratelimit.content.cms.rest.Arguments;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.Filters;
import io.github.ratelimit.content.cms.rest.RestAddress;
import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Route;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.server.store.SqlCondition;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The routes of uploaded files. */
@Component
@Order(130)
class MediaRoutes implements Route.Source {

    /** What clients can select as a whole and not in parts. */
    private static final Set<String> WHOLE = MediaFields.TABLE.whole();

    private static final String[] KINDS = {"image", "video", "text", "application", "audio"};

    private final ItemFinder access;
    private final ItemPermissions permissions;
    private final ItemFilters filters;
    private final ItemListing listing;
    private final MediaView view;
    private final MediaWriter writer;
    private final MediaStore store;

    MediaRoutes(
            ItemFinder access,
            ItemPermissions permissions,
            ItemFilters filters,
            ItemListing listing,
            MediaView view,
            MediaWriter writer,
            MediaStore store) {
        this.access = access;
        this.permissions = permissions;
        this.filters = filters;
        this.listing = listing;
        this.view = view;
        this.writer = writer;
        this.store = store;
    }

    @Override
    public List<Route> routes() {
        Arguments writable = ItemFields.writable(MediaFields.TABLE);
        Filters listed = filters();
        Route collection = Route.at("cms/v2", "/media")
                .describedBy(base -> ItemView.describe(ItemType.ATTACHMENT, base, MediaFields.TABLE))
                .on(RestMethod.GET)
                .accepts(listed.arguments())
                .allowedTo(permissions.toList(ItemType.ATTACHMENT))
                .servedBy(request -> list(request, listed))
                .on(RestMethod.POST)
                .accepts(writable)
                .takingFiles()
                .allowedTo(toUpload())
                .servedBy(this::create)
                .build();
        Route item = Route.at("cms/v2", "/media/<id>")
                .describedBy(base -> ItemView.describe(ItemType.ATTACHMENT, base, MediaFields.TABLE))
                .on(RestMethod.GET)
                .accepts(Arguments.of(ItemRoutes.ID, Context.ARGUMENT))
                .foreseeing(requests -> view.foresee(requests.get(0), access.foresee(requests)))
                .servedBy(permissions.toRead(ItemType.ATTACHMENT), this::read)
                .on(RestMethod.POST, RestMethod.PUT, RestMethod.PATCH)
                .accepts(Arguments.of(ItemRoutes.ID).and(ItemRoutes.changeable(access, ItemType.ATTACHMENT, writable)))
                .servedBy(permissions.toUpdate(ItemType.ATTACHMENT), this::update)
                .on(RestMethod.DELETE)
                .accepts(Arguments.of(ItemRoutes.ID, ItemRoutes.FORCE))
                .servedBy(permissions.toDelete(ItemType.ATTACHMENT), this::delete)
                .build();
        Route processing = Route.at("cms/v2", "/media/<id>/post-process")
                .on(RestMethod.POST)
                .accepts(Arguments.of(
                        ItemRoutes.ID,
                        Argument.required("action", Schema.string().among("create-image-subsizes"))))
                .servedBy(permissions.toUpdate(ItemType.ATTACHMENT), this::process)
                .build();
        Route editing = Route.at("cms/v2", "/media/<id>/edit")
                .on(RestMethod.POST)
                .accepts(ImageEdits.arguments())
                .servedBy(toEdit(), this::edit)
                .build();
        return List.of(collection, item, processing, editing);
    }

    private Filters filters() {
        Filters table = filters.of(ItemType.ATTACHMENT);
        Argument kinds = Argument.optional(
                "media_type",
                Schema.arrayOf(Schema.string().among(KINDS), "Of one of these kinds.")
                        .defaultsToNull());
        Argument types = Argument.optional(
                "mime_type",
                Schema.arrayOf(Schema.string(), "Of one of these media types.").defaultsToNull());
        // Each of them asks for what both name.
        BiFunction<RestRequest, JsonNode, Optional<SqlCondition>> wish =
                (request, names) -> Optional.of(mediaTypes(request.arguments()))
                        .filter(wanted -> !wanted.isEmpty())
                        .map(wanted -> SqlCondition.isOneOfTexts("mime_type", wanted));
        table.add(kinds, wish);
        table.add(types, wish).unless("media_type");
        return table;
    }

    /** Types that nobody could upload are no condition at all, as clients of this interface know it. */
    private static Set<String> mediaTypes(Arguments.Values wanted) {
        List<String> known = FileType.allMediaTypes();
        return Stream.concat(
                        wanted.texts("media_type").stream()
                                .flatMap(kind -> known.stream().filter(type -> type.startsWith(kind + "/"))),
                        wanted.texts("mime_type").stream().filter(known::contains))
                .collect(Collectors.toSet());
    }

    private Route.Permission toUpload() {
        Route.Permission creating = permissions.toCreate(ItemType.ATTACHMENT);
        return request -> {
            creating.check(request);
            checkParent(request);
        };
    }

    private Function<RestRequest, Item> toEdit() {
        Function<RestRequest, Item> updating = permissions.toUpdate(ItemType.ATTACHMENT);
        return request -> {
            request.require(
                    Capability.UPLOAD_FILES,
                    "rest_cannot_edit_image",
                    "Sorry, you are not allowed to upload media on this site.");
            return updating.apply(request);
        };
    }

    /** A new file belongs to nothing that the caller may not change, nor to what does not exist. */
    private void checkParent(RestRequest request) {
        long parent = request.arguments().number("post");
        if (parent == 0 && (request.arguments().has("post") || !ItemPermissions.isGiven(request.raw("post")))) {
            return;
        }
        // What cannot be read is nothing that the caller might change: the methods that are allowed show it.
        boolean mayAttach = access.header(request, parent)
                .filter(item -> item.rightsOf(request.caller()).mayEdit())
                .isPresent();
        request.require(mayAttach, "rest_cannot_edit", "Sorry, you are not allowed to upload media to this post.");
    }

    private void requireParentThatHoldsFiles(RestRequest request) {
        boolean holdsNone = access.header(request, request.arguments().number("post"))
                .filter(item -> item.type() == ItemType.ATTACHMENT || item.type() == ItemType.REVISION)
                .isPresent();
        if (holdsNone) {
            throw RestError.of(400, "rest_invalid_param", "Invalid parent type.");
        }
    }

    private RestAnswer list(RestRequest request, Filters listed) {
        return listing.answer(
                        request, ItemType.ATTACHMENT, listed, (items, context) -> view.show(request, items, context))
                .withWhole(WHOLE);
    }

    private RestAnswer create(RestRequest request) {
        requireParentThatHoldsFiles(request);
        return created(request, writer.create(request), Context.EDIT);
    }

    private RestAnswer created(RestRequest request, Item item, Context context) {
        return RestAnswer.created(
                        view.show(request, item, context),
                        RestAddress.of(request.baseUrl(), ItemType.ATTACHMENT.route(item.id())))
                .withWhole(WHOLE)
                // For clients that lose the rest of the answer, and ask for what is missing then.
                .withHeader("X-WP-Upload-Attachment-ID", String.valueOf(item.id()));
    }

    private RestAnswer shown(RestRequest request, Item item, Context context) {
        return RestAnswer.ok(view.show(request, item, context)).withWhole(WHOLE);
    }

    private RestAnswer read(RestRequest request, Item item) {
        return shown(request, item, Context.of(request)).withHeader("Link", ItemRoutes.alternate(request, item));
    }

    private RestAnswer update(RestRequest request, Item item) {
        requireParentThatHoldsFiles(request);
        return shown(request, writer.update(request, item), Context.EDIT);
    }

    private RestAnswer delete(RestRequest request, Item item) {
        if (!request.arguments().flag("force")) {
            throw RestError.of(
                    501, "rest_trash_not_supported", "The post does not support trashing. Set 'force=true' to delete.");
        }
        ObjectNode previous = view.show(request, item, Context.EDIT);
        writer.delete(request, item);
        return RestAnswer.deleted(previous).withWhole(WHOLE);
    }

    private RestAnswer process(RestRequest request, Item item) {
        return shown(request, writer.complete(request, item), Context.EDIT);
    }

    private RestAnswer edit(RestRequest request, Item item) {
        requireParentThatHoldsFiles(request);
        List<Modifier> modifiers = ImageEdits.modifiers(request);
        Optional<ImageFormat> format = ImageFormat.ofMediaType(item.mimeType());
        MediaFile file = store.find(item.id()).orElseThrow(MediaWriter::unknownAttachment);
        if (format.isEmpty() || !isNamed(file, request.arguments().text("src").orElse(""))) {
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

    /** Nothing is fetched from there: an address only shows that the client means this picture, on whatever host. */
    private static boolean isNamed(MediaFile file, String src) {
        int query = src.indexOf('?');
        String address = query < 0 ? src : src.substring(0, query);
        return file.allPaths().stream().anyMatch(address::endsWith);
    }
}
