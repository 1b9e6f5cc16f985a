package io.github.ratelimit.content.cms.item;

import static io.github.ratelimit.content.cms.rest.Context.EDITING;
import static io.github.ratelimit.content.cms.rest.Context.EVERYWHERE;
import static io.github.ratelimit.content.cms.rest.Context.NOT_EMBEDDED;

import io.github.ratelimit.content.cms.item.ItemType.Feature;
import io.github.ratelimit.content.cms.rest.Argument;
import io.github.ratelimit.content.cms.rest.Arguments;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.Fields;
import io.github.ratelimit.content.cms.rest.InvalidValue;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.term.Taxonomy;
import io.github.ratelimit.content.cms.text.Slugs;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The table of the members of each type of item: what they look like, where they are shown, and what becomes of what is sent.
 * Those of files are further described by who keeps files.
 */
public final class ItemFields {
    /** The ways in which an item can be shown. */
    static final String[] FORMATS = {
        "standard", "aside", "chat", "gallery", "link", "image", "quote", "status", "video", "audio"
    };

    private static final String[] WRITABLE_STATUSES = {"publish", "future", "draft", "pending", "private"};
    private static final int LONGEST_PASSWORD = 255;
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final Map<ItemType, Fields<ShownItem, ItemDraft>> TABLES = new EnumMap<>(ItemType.class);

    static {
        for (ItemType type : ItemType.shown()) {
            TABLES.put(type, table(type));
        }
    }

    private ItemFields() {}

    /**
     * Tells the members of a type of items.
     *
     * @param type posts, pages or files
     * @return its table
     */
    public static Fields<ShownItem, ItemDraft> of(ItemType type) {
        return Objects.requireNonNull(TABLES.get(type));
    }

    /**
     * Lists the arguments that writing an item accepts. What is sent as {@code null} is empty; what is wrong is complained
     * about before what names the item.
     *
     * @param fields the members of its type
     * @return in the order of the table
     */
    public static Arguments writable(Fields<?, ItemDraft> fields) {
        return fields.arguments(argument -> readingNull(argument).checkedFirst());
    }

    private static Fields<ShownItem, ItemDraft> table(ItemType type) {
        Fields.Table<ShownItem, ItemDraft> fields = Fields.declare();
        Fields.Members<Item, ItemDraft> item = fields.of(ShownItem::item);
        addIdentity(fields, item, type);
        addWords(fields, type);
        addRelations(item, type);
        addAppearance(fields, item, type);
        fields.text("permalink_template", "The form of its page's address.", EDITING, ShownItem::page);
        fields.text("generated_slug", "The slug that its title makes.", EDITING, ShownItem::generatedSlug);
        Schema classes = Schema.arrayOf(Schema.string(), "Classes for its element on a page.");
        fields.add("class_list", classes, NOT_EMBEDDED, ShownItem::classes);
        return fields.build();
    }

    private static void addIdentity(
            Fields.Table<ShownItem, ItemDraft> fields, Fields.Members<Item, ItemDraft> item, ItemType type) {
        item.number("id", "Its number.", EVERYWHERE, Item::id);
        moment(fields, "date", "When it was or will be published, in the site's time.", EVERYWHERE, ShownItem::date)
                .writtenBy(ItemDraft::date);
        moment(fields, "date_gmt", "When it was or will be published, in UTC.", NOT_EMBEDDED, ShownItem::dateInUtc)
                .writtenBy(ItemDraft::dateInUtc);
        fields.add("guid", guid(), NOT_EMBEDDED, ShownItem::guid);
        String written = "When it was last written, in ";
        fields.text("modified", written + "the site's time.", "date-time", NOT_EMBEDDED, ShownItem::modified);
        fields.text("modified_gmt", written + "UTC.", "date-time", NOT_EMBEDDED, ShownItem::modifiedInUtc);
        if (type.has(Feature.TEXT)) {
            item.text("password", "Guards content and excerpt.", EDITING, Item::password)
                    .readAtMost(LONGEST_PASSWORD)
                    .writtenBy((input, sent) -> input.set(ItemColumn.PASSWORD, sent.stringValue()));
        }
        item.text("slug", "Its name in addresses.", EVERYWHERE, Item::slug)
                .readBy(argument -> argument.readingBeginning(Slugs.LONGEST_SOURCE))
                .writtenBy(ItemDraft::slug);
        item.of(Item::status)
                .text("status", "How far it has come.", NOT_EMBEDDED, ItemStatus::wireName)
                .with(schema -> schema.among(WRITABLE_STATUSES))
                .writtenBy(ItemDraft::status);
        item.of(Item::type).text("type", "What it is.", EVERYWHERE, ItemType::wireName);
        fields.text("link", "The address of its page.", "uri", EVERYWHERE, ShownItem::page);
    }

