package io.github.ratelimit.content.cms.autosave;

import io.github.ratelimit.content.cms.item.Item;
import io.github.ratelimit.content.cms.item.ItemDraft;
import io.github.ratelimit.content.cms.item.ItemFields;
import io.github.ratelimit.content.cms.item.ItemFinder;
import io.github.ratelimit.content.cms.item.ItemHistory;
import io.github.ratelimit.content.cms.item.ItemPermissions;
import io.github.ratelimit.content.cms.item.ItemQuery;
import io.github.ratelimit.content.cms.item.ItemRoutes;
import io.github.ratelimit.content.cms.item.ItemStore;
import io.github.ratelimit.content.cms.item.ItemType;
import io.github.ratelimit.content.cms.item.ItemWriter;
import io.github.ratelimit.content.cms.rest.Argument;
import io.github.ratelimit.content.cms.rest.Arguments;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Route;
import io.github.ratelimit.content.cms.rest.RouteSource;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.revision.RevisionAccess;
import io.github.ratelimit.content.cms.revision.RevisionView;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import java.util.ArrayList;
import java.util.List;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * What an author's tool saves by itself while somebody writes.
 *
 * <p>An author's own draft is changed itself; of anything else there is one autosave for each author, beside the item.
 */
@Component
@Order(210)
class AutosaveRoutes implements RouteSource {
    private static final Argument PARENT = Argument.optional(
                    "parent", Schema.integer().describedAs("The item that is being written."))
            .readingNull();
    private static final Argument ID =
            Argument.optional("id", Schema.integer().describedAs("The number of the autosave."));

    private final CmsSettings.Site site;
    private final RevisionAccess access;
    private final ItemFinder items;
    private final ItemPermissions permissions;
    private final ItemRoutes handlers;
    private final ItemStore store;
    private final ItemWriter writer;

    AutosaveRoutes(
            CmsSettings.Site site,
            RevisionAccess access,
            ItemFinder items,
            ItemPermissions permissions,
            ItemRoutes handlers,
            ItemStore store,
            ItemWriter writer) {
        this.site = site;
        this.access = access;
        this.items = items;
        this.permissions = permissions;
        this.handlers = handlers;
        this.store = store;
        this.writer = writer;
    }

    @Override
    public List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        for (ItemType type : ItemType.written()) {
            RevisionView view = RevisionView.ofAutosaves(site, type);
            String collection = type.route().substring("/cms/v2".length());
            routes.add(Route.at("cms/v2", collection + "/<id>/autosaves")
                    .describedBy(base -> view.describe())
                    .on(RestMethod.GET)
                    .accepts(Arguments.of(PARENT, Context.ARGUMENT))
                    .about(access.toRead(type, "id", "autosaves"))
                    .servedBy((request, parent) -> list(request, parent, view))
                    .on(RestMethod.POST)
                    // What stands below others has a member of that name, which counts.
                    .accepts(Arguments.of(PARENT).and(handlers.changeable(type)))
                    .about(permissions.toUpdate(type))
                    .servedBy((request, item) -> save(request, item, view))
                    .build());
            routes.add(Route.at("cms/v2", collection + "/<parent>/autosaves/<id>")
                    .describedBy(base -> view.describe())
                    .on(RestMethod.GET)
                    .accepts(Arguments.of(PARENT, ID, Context.ARGUMENT))
                    .about(access.toRead(type, "parent", "revisions"))
                    .servedBy((request, parent) -> read(request, parent, view))
                    .build());
        }
        return routes;
    }

    private RestAnswer list(RestRequest request, Item parent, RevisionView view) {
        ItemQuery query = ItemHistory.automaticOnly(ItemHistory.of(parent.id()), parent.id())
                .within(request::takeRoom);
        return RestAnswer.ok(view.show(request, store.all(query), Context.of(request)))
                .linkedBy("parent");
    }

    private RestAnswer read(RestRequest request, Item parent, RevisionView view) {
        long id = request.arguments().number("id");
        Item saved = items.header(request, id)
                .filter(item -> item.type() == ItemType.REVISION && item.parent() == parent.id())
                .flatMap(item -> items.find(request, id))
                .filter(ItemHistory::isAutomatic)
                // Tools ask for what was saved last without knowing its id.
                .or(() -> store.all(ItemHistory.automaticOnly(ItemHistory.of(parent.id()), parent.id())).stream()
                        .findFirst())
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
}
