package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.item.ItemType.Feature;
import io.github.ratelimit.content.cms.rest.Argument;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.Filters;
import io.github.ratelimit.content.cms.rest.InvalidValue;
import io.github.ratelimit.content.cms.rest.Paging;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.cms.security.ItemRights;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.cms.term.Taxonomy;
import io.github.ratelimit.content.cms.term.TermStore;
import io.github.ratelimit.content.cms.text.SingleLine;
import io.github.ratelimit.content.cms.text.SiteDates;
import io.github.ratelimit.content.cms.text.Slugs;
import io.github.ratelimit.content.server.store.SqlCondition;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The tables of what lists of items can be asked for: each argument, and what it means to the database and to the index. */
@Component
public class ItemFilters {
    /** The statuses that a list can be asked for, {@code any} of them included. */
    private static final String[] LISTED_STATUSES = Stream.concat(
                    Arrays.stream(ItemStatus.values()).map(ItemStatus::wireName), Stream.of("any"))
            .toArray(String[]::new);

    private static final Argument PAGE = Paging.page().checkedFirst();

    private final CmsSettings.Site site;
    private final TermStore terms;

    ItemFilters(CmsSettings.Site site, TermStore terms) {
        this.site = site;
        this.terms = terms;
    }

    /**
     * Declares what a list of items can be asked for. Order, page and status are the list's own: {@link ItemListing} knows
     * what they mean.
     *
     * @param type of the items
     * @return the table, to which a type may add arguments of its own
     */
    public Filters of(ItemType type) {
        Filters table = new Filters();
        table.with(Context.ARGUMENT, PAGE, Paging.perPage("items", 10).checkedFirst());
        table.add(searched(), (request, text) -> search(request, type).map(Search::condition));
        moment(table, "after", "Published after this moment.", "published_at > ?");
        moment(table, "modified_after", "Last written after this moment.", "modified_at > ?");
        table.among("author", "Of these accounts.", "author_id").unless("author_exclude");
        table.notAmong("author_exclude", "Of other accounts than these.", "author_id");
        moment(table, "before", "Published before this moment.", "published_at < ?");
        moment(table, "modified_before", "Last written before this moment.", "modified_at < ?");
        addIds(table);
        table.with(
                Argument.optional(
                        "search_semantics", Schema.string("How words must fit.").among("exact")),
                Paging.offset("items"),
                Paging.order("desc"),
                Paging.orderBy("date", orders(type)));
        if (type.has(Feature.TREE)) {
            table.number(
                    "menu_order",
                    "With this place among siblings.",
                    place -> new SqlCondition("menu_order = ?", Paging.absolute(place)));
        }
        if (type.has(Feature.TREE) || type == ItemType.ATTACHMENT) {
            table.among("parent", "Directly below these items.", "parent_id");
            table.notAmong("parent_exclude", "Not directly below these items.", "parent_id")
                    .unless("parent");
        }
        table.with(Argument.optional(
                "search_columns",
                Schema.arrayOf(
                                Schema.string().among("post_title", "post_content", "post_excerpt"),
                                "Where to look for words.")
                        .defaultsToNone()));
        table.texts(
                Argument.optional("slug", Schema.arrayOf(Schema.string(), "With one of these slugs.")),
                slugs -> SqlCondition.isOneOfTexts(
                        "slug", slugs.stream().map(Slugs::of).toList()));
        table.with(
                type == ItemType.ATTACHMENT
                        ? status(type, "inherit", "inherit", "private", "trash")
                        : status(type, "publish", LISTED_STATUSES));
        if (type.has(Feature.TERMS)) {
            addTerms(table);
        }
        return table;
    }

    /**
     * Declares what a list of the revisions of an item can be asked for.
     *
     * @return the table, without the item
     */
    public Filters ofRevisions() {
        Filters table = new Filters();
        table.with(Context.ARGUMENT, PAGE, Paging.perPage("items").checkedFirst());
        table.add(
                searched(),
                (request, text) -> search(request, ItemType.REVISION).map(Search::condition));
        addIds(table);
        return table.with(
                Paging.offset("items"),
                Paging.order("desc"),
                Paging.orderBy("date", "date", "id", "include", "relevance", "slug", "include_slugs", "title"));
    }