    private static void addWords(Fields.Table<ShownItem, ItemDraft> fields, ItemType type) {
        fields.add("title", title(), EVERYWHERE, ShownItem::title)
                .readBy(Argument::readAsText)
                .writtenBy(ItemDraft::title);
        if (type.has(Feature.TEXT)) {
            fields.add("content", content(), NOT_EMBEDDED, ShownItem::content)
                    .readBy(Argument::readAsText)
                    .writtenBy(ItemDraft::content);
            fields.add("excerpt", excerpt(), EVERYWHERE, ShownItem::excerpt)
                    .readBy(Argument::readAsText)
                    .writtenBy(ItemDraft::excerpt);
        }
    }

    private static void addRelations(Fields.Members<Item, ItemDraft> item, ItemType type) {
        item.number("author", "The account it belongs to.", EVERYWHERE, Item::author)
                .writtenBy(ItemDraft::author);
        item.number("featured_media", "The picture that stands for it.", EVERYWHERE, Item::featuredMedia)
                .writtenBy(ItemDraft::picture);
        if (type.has(Feature.TREE)) {
            item.number("parent", "The item it stands below.", NOT_EMBEDDED, Item::parent)
                    .writtenBy(ItemDraft::parent);
            item.number("menu_order", "Its place among its siblings.", NOT_EMBEDDED, Item::menuOrder)
                    .writtenBy((input, sent) -> input.set(
                            ItemColumn.MENU_ORDER,
                            Math.max(Integer.MIN_VALUE, Math.min(sent.longValue(), Integer.MAX_VALUE))));
        }
        addOpen(item, "comment_status", "Whether comments are welcome.", ItemColumn.COMMENTS_OPEN, Item::commentsOpen);
        String pings = "Whether other sites may announce links to it.";
        addOpen(item, "ping_status", pings, ItemColumn.PINGS_OPEN, Item::pingsOpen);
    }

    private static void addOpen(
            Fields.Members<Item, ItemDraft> item,
            String name,
            String description,
            ItemColumn column,
            Predicate<Item> isOpen) {
        item.text(name, description, NOT_EMBEDDED, shown -> isOpen.test(shown) ? "open" : "closed")
                .with(schema -> schema.among("open", "closed"))
                .writtenBy((input, sent) -> input.setOpen(column, sent));
    }

    private static void addAppearance(
            Fields.Table<ShownItem, ItemDraft> fields, Fields.Members<Item, ItemDraft> item, ItemType type) {
        if (type.has(Feature.STICKINESS)) {
            item.flag("sticky", "Whether it stays on top.", NOT_EMBEDDED, Item::isSticky)
                    .writtenBy((input, sent) -> input.set(ItemColumn.STICKY, sent.booleanValue()));
        }
        item.text("template", "The template it is shown with.", NOT_EMBEDDED, Item::template)
                .readBy(argument -> argument.readBy((request, value) -> readTemplate(type, value)))
                .writtenBy((input, sent) -> input.set(ItemColumn.TEMPLATE, sent.asString("")));
        if (type.has(Feature.FORMATS)) {
            item.text("format", "How it is to be shown.", NOT_EMBEDDED, Item::format)
                    .with(schema -> schema.among(FORMATS))
                    .writtenBy(ItemDraft::format);
        }
        fields.add("meta", meta(type), NOT_EMBEDDED, ShownItem::meta)
                .readBy(argument -> argument.readBy((request, value) -> readMeta(value)))
                // What is not of a kind that is kept is overlooked: of a file nothing is.
                .writtenBy(type.has(Feature.TEXT) ? ItemDraft::meta : (input, sent) -> input);
        if (type.has(Feature.TERMS)) {
            for (Taxonomy taxonomy : Taxonomy.values()) {
                Schema ids = Schema.arrayOf(
                        Schema.integer(), "The ids of its terms in the taxonomy " + taxonomy.wireName() + ".");
                fields.add(taxonomy.collection(), ids, NOT_EMBEDDED, shown -> shown.terms(taxonomy))
                        .writtenBy((input, sent) -> input.terms(taxonomy, sent));
            }
        }
    }

