package io.github.ratelimit.content.item;

import io.github.ratelimit.content.term.Taxonomy;
import io.github.ratelimit.content.web.Argument;
import io.github.ratelimit.content.web.Arguments;
import io.github.ratelimit.content.web.InvalidValue;
import io.github.ratelimit.content.web.RestAddress;
import io.github.ratelimit.content.web.RestRequest;
import io.github.ratelimit.content.web.Schema;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What items look like: the one list of their fields, from which come the schema that OPTIONS shows and the arguments
 * that writing accepts.
 */
public final class ItemSchemas {
    /** The ways in which an item can be shown. */
    static final String[] FORMATS = {
        "standard", "aside", "chat", "gallery", "link", "image", "quote", "status", "video", "audio"
    };

    private static final String[] WRITABLE_STATUSES = {"publish", "future", "draft", "pending", "private"};

    private static final String[] EVERYWHERE = {"view", "edit", "embed"};
    private static final String[] NOT_EMBEDDED = {"view", "edit"};
    private static final String[] EDITING = {"edit"};
    private static final int LONGEST_PASSWORD = 255;

    private ItemSchemas() {}

    /**
     * Lists the fields of an item.
     *
     * @param type of the item
     * @return by name, in the order of the schema
     */
    public static Map<String, Schema> fields(ItemType type) {
        Map<String, Schema> fields = new LinkedHashMap<>();
        addIdentity(fields);
        fields.put("title", title());
        if (type != ItemType.ATTACHMENT) {
            fields.put("content", content());
        }
        fields.put(
                "author",
                Schema.integer().describedAs("The account it belongs to.").context(EVERYWHERE));
        if (type != ItemType.ATTACHMENT) {
            fields.put("excerpt", excerpt());
        }
        addRelations(fields, type);
        if (type == ItemType.POST) {
            fields.put(
                    "format",
                    Schema.string()
                            .describedAs("How it is to be shown.")
                            .among(FORMATS)
                            .context(NOT_EMBEDDED));
        }
        fields.put("meta", meta(type));
        if (type == ItemType.POST) {
            fields.put(
                    "sticky",
                    Schema.bool().describedAs("Whether it stays on top.").context(NOT_EMBEDDED));
        }
        fields.put(
                "template",
                Schema.string().describedAs("The template it is shown with.").context(NOT_EMBEDDED));
        if (type == ItemType.POST) {
            for (Taxonomy taxonomy : Taxonomy.values()) {
                fields.put(
                        taxonomy.collection(),
                        Schema.arrayOf(Schema.integer())
                                .describedAs("The ids of its terms in the taxonomy " + taxonomy.wireName() + ".")
                                .context(NOT_EMBEDDED));
            }
        }
        if (type == ItemType.ATTACHMENT) {
            fields.remove("password");
        }
        return fields;
    }

    private static void addIdentity(Map<String, Schema> fields) {
        fields.put(
                "date",
                moment("When it was or will be published, in the site's time.").context(EVERYWHERE));
        fields.put(
                "date_gmt", moment("When it was or will be published, in UTC.").context(NOT_EMBEDDED));
        fields.put(
                "guid",
                Schema.object()
                        .describedAs("An address that never changes.")
                        .context(NOT_EMBEDDED)
                        .readOnly()
                        .property(
                                "raw",
                                Schema.string()
                                        .describedAs("As it is stored.")
                                        .context(EDITING)
                                        .readOnly())
                        .property(
                                "rendered",
                                Schema.string()
                                        .describedAs("As it is shown.")
                                        .context(NOT_EMBEDDED)
                                        .readOnly()));
        fields.put(
                "id",
                Schema.integer().describedAs("Its number.").context(EVERYWHERE).readOnly());
        fields.put(
                "link",
                Schema.string()
                        .describedAs("The address of its page.")
                        .format("uri")
                        .context(EVERYWHERE)
                        .readOnly());
        fields.put("modified", written("When it was last written, in the site's time."));
        fields.put("modified_gmt", written("When it was last written, in UTC."));
        fields.put("slug", Schema.string().describedAs("Its name in addresses.").context(EVERYWHERE));
        fields.put(
                "status",
                Schema.string()
                        .describedAs("How far it has come.")
                        .among(WRITABLE_STATUSES)
                        .context(NOT_EMBEDDED));
        fields.put(
                "type",
                Schema.string().describedAs("What it is.").context(EVERYWHERE).readOnly());
        fields.put(
                "password",
                Schema.string().describedAs("Guards content and excerpt.").context(EDITING));
        fields.put("permalink_template", derived("The form of its page's address."));
        fields.put("generated_slug", derived("The slug that its title makes."));
        fields.put(
                "class_list",
                Schema.arrayOf(Schema.string())
                        .describedAs("Classes for its element on a page.")
                        .context(NOT_EMBEDDED)
                        .readOnly());
    }

    private static void addRelations(Map<String, Schema> fields, ItemType type) {
        fields.put(
                "featured_media",
                Schema.integer().describedAs("The picture that stands for it.").context(EVERYWHERE));
        if (type == ItemType.PAGE) {
            fields.put(
                    "parent",
                    Schema.integer().describedAs("The item it stands below.").context(NOT_EMBEDDED));
        }
        fields.put("comment_status", openOrClosed("Whether comments are welcome."));
        fields.put("ping_status", openOrClosed("Whether other sites may announce links to it."));
        if (type == ItemType.PAGE) {
            fields.put(
                    "menu_order",
                    Schema.integer()
                            .describedAs("Its place among its siblings.")
                            .context(NOT_EMBEDDED));
        }
    }

    private static Schema moment(String description) {
        return Schema.ofTypes("string", "null").describedAs(description).format("date-time");
    }

