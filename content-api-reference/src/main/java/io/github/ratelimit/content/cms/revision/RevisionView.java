package io.github.ratelimit.content.cms.revision;

import static io.github.ratelimit.content.cms.rest.Context.EDITING;
import static io.github.ratelimit.content.cms.rest.Context.EVERYWHERE;
import static io.github.ratelimit.content.cms.rest.Context.NOT_EMBEDDED;

import io.github.ratelimit.content.cms.item.Item;
import io.github.ratelimit.content.cms.item.Item.Text;
import io.github.ratelimit.content.cms.item.ItemFields;
import io.github.ratelimit.content.cms.item.ItemHistory;
import io.github.ratelimit.content.cms.item.ItemType;
import io.github.ratelimit.content.cms.item.ShownItem;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.Fields;
import io.github.ratelimit.content.cms.rest.RestAddress;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What answers show of the earlier wordings of a type of items, and how they describe them. Immutable. */
final class RevisionView {
    private final CmsSettings.Site site;
    private final ItemType type;
    private final Fields<ShownItem, Void> fields;

    private RevisionView(CmsSettings.Site site, ItemType type, Fields<ShownItem, Void> fields) {
        this.site = site;
        this.type = type;
        this.fields = fields;
    }

    static RevisionView ofRevisions(CmsSettings.Site site, ItemType type) {
        return new RevisionView(site, type, table(type).build());
    }

    /**
     * Shows what tools save by themselves.
     *
     * @param site tells its time
     * @param type of the items
     * @return with the way to preview it
     */
    static RevisionView ofAutosaves(CmsSettings.Site site, ItemType type) {
        Fields.Table<ShownItem, Void> fields = table(type);
        fields.text("preview_link", "Where it can be seen.", "uri", EDITING, shown -> previewLink(shown, type))
                .with(Schema::readOnly);
        return new RevisionView(site, type, fields.build());
    }

    /**
     * Describes the wordings, as OPTIONS does.
     *
     * @return a tree of its own
     */
    ObjectNode describe() {
        return fields.describe(type.wireName() + "-revision");
    }

    /**
     * Shows several wordings.
     *
     * @param request who asks
     * @param revisions what to show
     * @param context how much of each
     * @return a list of its own
     */
    ArrayNode show(RestRequest request, Collection<Item> revisions, Context context) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        revisions.forEach(revision -> list.add(show(request, revision, context)));
        return list;
    }

    /**
     * Shows one wording. A draft that was saved by itself is shown in the same way.
     *
     * @param request who asks
     * @param revision what to show
     * @param context how much of it
     * @return a tree of its own
     */
    ObjectNode show(RestRequest request, Item revision, Context context) {
        ObjectNode node = fields.show(
                request,
                new ShownItem(request, revision, context, site.timezone(), true, List.of(), Item::slug),
                context);
        if (revision.parent() > 0) {
            String parent = RestAddress.of(request.baseUrl(), type.route(revision.parent()));
            RestAddress.link(node.putObject("_links"), "parent", parent);
        }
        return node;
    }

    private static Fields.Table<ShownItem, Void> table(ItemType type) {
        Fields.Table<ShownItem, Void> fields = Fields.declareShown();
        Fields.Members<Item, Void> item = fields.of(ShownItem::item);
        item.number("author", "Who wrote it.", EVERYWHERE, Item::author);
        moment(fields, "date", "When, in the site's time.", EVERYWHERE, ShownItem::date);
        moment(fields, "date_gmt", "When, in UTC.", NOT_EMBEDDED, ShownItem::dateInUtc);
        item.number("id", "Its number.", EVERYWHERE, Item::id);
        fields.text("modified", "When last, in the site's time.", "date-time", NOT_EMBEDDED, ShownItem::modified);
        fields.text("modified_gmt", "When last, in UTC.", "date-time", NOT_EMBEDDED, ShownItem::modifiedInUtc);
        item.number("parent", "The item it is a wording of.", EVERYWHERE, Item::parent);
        item.text("slug", "Its name.", EVERYWHERE, Item::slug);
        fields.add("guid", ItemFields.guid().readOnly(), NOT_EMBEDDED, ShownItem::guid);
        fields.add("title", ItemFields.title(), EVERYWHERE, RevisionView::title);
        fields.add("content", ItemFields.content(), NOT_EMBEDDED, ShownItem::wording);
        fields.add("excerpt", ItemFields.excerpt(), EVERYWHERE, RevisionView::excerpt);
        fields.add("meta", ItemFields.meta(type), NOT_EMBEDDED, RevisionView::meta);
        return fields;
    }

    /** A draft among them that nobody dated shows no date. */
    private static void moment(
            Fields.Table<ShownItem, Void> fields,
            String name,
            String description,
            List<Context> contexts,
            Function<ShownItem, String> view) {
        JsonNodeFactory json = JsonNodeFactory.instance;
        Schema schema = Schema.string(description).format("date-time");
        fields.add(
                name,
                schema,
                contexts,
                shown -> shown.item().isUndated() ? json.nullNode() : json.stringNode(view.apply(shown)));
    }

    /** A guarded draft among wordings says so, as on its page. */
    private static JsonNode title(ShownItem shown) {
        ObjectNode title = shown.title();
        return shown.item().isGuarded()
                ? title.put("rendered", "Protected: " + title.path("rendered").asString(""))
                : title;
    }

    /** Wordings show an excerpt that somebody wrote, and make none: neither does a draft among them. */
    private static JsonNode excerpt(ShownItem shown) {
        Text excerpt = shown.item().excerpt();
        return shown.text(excerpt.raw().isEmpty() ? Text.NONE : excerpt);
    }

    private static JsonNode meta(ShownItem shown) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("footnotes", shown.item().footnotes());
    }

    /** Spells the address at which a tool shows what was saved by itself: an autosave, or the draft itself. */
    private static String previewLink(ShownItem shown, ItemType type) {
        Item saved = shown.item();
        if (!ItemHistory.isAutomatic(saved)) {
            return shown.page() + "&preview=true";
        }
        long id = saved.parent();
        // Tells saves apart for caches between; whoever may not see the item sees nothing by it.
        String mark = UUID.nameUUIDFromBytes((saved.id() + "/" + saved.modified()).getBytes(StandardCharsets.UTF_8))
                .toString()
                .substring(0, 8);
        return type.page(shown.request().baseUrl(), id) + "&preview_id=" + id + "&preview_nonce=" + mark
                + "&preview=true";
    }
}
