package io.github.ratelimit.content.cms.revision;

import io.github.ratelimit.content.cms.item.Item;
import io.github.ratelimit.content.cms.item.ItemDraft;
import io.github.ratelimit.content.cms.item.ItemFields;
import io.github.ratelimit.content.cms.item.ItemFilters;
import io.github.ratelimit.content.cms.item.ItemFinder;
import io.github.ratelimit.content.cms.item.ItemHeader;
import io.github.ratelimit.content.cms.item.ItemHistory;
import io.github.ratelimit.content.cms.item.ItemListing;
import io.github.ratelimit.content.cms.item.ItemPermissions;
import io.github.ratelimit.content.cms.item.ItemQuery;
import io.github.ratelimit.content.cms.item.ItemRoutes;
import io.github.ratelimit.content.cms.item.ItemStore;
import io.github.ratelimit.content.cms.item.ItemType;
import io.github.ratelimit.content.cms.item.ItemWriter;
import io.github.ratelimit.content.cms.rest.Argument;
import io.github.ratelimit.content.cms.rest.Arguments;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.Filters;
import io.github.ratelimit.content.cms.rest.Paging;
import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Route;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.server.store.PageQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ObjectNode;

/**
 * Earlier wordings of posts and pages, and what an author's tool saves by itself while somebody writes.
 *
 * <p>A tool changes an author's own draft itself; of anything else there is one autosave for each author, beside the item.
 */
@Component
@Order(200)
class RevisionRoutes implements Route.Source {
    private static final Argument PARENT =
            Argument.nullable("parent", Schema.integer("The item that it is a wording of."));
    private static final Argument ID = Argument.nullable("id", Schema.integer("The number of the revision."));
    private static final Argument FORCE = Argument.nullable(
            "force", Schema.bool("Must be true: revisions have no trash.").defaultsTo(false));

    private static final Argument WRITTEN =
            Argument.nullable("parent", Schema.integer("The item that is being written."));
    private static final Argument AUTOSAVE = Argument.optional("id", Schema.integer("The number of the autosave."));

    private final CmsSettings.Site site;
    private final ItemFinder items;
    private final ItemPermissions permissions;
    private final ItemRoutes handlers;
    private final ItemFilters filters;
    private final ItemListing listing;
    private final ItemStore store;
    private final ItemWriter writer;

    RevisionRoutes(
            CmsSettings.Site site,
            ItemFinder items,
            ItemPermissions permissions,
            ItemRoutes handlers,
            ItemFilters filters,
            ItemListing listing,
            ItemStore store,
            ItemWriter writer) {
        this.site = site;
        this.items = items;
        this.permissions = permissions;
        this.handlers = handlers;
        this.filters = filters;
        this.listing = listing;
        this.store = store;
        this.writer = writer;
    }