    private static Fields.Field<?, ItemDraft> moment(
            Fields.Table<ShownItem, ItemDraft> fields,
            String name,
            String description,
            List<Context> contexts,
            Function<ShownItem, String> view) {
        return fields.text(name, description, contexts, view)
                .with(schema -> Schema.ofTypes("string", "null")
                        .describedAs(description)
                        .format("date-time"))
                .readBy(Argument::readingNull);
    }

    /**
     * Describes an address that never changes.
     *
     * @return with the members {@code raw} and {@code rendered}
     */
    public static Schema guid() {
        return Schema.object("An address that never changes.")
                .property(
                        "raw",
                        Schema.string("As it is stored.").context(EDITING).readOnly())
                .property(
                        "rendered",
                        Schema.string("As it is shown.").context(NOT_EMBEDDED).readOnly());
    }

    /**
     * Describes a text that is written and rendered.
     *
     * @param description for people
     * @param contexts those in which it is shown
     * @return with the members {@code raw} and {@code rendered}
     */
    public static Schema text(String description, List<Context> contexts) {
        return Schema.object(description)
                .property("raw", Schema.string("As it was written.").context(EDITING))
                .property(
                        "rendered",
                        Schema.string("As it is read.").context(contexts).readOnly());
    }

    private static Schema guarded(Schema text) {
        return text.property(
                "protected",
                Schema.bool("Whether a password guards it.").context(EVERYWHERE).readOnly());
    }

    /**
     * Describes a title.
     *
     * @return as items and their wordings have one
     */
    public static Schema title() {
        return text("Its title.", EVERYWHERE);
    }

    /**
     * Describes a text.
     *
     * @return as items and their wordings have one
     */
    public static Schema content() {
        Schema text = text("The text itself.", NOT_EMBEDDED)
                .property(
                        "block_version",
                        Schema.integer("The version of the blocks it is made of.")
                                .context(EDITING)
                                .readOnly());
        return guarded(text);
    }

    /**
     * Describes a text in short.
     *
     * @return as items and their wordings have one
     */
    public static Schema excerpt() {
        return guarded(text("The text in short.", EVERYWHERE));
    }

    /**
     * Describes what tools keep with an item.
     *
     * @param type of the item
     * @return with the members that are kept
     */
    public static Schema meta(ItemType type) {
        Schema meta = Schema.object("What tools keep with it.");
        return type.has(Feature.TEXT)
                ? meta.property(
                        "footnotes", Schema.string().titled("").describedAs("").defaultsTo(""))
                : meta.withoutProperties();
    }

    /** Takes {@code null} for what its type has for nothing. */
    private static Argument readingNull(Argument argument) {
        JsonNode empty = emptyOf(argument.schema());
        if (empty == null) {
            return argument;
        }
        Argument.Reader reader = argument.reader();
        return argument.readBy((request, value) -> value.isNull() ? empty : reader.read(request, value))
                .readingNull();
    }

    /** Tells what a type of values has for {@code null}; nothing where {@code null} is a value of its own, or none. */
    private static @Nullable JsonNode emptyOf(Schema schema) {
        return switch (schema.describe().path("type").asString("")) {
            case "string" -> JSON.stringNode("");
            case "integer" -> JSON.numberNode(0);
            case "boolean" -> JSON.booleanNode(false);
            case "array" -> JSON.arrayNode();
            default -> null;
        };
    }

    private static JsonNode readMeta(JsonNode value) {
        if (!value.isObject() && !value.isArray()) {
            throw InvalidValue.undetailed();
        }
        return value;
    }

    /** Reads a template; the usual one has no name. */
    private static JsonNode readTemplate(ItemType type, JsonNode value) {
        boolean isNone = value.isContainer() ? value.isEmpty() : value.isBoolean() && !value.booleanValue();
        String name = value.isContainer() ? "?" : value.asString("");
        if (isNone || Item.isNothing(name)) {
            return JSON.stringNode("");
        }
        if (!type.templates().contains(name)) {
            throw InvalidValue.of(
                    "rest_invalid_param", "template is not one of " + String.join(", ", type.templates()) + ".");
        }
        return value;
    }
}
