package io.github.ratelimit.content.cms.item;

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
import io.github.ratelimit.content.cms.settings.CmsSettings;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The routes of posts and pages, and of any other type of texts: list, create, read, update, delete. */
@Component
@Order(100)
public class ItemRoutes implements Route.Source {
    /** Names an item. */
    public static final Argument ID = Argument.nullable("id", Schema.integer("The number of the item."));

    /** Says whether to delete what could be put into the trash. */
    public static final Argument FORCE = Argument.nullable(
            "force", Schema.bool("Whether to delete it for good.").defaultsTo(false));

    private static final Arguments READING = Arguments.of(
            ID,
            Context.ARGUMENT,
            Argument.optional("excerpt_length", Schema.integer("How many words an excerpt has that nobody wrote.")),
            Argument.optional("password", Schema.string("Opens an item that is guarded.")));

    private final ZoneId zone;
    private final ItemFinder finder;
    private final ItemPermissions permissions;
    private final ItemFilters filters;
    private final ItemListing listing;
    private final ItemView view;
    private final ItemWriter writer;

    ItemRoutes(
            CmsSettings.Site site,
            ItemFinder finder,
            ItemPermissions permissions,
            ItemFilters filters,
            ItemListing listing,
            ItemView view,
            ItemWriter writer) {
        this.zone = site.timezone();
        this.finder = finder;
        this.permissions = permissions;
        this.filters = filters;
        this.listing = listing;
        this.view = view;
        this.writer = writer;
    }

    @Override
    public List<Route> routes() {
        return ItemType.written().stream().flatMap(this::routes).toList();
    }

    private Stream<Route> routes(ItemType type) {
        Arguments writable = ItemFields.writable(ItemFields.of(type));
        Filters listed = filters.of(type);
        String path = type.route().substring("/cms/v2".length());
        Route collection = Route.at("cms/v2", path)
                .describedBy(base -> ItemView.describe(type, base, ItemFields.of(type)))
                .on(RestMethod.GET)
                .accepts(listed.arguments())
                .batchable()
                .allowedTo(permissions.toList(type))
                .servedBy(request ->
                        listing.answer(request, type, listed, (items, context) -> view.show(request, items, context)))
                .on(RestMethod.POST)
                .accepts(writable)
                .batchable()
                .allowedTo(permissions.toCreate(type))
                .servedBy(request -> create(request, type))
                .build();
        Route item = Route.at("cms/v2", path + "/<id>")
                .describedBy(base -> ItemView.describe(type, base, ItemFields.of(type)))
                .on(RestMethod.GET)
                .accepts(READING)
                .batchable()
                .foreseeing(requests -> view.foresee(requests.get(0), finder.foresee(requests)))
                .servedBy(permissions.toRead(type), this::read)
                .on(RestMethod.POST, RestMethod.PUT, RestMethod.PATCH)
                .accepts(Arguments.of(ID).and(changeable(type)))
                .batchable()
                .servedBy(permissions.toUpdate(type), this::update)
                .on(RestMethod.DELETE)
                .accepts(Arguments.of(ID, FORCE))
                .batchable()
                .servedBy(permissions.toDelete(type), this::delete)
                .build();
        return Stream.of(collection, item);
    }

    /**
     * Lists the arguments that changing an item accepts.
     *
     * @param type of the item; its id is the argument {@code id}
     * @return those of making one; the status that it has may be sent again, also where nobody may choose it
     */
    public Arguments changeable(ItemType type) {
        return changeable(finder, type, ItemFields.writable(ItemFields.of(type)));
    }

    /**
     * Lists the arguments that changing an item accepts.
     *
     * @param finder finds the item
     * @param type of the item; its id is the argument {@code id}
     * @param writable the arguments of making one
     * @return the same; the status that it has may be sent again, also where nobody may choose it
     */
    public static Arguments changeable(ItemFinder finder, ItemType type, Arguments writable) {
        Argument named = writable.named("status");
        Argument.Reader reader = named.reader();
        return writable.and(named.readBy(
                (request, value) -> isStatus(request, finder, type, value) ? value : reader.read(request, value)));
    }

    private static boolean isStatus(RestRequest request, ItemFinder finder, ItemType type, JsonNode value) {
        return request.rawInteger("id")
                .flatMap(id -> finder.header(request, id))
                .filter(item -> item.type() == type
                        && value.isString()
                        && item.status().wireName().equals(value.stringValue()))
                .isPresent();
    }

    private RestAnswer read(RestRequest request, Item item) {
        return RestAnswer.ok(view.show(request, item, Context.of(request)))
                .withHeader("Link", alternate(request, item));
    }

    /**
     * Points to the public page of an item.
     *
     * @param request knows the site's address
     * @param item any
     * @return the value of the header {@code Link}
     */
    public static String alternate(RestRequest request, Item item) {
        return "<" + item.type().page(request.baseUrl(), item.id()) + ">; rel=\"alternate\"; type=text/html";
    }

    private RestAnswer create(RestRequest request, ItemType type) {
        if (request.raw("id").filter(id -> !id.isNull()).isPresent()) {
            // An id that says something was rejected before; any other one is that of no item.
            throw RestError.of(404, "rest_post_invalid_id", "Invalid post ID.");
        }
        ItemDraft input = input(request, type);
        Item item = writer.create(request, type, input, new ItemChanges());
        return RestAnswer.created(
                view.show(request, item, Context.EDIT), RestAddress.of(request.baseUrl(), type.route(item.id())));
    }

    private ItemDraft input(RestRequest request, ItemType type) {
        return ItemDraft.of(request, ItemFields.of(type), zone).withBlocksSpelled();
    }

    private RestAnswer update(RestRequest request, Item item) {
        Item updated = writer.update(request, item, input(request, item.type()));
        return RestAnswer.ok(view.show(request, updated, Context.EDIT));
    }

    private RestAnswer delete(RestRequest request, Item item) {
        if (request.arguments().flag("force")) {
            ObjectNode previous = view.show(request, item, Context.EDIT);
            writer.delete(request, item);
            return RestAnswer.deleted(previous);
        }
        Item trashed = writer.trash(request, item);
        return RestAnswer.ok(view.show(request, trashed, Context.EDIT));
    }
}