    private static Schema written(String description) {
        return Schema.string()
                .describedAs(description)
                .format("date-time")
                .context(NOT_EMBEDDED)
                .readOnly();
    }

    private static Schema derived(String description) {
        return Schema.string().describedAs(description).context(EDITING).readOnly();
    }

    private static Schema openOrClosed(String description) {
        return Schema.string().describedAs(description).among("open", "closed").context(NOT_EMBEDDED);
    }

    /**
     * Describes a text that is written and rendered.
     *
     * @param description for people
     * @param contexts those in which it is shown
     * @return with the members {@code raw} and {@code rendered}
     */
    public static Schema text(String description, String... contexts) {
        return Schema.object()
                .describedAs(description)
                .context(contexts)
                .property(
                        "raw", Schema.string().describedAs("As it was written.").context(EDITING))
                .property(
                        "rendered",
                        Schema.string()
                                .describedAs("As it is read.")
                                .context(contexts)
                                .readOnly());
    }

    private static Schema guarded(Schema text) {
        return text.property(
                "protected",
                Schema.bool()
                        .describedAs("Whether a password guards it.")
                        .context(EVERYWHERE)
                        .readOnly());
    }

    static Schema title() {
        return text("Its title.", EVERYWHERE);
    }

    static Schema content() {
        Schema text = text("The text itself.", NOT_EMBEDDED)
                .property(
                        "block_version",
                        Schema.integer()
                                .describedAs("The version of the blocks it is made of.")
                                .context(EDITING)
                                .readOnly());
        return guarded(text);
    }

    static Schema excerpt() {
        return guarded(text("The text in short.", EVERYWHERE));
    }

    private static Schema meta(ItemType type) {
        Schema meta = Schema.object().describedAs("What tools keep with it.").context(NOT_EMBEDDED);
        return type == ItemType.ATTACHMENT
                ? meta.withoutProperties()
                : meta.property(
                        "footnotes", Schema.string().titled("").describedAs("").defaultsTo(""));
    }

    /**
     * Describes the items of a type as OPTIONS does.
     *
     * @param type of the items
     * @param baseUrl the site's address
     * @param fields by name
     * @return a tree of its own
     */
    public static ObjectNode describe(ItemType type, String baseUrl, Map<String, Schema> fields) {
        ObjectNode schema = Schema.describeThing(type.wireName(), fields);
        String href = RestAddress.of(baseUrl, type.route()) + "/{id}";
        ArrayNode links = schema.putArray("links");
        if (type != ItemType.ATTACHMENT) {
            link(
                    links,
                    href,
                    "publish",
                    "publish this post",
                    "status",
                    Schema.string().among("publish", "future"));
        }
        ObjectNode html = link(links, href, "unfiltered-html", "post unfiltered HTML markup and JavaScript");
        html.putObject("content").putObject("raw").put("type", "string");
        if (type == ItemType.POST) {
            link(links, href, "sticky", "sticky this post", "sticky", Schema.bool());
        }
        link(links, href, "assign-author", "change the author on this post", "author", Schema.integer());
        if (type == ItemType.POST) {
            for (Taxonomy taxonomy : Taxonomy.values()) {
                Schema ids = Schema.arrayOf(Schema.integer());
                String name = taxonomy.collection();
                String where = " terms in the " + taxonomy.wireName() + " taxonomy";
                link(links, href, "assign-" + name, "assign" + where, name, ids);
                link(links, href, "create-" + name, "create" + where, name, ids);
            }
        }
        return schema;
    }

    private static void link(ArrayNode links, String href, String action, String can, String field, Schema schema) {
        link(links, href, action, can).set(field, schema.describe());
    }

    private static ObjectNode link(ArrayNode links, String href, String action, String can) {
        ObjectNode link = links.addObject().put("rel", "https://api.w.org/action-" + action);
        link.put("title", "The current user can " + can + ".");
        link.put("href", href);
        return link.putObject("targetSchema").put("type", "object").putObject("properties");
    }

    /**
     * Lists the arguments that writing an item accepts: its fields, but for those that are only shown.
     *
     * @param fields by name
     * @return in the order of the fields
     */
    public static Arguments writable(Map<String, Schema> fields) {
        Arguments arguments = Arguments.none();
        for (Map.Entry<String, Schema> field : fields.entrySet()) {
            if (!field.getValue().isReadOnly()) {
                arguments =
                        arguments.and(writable(field.getKey(), field.getValue().without("context")));
            }
        }
        return arguments;
    }

    private static Argument writable(String name, Schema schema) {
        Argument argument = Argument.optional(name, schema);
        return switch (name) {
            // Text is welcome where an object is described; what is neither counts as not sent.
            case "title", "content", "excerpt", "caption", "description" -> argument.readAsSent();
            case "meta" -> argument.readBy((request, value) -> readMeta(value));
            case "password" -> argument.readBy((request, value) -> readPassword(schema, value));
            case "template" -> argument.readBy(ItemSchemas::readTemplate);
            default -> argument;
        };
    }

    private static JsonNode readMeta(JsonNode value) {
        if (!value.isObject() && !value.isArray()) {
            throw InvalidValue.undetailed();
        }
        return value;
    }

    private static JsonNode readPassword(Schema schema, JsonNode value) {
        return schema.maxLength(LONGEST_PASSWORD).read("password", value);
    }

    /** This server has one template, which has no name. */
    private static JsonNode readTemplate(RestRequest request, JsonNode value) {
        if (!value.isString() || !value.stringValue().isEmpty()) {
            throw InvalidValue.of("rest_invalid_param", "template is not one of .");
        }
        return value;
    }
}
