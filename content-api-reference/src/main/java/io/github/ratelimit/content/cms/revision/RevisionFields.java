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
import io.github.ratelimit.content.cms.rest.Schema;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The tables of the members of revisions and autosaves: much like those of their items, and never written. */
final class RevisionFields {
    private RevisionFields() {}

    /** Tells the members of the wordings of a type of items. */
    static Fields<ShownItem, Void> ofRevisions(ItemType type) {
        return table(type).build();
    }

    /** Tells the members of what tools save by themselves. */
    static Fields<ShownItem, Void> ofAutosaves(ItemType type) {
        Fields.Table<ShownItem, Void> fields = table(type);
        fields.text("preview_link", "Where it can be seen.", "uri", EDITING, shown -> previewLink(shown, type))
                .with(Schema::readOnly);
        return fields.build();
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
        fields.add("title", ItemFields.title(), EVERYWHERE, RevisionFields::title);
        fields.add("content", ItemFields.content(), NOT_EMBEDDED, ShownItem::wording);
        fields.add("excerpt", ItemFields.excerpt(), EVERYWHERE, RevisionFields::excerpt);
        fields.add("meta", ItemFields.meta(type), NOT_EMBEDDED, RevisionFields::meta);
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
        Schema schema = Schema.string().describedAs(description).format("date-time");
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