    @Override
    public List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        Filters listed = filters.ofRevisions();
        for (ItemType type : ItemType.written()) {
            RevisionView view = RevisionView.ofRevisions(site, type);
            String path = type.route().substring("/cms/v2".length()) + "/<parent>/revisions";
            routes.add(Route.at("cms/v2", path)
                    .describedBy(base -> view.describe())
                    .on(RestMethod.GET)
                    .accepts(Arguments.of(PARENT).and(listed.arguments()))
                    .servedBy(
                            toRead(type, "parent", "revisions"),
                            (request, parent) -> list(request, parent, view, listed))
                    .build());
            routes.add(Route.at("cms/v2", path + "/<id>")
                    .describedBy(base -> view.describe())
                    .on(RestMethod.GET)
                    .accepts(Arguments.of(PARENT, ID, Context.ARGUMENT))
                    .servedBy(toRead(type, "parent", "revisions"), (request, parent) -> read(request, parent, view))
                    .on(RestMethod.DELETE)
                    .accepts(Arguments.of(PARENT, ID, FORCE))
                    .servedBy(toDelete(type), (request, revision) -> delete(request, revision, view))
                    .build());
        }
        for (ItemType type : ItemType.written()) {
            RevisionView view = RevisionView.ofAutosaves(site, type);
            String collection = type.route().substring("/cms/v2".length());
            routes.add(Route.at("cms/v2", collection + "/<id>/autosaves")
                    .describedBy(base -> view.describe())
                    .on(RestMethod.GET)
                    .accepts(Arguments.of(WRITTEN, Context.ARGUMENT))
                    .servedBy(
                            toRead(type, "id", "autosaves"), (request, parent) -> listAutosaves(request, parent, view))
                    .on(RestMethod.POST)
                    // What stands below others has a member of that name, which counts.
                    .accepts(Arguments.of(WRITTEN).and(handlers.changeable(type)))
                    .servedBy(permissions.toUpdate(type), (request, item) -> save(request, item, view))
                    .build());
            routes.add(Route.at("cms/v2", collection + "/<parent>/autosaves/<id>")
                    .describedBy(base -> view.describe())
                    .on(RestMethod.GET)
                    .accepts(Arguments.of(WRITTEN, AUTOSAVE, Context.ARGUMENT))
                    .servedBy(
                            toRead(type, "parent", "revisions"),
                            (request, parent) -> readAutosave(request, parent, view))
                    .build());
        }
        return routes;
    }

    private RestAnswer list(RestRequest request, Item parent, RevisionView view, Filters listed) {
        ItemQuery query = listing.refine(ItemHistory.of(parent.id()), request, ItemType.REVISION, listed);
        OptionalLong perPage = request.arguments().integer("per_page");
        OptionalLong offset = request.arguments().integer("offset");
        if (perPage.isEmpty()) {
            // Everything is on one page, from the start.
            query.page(0, Integer.MAX_VALUE);
        }
        PageQuery.Page<Item> found = store.list(query);
        long pages =
                perPage.isPresent() ? Paging.pages(found.total(), perPage.getAsLong()) : Math.min(found.total(), 1);
        if (found.total() > 0 && offset.orElse(0) >= found.total()) {
            throw RestError.of(
                    400,
                    "rest_revision_invalid_offset_number",
                    "The offset number requested is larger than or equal to the number of available revisions.");
        }
        if (found.total() > 0 && offset.orElse(0) == 0 && request.arguments().number("page") > pages) {
            throw RestError.of(
                    400,
                    "rest_revision_invalid_page_number",
                    "The page number requested is larger than the number of pages available.");
        }
        Context context = Context.of(request);
        return Paging.answer(request, view.show(request, found.rows(), context), found.total(), pages)
                .linkedBy("parent");
    }

    private RestAnswer read(RestRequest request, Item parent, RevisionView view) {
        Item revision = revision(request, parent);
        return RestAnswer.ok(view.show(request, revision, Context.of(request))).linkedBy("parent");
    }

    private RestAnswer delete(RestRequest request, Item revision, RevisionView view) {
        ObjectNode previous = view.show(request, revision, Context.VIEW);
        writer.deleteRevision(revision, deletion(request));
        return RestAnswer.deleted(previous);
    }

    private RestAnswer listAutosaves(RestRequest request, Item parent, RevisionView view) {
        ItemQuery query = ItemHistory.automatic(parent.id()).within(request::takeRoom);
        return RestAnswer.ok(view.show(request, store.all(query), Context.of(request)))
                .linkedBy("parent");
    }

    private RestAnswer readAutosave(RestRequest request, Item parent, RevisionView view) {
        long id = request.arguments().number("id");
        Item saved = items.header(request, id)
                .filter(item -> item.type() == ItemType.REVISION && item.parent() == parent.id())
                .flatMap(item -> items.find(request, id))
                .filter(ItemHistory::isAutomatic)
                // Tools ask for what was saved last without knowing its id.
                .or(() -> store.all(ItemHistory.automatic(parent.id())).stream().findFirst())
                .orElseThrow(() ->
                        RestError.of(404, "rest_post_no_autosave", "There is no autosave revision for this post."));
        return RestAnswer.ok(view.show(request, saved, Context.of(request))).linkedBy("parent");
    }

    private RestAnswer save(RestRequest request, Item item, RevisionView view) {
        ItemDraft input = ItemDraft.of(request, ItemFields.of(item.type()), site.timezone())
                .withBlocksSpelled();
        return RestAnswer.ok(view.show(request, writer.autosave(request, item, input), Context.EDIT))
                .linkedBy("parent");
    }

    private Item parent(RestRequest request, ItemType type, String argument, Consumer<ItemHeader> check) {
        return items.find(request, request.arguments().number(argument), type, check)
                .orElseThrow(() -> RestError.of(404, "rest_post_invalid_parent", "Invalid post parent ID."));
    }

    /**
     * Finds an item for callers who may see its wordings.
     *
     * @param type what it must be
     * @param argument that has its id
     * @param what is asked for, as the message names it
     * @return finds the item
     */
    private Function<RestRequest, Item> toRead(ItemType type, String argument, String what) {
        return request -> parent(request, type, argument, parent -> {
            request.require(
                    parent.rightsOf(request.caller()).mayEdit(),
                    "rest_cannot_read",
                    "Sorry, you are not allowed to view " + what + " of this post.");
        });
    }

    /**
     * Finds a wording of an item.
     *
     * @param request names it, and keeps it
     * @param parent the item
     * @return the wording
     * @throws RestError 404, if there is none, or if it is another item's
     */
    private Item revision(RestRequest request, Item parent) {
        return items.find(request, request.arguments().number("id"), ItemType.REVISION, revision -> {
                    if (revision.parent() != parent.id()) {
                        throw RestError.of(
                                404,
                                "rest_revision_parent_id_mismatch",
                                "The revision does not belong to the specified parent with id of \"" + parent.id()
                                        + "\"");
                    }
                })
                .orElseThrow(() -> RestError.of(404, "rest_post_invalid_id", "Invalid revision ID."));
    }

    /** Rejects callers who may not delete revisions of an item. */
    private static Consumer<ItemHeader> deletion(RestRequest request) {
        return parent -> {
            request.require(
                    parent.rightsOf(request.caller()).mayDelete(),
                    "rest_cannot_delete",
                    "Sorry, you are not allowed to delete revisions of this post.");
        };
    }

    /** Deleting needs the right to delete the item, a wording of it, and the word that it is for good. */
    private Function<RestRequest, Item> toDelete(ItemType type) {
        return request -> {
            Item revision = revision(request, parent(request, type, "parent", deletion(request)));
            if (!request.arguments().flag("force")) {
                throw RestError.of(
                        501,
                        "rest_trash_not_supported",
                        "Revisions do not support trashing. Set 'force=true' to delete.");
            }
            return revision;
        };
    }
}
