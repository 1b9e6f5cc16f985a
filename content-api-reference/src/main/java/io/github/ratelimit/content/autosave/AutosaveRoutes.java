package io.github.ratelimit.content.autosave;

import io.github.ratelimit.content.item.Item;
import io.github.ratelimit.content.item.ItemAccess;
import io.github.ratelimit.content.item.ItemHistory;
import io.github.ratelimit.content.item.ItemInput;
import io.github.ratelimit.content.item.ItemQuery;
import io.github.ratelimit.content.item.ItemSchemas;
import io.github.ratelimit.content.item.ItemStatus;
import io.github.ratelimit.content.item.ItemStore;
import io.github.ratelimit.content.item.ItemType;
import io.github.ratelimit.content.item.ItemWriter;
import io.github.ratelimit.content.revision.RevisionAccess;
import io.github.ratelimit.content.revision.RevisionSchema;
import io.github.ratelimit.content.revision.RevisionView;
import io.github.ratelimit.content.web.Argument;
import io.github.ratelimit.content.web.Arguments;
import io.github.ratelimit.content.web.Context;
import io.github.ratelimit.content.web.RestAnswer;
import io.github.ratelimit.content.web.RestError;
import io.github.ratelimit.content.web.RestMethod;
import io.github.ratelimit.content.web.RestRequest;
import io.github.ratelimit.content.web.Route;
import io.github.ratelimit.content.web.RouteSource;
import io.github.ratelimit.content.web.Schema;
import io.github.ratelimit.content.web.Site;
import java.util.ArrayList;
import java.util.List;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an author's tool saves by itself while somebody writes.
 *
 * <p>An author's own draft is changed itself; of anything else there is one autosave for each author, beside the item.
 */
@Component
@Order(210)
class AutosaveRoutes implements RouteSource {
    private static final Argument PARENT =
            Argument.optional("parent", Schema.integer().describedAs("The item that is being written."));
    private static final Argument ID =
            Argument.optional("id", Schema.integer().describedAs("The number of the autosave."));

    private final Site site;
    private final RevisionAccess access;
    private final RevisionView view;
    private final ItemAccess items;
    private final ItemStore store;
    private final ItemWriter writer;

    AutosaveRoutes(
            Site site, RevisionAccess access, RevisionView view, ItemAccess items, ItemStore store, ItemWriter writer) {
        this.site = site;
        this.access = access;
        this.view = view;
        this.items = items;
        this.store = store;
        this.writer = writer;
    }

    @Override
    public List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        for (ItemType type : List.of(ItemType.POST, ItemType.PAGE)) {
            Arguments writable = ItemSchemas.writable(ItemSchemas.fields(type));
            String collection = type.route().substring("/cms/v2".length());
            routes.add(Route.in("cms/v2")
                    .at(collection + "/<id>/autosaves")
                    .describedBy(base -> RevisionSchema.describe(type, true))
                    .on(RestMethod.GET)
                    .accepts(Arguments.of(PARENT, Context.ARGUMENT))
                    .allowedTo(request -> access.checkRead(request, access.parent(request, type, "id"), "autosaves"))
                    .servedBy(request -> list(request, type))
                    .on(RestMethod.POST)
                    .accepts(writable.and(PARENT))
                    .allowedTo(items.toUpdate(type))
                    .servedBy(request -> save(request, type))
                    .build());
            routes.add(Route.in("cms/v2")
                    .at(collection + "/<parent>/autosaves/<id>")
                    .describedBy(base -> RevisionSchema.describe(type, true))
                    .on(RestMethod.GET)
                    .accepts(Arguments.of(PARENT, ID, Context.ARGUMENT))
                    .allowedTo(
                            request -> access.checkRead(request, access.parent(request, type, "parent"), "revisions"))
                    .servedBy(request -> read(request, type))
                    .build());
        }
        return routes;
    }

    private RestAnswer list(RestRequest request, ItemType type) {
        long parent = access.parent(request, type, "id").id();
        ItemQuery query = ItemHistory.automaticOnly(ItemHistory.of(parent), parent);
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        store.all(query).forEach(saved -> list.add(show(request, type, saved, Context.of(request))));
        return RestAnswer.ok(list);
    }

    private RestAnswer read(RestRequest request, ItemType type) {
        Item parent = access.parent(request, type, "parent");
        Item saved = items.find(request, request.arguments().number("id"))
                .filter(item -> item.type() == ItemType.REVISION && item.parent() == parent.id())
                .filter(ItemHistory::isAutomatic)
                .orElseThrow(() ->
                        RestError.of(404, "rest_post_no_autosave", "There is no autosave revision for this post."));
        return RestAnswer.ok(show(request, type, saved, Context.of(request))).linkedBy("parent");
    }

    private RestAnswer save(RestRequest request, ItemType type) {
        Item item = items.item(request, type, request.arguments().number("id"));
        ItemInput input = ItemInput.of(request, site.zone());
        boolean isOwnDraft =
                item.status() == ItemStatus.DRAFT && request.caller().is(item.author());
        Item saved = isOwnDraft
                ? writer.updateQuietly(request, item, input.withoutExtras())
                : writer.saveBeside(request, item, input);
        return RestAnswer.ok(show(request, type, saved, Context.EDIT)).linkedBy("parent");
    }

    private ObjectNode show(RestRequest request, ItemType type, Item saved, Context context) {
        ObjectNode shown = view.show(request, type, saved, context);
        if (context == Context.EDIT) {
            shown.put("preview_link", RevisionView.previewLink(request, type, saved));
        }
        return shown;
    }
}
