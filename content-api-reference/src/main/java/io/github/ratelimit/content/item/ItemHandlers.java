package io.github.ratelimit.content.item;

import io.github.ratelimit.content.web.Argument;
import io.github.ratelimit.content.web.Arguments;
import io.github.ratelimit.content.web.Context;
import io.github.ratelimit.content.web.RestAddress;
import io.github.ratelimit.content.web.RestAnswer;
import io.github.ratelimit.content.web.RestMethod;
import io.github.ratelimit.content.web.RestRequest;
import io.github.ratelimit.content.web.Route;
import io.github.ratelimit.content.web.Schema;
import io.github.ratelimit.content.web.Site;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The routes that posts and pages have alike: list, create, read, update, delete. */
@Component
public class ItemHandlers {
    /** Names an item. */
    public static final Argument ID = Argument.optional("id", Schema.integer().describedAs("The number of the item."));

    /** Says whether to delete what could be put into the trash. */
    public static final Argument FORCE = Argument.optional(
            "force", Schema.bool().describedAs("Whether to delete it for good.").defaultsTo(false));

    private static final Arguments READING = Arguments.of(
            ID,
            Context.ARGUMENT,
            Argument.optional(
                    "excerpt_length", Schema.integer().describedAs("How many words an excerpt has that nobody wrote.")),
            Argument.optional("password", Schema.string().describedAs("Opens an item that is guarded.")));

    private final Site site;
    private final ItemAccess access;
    private final ItemListing listing;
    private final ItemView view;
    private final ItemWriter writer;

    ItemHandlers(Site site, ItemAccess access, ItemListing listing, ItemView view, ItemWriter writer) {
        this.site = site;
        this.access = access;
        this.listing = listing;
        this.view = view;
        this.writer = writer;
    }

    /**
     * Declares the routes of a type.
     *
     * @param type posts or pages
     * @return the collection and the item
     */
    public List<Route> routes(ItemType type) {
        Map<String, Schema> fields = ItemSchemas.fields(type);
        Arguments writable = ItemSchemas.writable(fields);
        String path = type.route().substring("/cms/v2".length());
        Route collection = Route.in("cms/v2")
                .at(path)
                .describedBy(base -> ItemSchemas.describe(type, base, fields))
                .on(RestMethod.GET)
                .accepts(ItemListing.arguments(type))
                .batchable()
                .allowedTo(access.toList(type))
                .servedBy(request -> listing.answer(request, type))
                .on(RestMethod.POST)
                .accepts(writable)
                .batchable()
                .allowedTo(access.toCreate(type))
                .servedBy(request -> create(request, type))
                .build();
        Route item = Route.in("cms/v2")
                .at(path + "/<id>")
                .describedBy(base -> ItemSchemas.describe(type, base, fields))
                .on(RestMethod.GET)
                .accepts(READING)
                .batchable()
                .allowedTo(access.toRead(type))
                .servedBy(request -> read(request, type))
                .on(RestMethod.POST, RestMethod.PUT, RestMethod.PATCH)
                .accepts(Arguments.of(ID).and(writable))
                .batchable()
                .allowedTo(access.toUpdate(type))
                .servedBy(request -> update(request, type))
                .on(RestMethod.DELETE)
                .accepts(Arguments.of(ID, FORCE))
                .batchable()
                .allowedTo(access.toDelete(type))
                .servedBy(request -> delete(request, type))
                .build();
        return List.of(collection, item);
    }

    private RestAnswer read(RestRequest request, ItemType type) {
        Item item = access.item(request, type, request.arguments().number("id"));
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
        Item item = writer.create(request, type, ItemInput.of(request, site.zone()), new ItemChanges());
        return RestAnswer.created(
                view.show(request, item, Context.EDIT), RestAddress.of(request.baseUrl(), type.route(item.id())));
    }

    private RestAnswer update(RestRequest request, ItemType type) {
        Item item = access.item(request, type, request.arguments().number("id"));
        Item updated = writer.update(request, item, ItemInput.of(request, site.zone()), new ItemChanges());
        return RestAnswer.ok(view.show(request, updated, Context.EDIT));
    }

    private RestAnswer delete(RestRequest request, ItemType type) {
        Item item = access.item(request, type, request.arguments().number("id"));
        if (request.arguments().flag("force")) {
            ObjectNode previous = view.show(request, item, Context.EDIT);
            writer.delete(item);
            return deleted(previous);
        }
        return RestAnswer.ok(view.show(request, writer.trash(request, item), Context.EDIT));
    }

    /**
     * Answers that something was deleted for good.
     *
     * @param previous what it was; loses its links, which lead nowhere now
     * @return 200
     */
    public static RestAnswer deleted(ObjectNode previous) {
        previous.remove("_links");
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("deleted", true);
        return RestAnswer.ok(body.set("previous", previous));
    }
}
