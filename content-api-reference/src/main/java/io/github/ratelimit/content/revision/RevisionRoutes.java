package io.github.ratelimit.content.revision;

import io.github.ratelimit.content.item.Item;
import io.github.ratelimit.content.item.ItemHandlers;
import io.github.ratelimit.content.item.ItemHistory;
import io.github.ratelimit.content.item.ItemListing;
import io.github.ratelimit.content.item.ItemQuery;
import io.github.ratelimit.content.item.ItemStore;
import io.github.ratelimit.content.item.ItemType;
import io.github.ratelimit.content.web.Argument;
import io.github.ratelimit.content.web.Arguments;
import io.github.ratelimit.content.web.Context;
import io.github.ratelimit.content.web.Paging;
import io.github.ratelimit.content.web.RestAnswer;
import io.github.ratelimit.content.web.RestError;
import io.github.ratelimit.content.web.RestMethod;
import io.github.ratelimit.content.web.RestRequest;
import io.github.ratelimit.content.web.Route;
import io.github.ratelimit.content.web.RouteSource;
import io.github.ratelimit.content.web.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ObjectNode;

/** Earlier wordings of posts and pages. */
@Component
@Order(200)
class RevisionRoutes implements RouteSource {
    private static final Argument PARENT =
            Argument.optional("parent", Schema.integer().describedAs("The item that it is a wording of."));
    private static final Argument ID =
            Argument.optional("id", Schema.integer().describedAs("The number of the revision."));
    private static final Argument FORCE = Argument.optional(
            "force",
            Schema.bool().describedAs("Must be true: revisions have no trash.").defaultsTo(false));

    private final RevisionAccess access;
    private final RevisionView view;
    private final ItemListing listing;
    private final ItemStore store;

    RevisionRoutes(RevisionAccess access, RevisionView view, ItemListing listing, ItemStore store) {
        this.access = access;
        this.view = view;
        this.listing = listing;
        this.store = store;
    }

    @Override
    public List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        for (ItemType type : List.of(ItemType.POST, ItemType.PAGE)) {
            String path = type.route("<parent>").substring("/cms/v2".length()) + "/revisions";
            routes.add(Route.in("cms/v2")
                    .at(path)
                    .describedBy(base -> RevisionSchema.describe(type, false))
                    .on(RestMethod.GET)
                    .accepts(Arguments.of(PARENT).and(ItemListing.revisionArguments()))
                    .allowedTo(request -> toRead(request, type))
                    .servedBy(request -> list(request, type))
                    .build());
            routes.add(Route.in("cms/v2")
                    .at(path + "/<id>")
                    .describedBy(base -> RevisionSchema.describe(type, false))
                    .on(RestMethod.GET)
                    .accepts(Arguments.of(PARENT, ID, Context.ARGUMENT))
                    .allowedTo(request -> toRead(request, type))
                    .servedBy(request -> read(request, type))
                    .on(RestMethod.DELETE)
                    .accepts(Arguments.of(PARENT, ID, FORCE))
                    .allowedTo(request -> access.checkDelete(request, parent(request, type)))
                    .servedBy(request -> delete(request, type))
                    .build());
        }
        return routes;
    }

    private Item parent(RestRequest request, ItemType type) {
        return access.parent(request, type, "parent");
    }

    private void toRead(RestRequest request, ItemType type) {
        access.checkRead(request, parent(request, type), "revisions");
    }

    private RestAnswer list(RestRequest request, ItemType type) {
        ItemQuery query = listing.refine(ItemHistory.of(parent(request, type).id()), request);
        OptionalLong perPage = request.arguments().integer("per_page");
        OptionalLong offset = request.arguments().integer("offset");
        if (perPage.isEmpty()) {
            // Everything is on one page, from the start.
            query.page(0, Integer.MAX_VALUE);
        }
        ItemStore.Slice slice = store.list(query);
        long pages =
                perPage.isPresent() ? Paging.pages(slice.total(), perPage.getAsLong()) : Math.min(slice.total(), 1);
        if (slice.total() > 0 && offset.orElse(0) >= slice.total()) {
            throw RestError.of(
                    400,
                    "rest_revision_invalid_offset_number",
                    "The offset number requested is larger than or equal to the number of available revisions.");
        }
        if (slice.total() > 0 && offset.orElse(0) == 0 && request.arguments().number("page") > pages) {
            throw RestError.of(
                    400,
                    "rest_revision_invalid_page_number",
                    "The page number requested is larger than the number of pages available.");
        }
        Context context = Context.of(request);
        return Paging.answer(request, view.show(request, type, slice.items(), context), slice.total(), pages);
    }

    private RestAnswer read(RestRequest request, ItemType type) {
        Item revision = access.revision(request, parent(request, type));
        ObjectNode shown = view.show(request, type, revision, Context.of(request));
        return RestAnswer.ok(shown).linkedBy("parent");
    }

    private RestAnswer delete(RestRequest request, ItemType type) {
        Item revision = access.revision(request, parent(request, type));
        ObjectNode previous = view.show(request, type, revision, Context.VIEW);
        if (!store.delete(revision)) {
            throw RestError.of(404, "rest_post_invalid_id", "Invalid revision ID.");
        }
        return ItemHandlers.deleted(previous);
    }
}