    private static void addIds(Filters table) {
        // Sticky items are listed by their ids, so that nothing is left out of them either.
        table.notAmong("exclude", "Other items than these.", "id").unless("include", "sticky");
        table.among("include", "These items.", "id");
    }

    private void addTerms(Filters table) {
        table.with(Argument.optional(
                "tax_relation",
                Schema.string("How conditions on terms are joined.").among("AND", "OR")));
        for (Taxonomy taxonomy : Taxonomy.values()) {
            table.add(
                            Argument.optional(taxonomy.collection(), termFilter(taxonomy, true)),
                            (request, filter) -> condition(taxonomy, filter))
                    .joined();
            table.add(
                            Argument.optional(taxonomy.collection() + "_exclude", termFilter(taxonomy, false)),
                            (request, filter) -> condition(taxonomy, filter)
                                    // To lack terms that nobody has is no condition. Among several it would be the one
                                    // that all fulfil.
                                    .filter(there -> !isAnyEnough(request) || terms.areKnown(taxonomy, ids(filter)))
                                    .map(SqlCondition::negated))
                    .joined();
        }
        table.add(
                Argument.optional("sticky", Schema.bool("Whether it stays on top.")),
                // The others are left out like any excluded id, and who names ids excludes none.
                (request, isSticky) -> Optional.of(isSticky.booleanValue())
                        .filter(is ->
                                is || request.arguments().integers("include").isEmpty())
                        .map(is -> new SqlCondition("sticky = ?", is)));
        table.with(Argument.optional(
                "ignore_sticky",
                Schema.bool("Whether to sort items that stay on top like any other.")
                        .defaultsTo(true)));
        // A format is a term of its own taxonomy, and joined like the others.
        table.texts(
                        Argument.optional(
                                "format",
                                Schema.arrayOf(Schema.string().among(ItemFields.FORMATS), "Shown in one of these ways.")
                                        .uniqueItems()),
                        formats -> SqlCondition.isOneOfTexts("format", formats))
                .joined();
    }

    private void moment(Filters table, String name, String description, String condition) {
        table.add(
                Argument.optional(name, Schema.string(description).format("date-time")),
                (request, text) -> SiteDates.parse(text.stringValue(), site.timezone())
                        .map(moment -> new SqlCondition(condition, moment.atOffset(ZoneOffset.UTC))));
    }

    /** Names the orders as requests do; those of a tree have a place among siblings besides. */
    private static String[] orders(ItemType type) {
        return Arrays.stream(ItemQuery.OrderBy.values())
                .filter(order -> order != ItemQuery.OrderBy.MENU_ORDER || type.has(Feature.TREE))
                .map(order -> order.name().toLowerCase(Locale.ROOT))
                .toArray(String[]::new);
    }

    private static Argument searched() {
        Schema schema = Schema.string("Words that must occur.");
        Argument search = Argument.optional("search", schema).checkedFirst().readBy((request, value) -> {
            String text = schema.read("search", value).stringValue();
            // As it is, it is longer than what is searched for: nobody has to make one line of it.
            return JsonNodeFactory.instance.stringNode(
                    text.length() > Search.LONGEST_READ ? text : SingleLine.of(text));
        });
        return search.readingBeginning(2 * Search.LONGEST_READ);
    }

    /** Tells what words a request looks for; nothing where it looks for none. Files are found by their names, too. */
    static Optional<Search> search(RestRequest request, ItemType type) {
        List<Search.Column> columns = request.arguments().texts("search_columns").stream()
                .map(name -> Search.Column.valueOf(name.toUpperCase(Locale.ROOT)))
                .toList();
        boolean isExact = request.arguments().text("search_semantics").isPresent();
        return request.arguments()
                .text("search")
                .filter(Search::isSearched)
                .map(text -> Search.of(text, columns, isExact, request.caller()))
                .map(search -> type == ItemType.ATTACHMENT ? search.alsoInFileNames() : search);
    }

    private static Argument status(ItemType type, String usual, String... names) {
        Schema schema = Schema.arrayOf(Schema.string().among(names), "Which have come this far.")
                .defaultsTo(usual);
        return Argument.optional("status", schema)
                .readBy((request, value) -> readStatus(request.caller(), type.capabilities(), schema, usual, value));
    }

