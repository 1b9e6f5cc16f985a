package io.github.ratelimit.content.revision;

import io.github.ratelimit.content.item.ItemSchemas;
import io.github.ratelimit.content.item.ItemType;
import io.github.ratelimit.content.web.Schema;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** What revisions and autosaves look like: much like their items, with fewer fields. */
public final class RevisionSchema {
    private static final String[] EVERYWHERE = {"view", "edit", "embed"};
    private static final String[] NOT_EMBEDDED = {"view", "edit"};

    private RevisionSchema() {}

    /**
     * Describes the wordings of a type of items, as OPTIONS does.
     *
     * @param type of the items
     * @param isAutomatic whether they are those that tools save by themselves
     * @return a tree of its own
     */
    public static ObjectNode describe(ItemType type, boolean isAutomatic) {
        Map<String, Schema> item = ItemSchemas.fields(type);
        Map<String, Schema> fields = new LinkedHashMap<>();
        fields.put("author", Schema.integer().describedAs("Who wrote it.").context(EVERYWHERE));
        fields.put("date", moment("When, in the site's time.").context(EVERYWHERE));
        fields.put("date_gmt", moment("When, in UTC.").context(NOT_EMBEDDED));
        fields.put("guid", item.getOrDefault("guid", Schema.object()));
        fields.put("id", Schema.integer().describedAs("Its number.").context(EVERYWHERE));
        fields.put("modified", moment("When last, in the site's time.").context(NOT_EMBEDDED));
        fields.put("modified_gmt", moment("When last, in UTC.").context(NOT_EMBEDDED));
        fields.put(
                "parent",
                Schema.integer().describedAs("The item it is a wording of.").context(EVERYWHERE));
        fields.put("slug", Schema.string().describedAs("Its name.").context(EVERYWHERE));
        for (String shared : new String[] {"title", "content", "excerpt", "meta"}) {
            fields.put(shared, item.getOrDefault(shared, Schema.object()));
        }
        if (isAutomatic) {
            fields.put(
                    "preview_link",
                    Schema.string()
                            .describedAs("Where it can be seen.")
                            .format("uri")
                            .context("edit")
                            .readOnly());
        }
        return Schema.describeThing(type.wireName() + "-revision", fields);
    }

    private static Schema moment(String description) {
        return Schema.string().describedAs(description).format("date-time");
    }
}