    /** What others may not know of must not be asked for, and the rejection comes before any other complaint. */
    private static JsonNode readStatus(
            Caller caller, ItemRights.Capabilities needed, Schema schema, String usual, JsonNode value) {
        boolean mayAsk = caller.may(needed.edit());
        ArrayNode names = JsonNodeFactory.instance.arrayNode();
        // Names are read as slugs are, in any letter case.
        Set<String> asked = new LinkedHashSet<>();
        Schema.arrayOf(Schema.any()).read("status", value).forEach(name -> asked.add(Slugs.of(name.asString(""))));
        asked.forEach(names::add);
        if (mayAsk && !names.isEmpty()) {
            names.removeIf(name -> name.stringValue().isEmpty());
            if (names.isEmpty()) {
                // One without a name is none; nothing but such is no condition at all.
                return names.add("");
            }
        }
        for (JsonNode item : names) {
            String name = item.stringValue();
            boolean isPrivate = name.equals(ItemStatus.PRIVATE.wireName()) && caller.may(needed.readPrivate());
            if (!name.equals(usual) && !mayAsk && !isPrivate) {
                throw InvalidValue.of(
                        "rest_forbidden_status",
                        "Status is forbidden.",
                        JsonNodeFactory.instance.objectNode().put("status", caller.isAnonymous() ? 401 : 403));
            }
        }
        return schema.read("status", names);
    }

    private static Schema termFilter(Taxonomy taxonomy, boolean hasOperator) {
        Schema ids = Schema.arrayOf(Schema.integer());
        Schema query = Schema.object()
                .titled("Term ID Taxonomy Query")
                .describedAs("A condition on terms.")
                .property("terms", ids.describedAs("Ids of terms.").defaultsToNone());
        if (taxonomy.isHierarchical()) {
            query = query.property(
                    "include_children",
                    Schema.bool("Whether terms below these count.").defaultsTo(false));
        }
        if (hasOperator) {
            query = query.property(
                    "operator",
                    Schema.string("Whether all of them are needed, or any.")
                            .among("AND", "OR")
                            .defaultsTo("OR"));
        }
        return Schema.ofTypes("object", "array")
                .describedAs("Sorted by terms of " + taxonomy.wireName() + ".")
                .oneOf(ids.titled("Term ID List").describedAs("Any of these terms."), query.closed());
    }

    /** Says whether one of the conditions on terms is enough, and not all are needed. */
    static boolean isAnyEnough(RestRequest request) {
        return request.arguments().text("tax_relation").orElse("AND").equals("OR");
    }

    private static List<Long> ids(JsonNode filter) {
        List<Long> ids = new ArrayList<>();
        listed(filter).forEach(id -> ids.add(Paging.absolute(id.longValue())));
        return ids;
    }

    /** Lists the ids that a filter by terms names. */
    static JsonNode listed(JsonNode filter) {
        return filter.isArray() ? filter : filter.path("terms");
    }

    private Optional<SqlCondition> condition(Taxonomy taxonomy, JsonNode filter) {
        List<Long> ids = ids(filter);
        if (ids.isEmpty()) {
            return Optional.empty();
        }
        Collection<Long> wanted =
                filter.path("include_children").asBoolean(false) ? terms.withDescendants(ids) : Set.copyOf(ids);
        if (filter.path("operator").asString("OR").equals("AND")) {
            return Optional.of(new SqlCondition(
                    "((select count(*) from item_term x join term t on t.id = x.term_id"
                            + " where x.item_id = item.id and t.taxonomy = ? and t.id = any (?)) = ?)",
                    taxonomy.wireName(),
                    wanted.toArray(Long[]::new),
                    wanted.size()));
        }
        return Optional.of(sortedByAny(taxonomy, wanted));
    }

    static SqlCondition sortedByAny(Taxonomy taxonomy, Collection<Long> terms) {
        return new SqlCondition(
                "(item.id in (select x.item_id from item_term x join term t on t.id = x.term_id"
                        + " where t.taxonomy = ? and t.id = any (?)))",
                taxonomy.wireName(),
                terms.toArray(Long[]::new));
    }
}
