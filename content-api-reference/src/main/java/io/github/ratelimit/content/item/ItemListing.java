package io.github.ratelimit.content.item;

import io.github.ratelimit.content.item.ItemQuery.OrderBy;
import io.github.ratelimit.content.security.Caller;
import io.github.ratelimit.content.term.Taxonomy;
import io.github.ratelimit.content.term.TermStore;
import io.github.ratelimit.content.text.SiteDates;
import io.github.ratelimit.content.text.Slugs;
import io.github.ratelimit.content.web.Argument;
import io.github.ratelimit.content.web.ArgumentValues;
import io.github.ratelimit.content.web.Arguments;
import io.github.ratelimit.content.web.Context;
import io.github.ratelimit.content.web.InvalidValue;
import io.github.ratelimit.content.web.Paging;
import io.github.ratelimit.content.web.RestAnswer;
import io.github.ratelimit.content.web.RestError;
import io.github.ratelimit.content.web.RestRequest;
import io.github.ratelimit.content.web.Schema;
import io.github.ratelimit.content.web.Site;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Lists of items: what they can be asked for, and how the answer is found. */
@Component
public class ItemListing {
    /** The statuses that a list can be asked for, beside {@code any}. */
    private static final String[] LISTED_STATUSES = {
        "publish",
        "future",
        "draft",
        "pending",
        "private",
        "trash",
        "auto-draft",
        "inherit",
        "request-pending",
        "request-confirmed",
        "request-failed",
        "request-completed",
        "any"
    };

    private static final String[] ORDERS = {
        "author", "date", "id", "include", "modified", "parent", "relevance", "slug", "include_slugs", "title"
    };

    /** All but what was thrown away or never saved. */
    private static final Set<ItemStatus> ANY =
            EnumSet.complementOf(EnumSet.of(ItemStatus.TRASH, ItemStatus.AUTO_DRAFT));

    private static final Argument PAGE = Argument.optional(
            "page", Schema.integer().describedAs("Which page.").defaultsTo(1).minimum(1));
    private static final Argument OFFSET =
            Argument.optional("offset", Schema.integer().describedAs("How many items to leave out at the start."));
    private static final Argument SEARCH =
            Argument.optional("search", Schema.string().describedAs("Words that must occur."));
    private static final Argument ORDER = Argument.optional(
            "order",
            Schema.string().describedAs("Which way to sort.").defaultsTo("desc").among("asc", "desc"));

    private final Site site;
    private final ItemStore store;
    private final TermStore terms;
    private final ItemAccess access;
    private final ItemView view;

    ItemListing(Site site, ItemStore store, TermStore terms, ItemAccess access, ItemView view) {
        this.site = site;
        this.store = store;
        this.terms = terms;
        this.access = access;
        this.view = view;
    }

    /**
     * Lists what a list of items can be asked for.
     *
     * @param type of the items
     * @return the arguments of its route
     */
    public static Arguments arguments(ItemType type) {
        Arguments arguments = Arguments.of(
                Context.ARGUMENT,
                PAGE,
                Argument.optional("per_page", perPage().defaultsTo(10)),
                SEARCH,
                moment("after", "Published after this moment."),
                moment("modified_after", "Last written after this moment."),
                ids("author", "Of these accounts."),
                ids("author_exclude", "Of other accounts than these."),
                moment("before", "Published before this moment."),
                moment("modified_before", "Last written before this moment."),
                ids("exclude", "Other items than these."),
                ids("include", "These items."),
                Argument.optional(
                        "search_semantics",
                        Schema.string().describedAs("How words must fit.").among("exact")),
                OFFSET,
                ORDER,
                orderBy(type == ItemType.PAGE ? with(ORDERS, "menu_order") : ORDERS));
        if (type == ItemType.PAGE) {
            arguments = arguments.and(
                    Argument.optional("menu_order", Schema.integer().describedAs("With this place among siblings.")));
        }
        if (type != ItemType.POST) {
            arguments = arguments.and(
                    ids("parent", "Directly below these items."),
                    ids("parent_exclude", "Not directly below these items."));
        }
        arguments = arguments.and(
                Argument.optional(
                        "search_columns",
                        Schema.arrayOf(Schema.string().among("post_title", "post_content", "post_excerpt"))
                                .describedAs("Where to look for words.")
                                .defaultsToNone()),
                Argument.optional("slug", Schema.arrayOf(Schema.string()).describedAs("With one of these slugs.")),
                status("publish", LISTED_STATUSES));
        return type == ItemType.POST ? arguments.and(postArguments()) : arguments;
    }

    private static Arguments postArguments() {
        Arguments arguments = Arguments.of(Argument.optional(
                "tax_relation",
                Schema.string()
                        .describedAs("How conditions on terms are joined.")
                        .among("AND", "OR")));
        for (Taxonomy taxonomy : Taxonomy.values()) {
            String name = taxonomy.collection();
            arguments = arguments.and(
                    Argument.optional(name, termFilter(taxonomy, true)),
                    Argument.optional(name + "_exclude", termFilter(taxonomy, false)));
        }
        return arguments.and(
                Argument.optional("sticky", Schema.bool().describedAs("Whether it stays on top.")),
                Argument.optional(
                        "ignore_sticky",
                        Schema.bool()
                                .describedAs("Whether to sort items that stay on top like any other.")
                                .defaultsTo(true)),
                Argument.optional(
                        "format",
                        Schema.arrayOf(Schema.string().among(ItemSchemas.FORMATS))
                                .describedAs("Shown in one of these ways.")
                                .uniqueItems()));
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
                    Schema.bool()
                            .describedAs("Whether terms below these count.")
                            .defaultsTo(false));
        }
        if (hasOperator) {
            query = query.property(
                    "operator",
                    Schema.string()
                            .describedAs("Whether all of them are needed, or any.")
                            .among("AND", "OR")
                            .defaultsTo("OR"));
        }
        return Schema.ofTypes("object", "array")
                .describedAs("Sorted by terms of " + taxonomy.wireName() + ".")
                .oneOf(ids.titled("Term ID List").describedAs("Any of these terms."), query.closed());
    }

    /**
     * Lists what a list of the revisions of an item can be asked for.
     *
     * @return the arguments of its route, without the item
     */
    public static Arguments revisionArguments() {
        return Arguments.of(
                Context.ARGUMENT,
                PAGE,
                Argument.optional("per_page", perPage()),
                SEARCH,
                ids("exclude", "Other items than these."),
                ids("include", "These items."),
                OFFSET,
                ORDER,
                orderBy("date", "id", "include", "relevance", "slug", "include_slugs", "title"));
    }

    /**
     * Declares a filter by status.
     *
     * @param usual what everybody may ask for, and what nobody has to
     * @param names what can be asked for at all
     * @return the argument {@code status}
     */
    public static Argument status(String usual, String... names) {
        Schema schema = Schema.arrayOf(Schema.string().among(names))
                .describedAs("Which have come this far.")
                .defaultsTo(usual);
        return Argument.optional("status", schema)
                .readBy((request, value) -> readStatus(request.caller(), schema, usual, value));
    }

    /** What others may not know of must not be asked for, and the refusal comes before any other complaint. */
    private static JsonNode readStatus(Caller caller, Schema schema, String usual, JsonNode value) {
        boolean mayAsk = caller.may(ItemType.POST.kind().edit());
        Schema anything = Schema.arrayOf(Schema.any());
        for (JsonNode item : anything.read("status", value)) {
            String name = item.asString("");
            boolean isPrivate = name.equals(ItemStatus.PRIVATE.wireName())
                    && caller.may(ItemType.POST.kind().readPrivate());
            if (!name.equals(usual) && !mayAsk && !isPrivate) {
                throw InvalidValue.of(
                        "rest_forbidden_status",
                        "Status is forbidden.",
                        JsonNodeFactory.instance.objectNode().put("status", caller.isAnonymous() ? 401 : 403));
            }
        }
        return schema.read("status", value);
    }

    private static Schema perPage() {
        return Schema.integer()
                .describedAs("How many items a page has.")
                .minimum(1)
                .maximum(100);
    }

    private static Argument moment(String name, String description) {
        return Argument.optional(name, Schema.string().describedAs(description).format("date-time"));
    }

    private static Argument ids(String name, String description) {
        return Argument.optional(
                name, Schema.arrayOf(Schema.integer()).describedAs(description).defaultsToNone());
    }

    private static Argument orderBy(String... names) {
        return Argument.optional(
                "orderby",
                Schema.string()
                        .describedAs("What to sort by.")
                        .defaultsTo("date")
                        .among(names));
    }

    private static String[] with(String[] names, String further) {
        List<String> all = new ArrayList<>(List.of(names));
        all.add(further);
        return all.toArray(String[]::new);
    }

    /**
     * Makes a query of what a request asks for.
     *
     * @param request with the arguments of {@link #arguments}
     * @param type of the items
     * @return the query, to which a type may add conditions of its own
     */
    public ItemQuery query(RestRequest request, ItemType type) {
        ArgumentValues wanted = request.arguments();
        ItemQuery query = ItemQuery.of(type)
                .withStatus(statuses(wanted))
                .in("author_id", wanted.integers("author"))
                .notIn("author_id", wanted.integers("author_exclude"))
                .in("parent_id", wanted.integers("parent"))
                .notIn("parent_id", wanted.integers("parent_exclude"))
                .named(wanted.texts("slug").stream().map(Slugs::of).toList());
        addMoments(query, wanted);
        wanted.integer("menu_order").ifPresent(order -> query.where("menu_order = ?", order));
        if (type == ItemType.POST) {
            addPostConditions(query, wanted);
        }
        return refine(query, request);
    }

    /**
     * Adds what all lists know: ids, words, order and page.
     *
     * @param query takes it
     * @param request with the arguments {@code include}, {@code exclude}, {@code search}, {@code orderby} …
     * @return the query
     */
    public ItemQuery refine(ItemQuery query, RestRequest request) {
        ArgumentValues wanted = request.arguments();
        query.in("id", wanted.integers("include")).notIn("id", wanted.integers("exclude"));
        wanted.text("search")
                .filter(text -> !text.isEmpty())
                .ifPresent(text -> query.matching(Search.of(
                        text,
                        columns(wanted),
                        wanted.text("search_semantics").isPresent(),
                        ItemAccess.guardedFor(request.caller()))));
        setOrder(query, wanted);
        long perPage = wanted.integer("per_page").orElse(Integer.MAX_VALUE);
        long page = wanted.integer("page").orElse(1);
        long skipped = page > Long.MAX_VALUE / perPage ? Long.MAX_VALUE : (page - 1) * perPage;
        long offset = wanted.integer("offset").isPresent()
                ? Math.abs(Math.max(wanted.number("offset"), -Long.MAX_VALUE))
                : skipped;
        return query.page(offset, perPage);
    }

    private static Set<ItemStatus> statuses(ArgumentValues wanted) {
        List<String> names = wanted.texts("status");
        if (names.contains("any")) {
            return ANY;
        }
        Set<ItemStatus> statuses = EnumSet.noneOf(ItemStatus.class);
        names.forEach(name -> ItemStatus.of(name).ifPresent(statuses::add));
        return statuses.isEmpty() ? Set.of(ItemStatus.PUBLISH) : statuses;
    }

    private void addMoments(ItemQuery query, ArgumentValues wanted) {
        addMoment(query, wanted, "after", "published_at", ">");
        addMoment(query, wanted, "before", "published_at", "<");
        addMoment(query, wanted, "modified_after", "modified_at", ">");
        addMoment(query, wanted, "modified_before", "modified_at", "<");
    }

    private void addMoment(ItemQuery query, ArgumentValues wanted, String name, String column, String comparison) {
        wanted.text(name)
                .flatMap(text -> SiteDates.parse(text, site.zone()))
                .ifPresent(moment -> query.when(column, comparison, moment));
    }

    private static List<Search.Column> columns(ArgumentValues wanted) {
        return wanted.texts("search_columns").stream()
                .map(name -> Search.Column.valueOf(name.toUpperCase(Locale.ROOT)))
                .toList();
    }

    private static void setOrder(ItemQuery query, ArgumentValues wanted) {
        OrderBy by = OrderBy.valueOf(wanted.text("orderby").orElse("date").toUpperCase(Locale.ROOT));
        switch (by) {
            case INCLUDE -> {
                if (wanted.integers("include").isEmpty()) {
                    throw RestError.of(
                            400,
                            "rest_orderby_include_missing_include",
                            "You need to define an include parameter to order by include.");
                }
                query.orderAsGiven(by, wanted.integers("include"));
            }
            case INCLUDE_SLUGS ->
                query.orderAsGiven(
                        by, wanted.texts("slug").stream().map(Slugs::of).toList());
            case RELEVANCE -> {
                if (wanted.text("search").orElse("").isEmpty()) {
                    throw RestError.of(
                            400,
                            "rest_no_search_term_defined",
                            "You need to define a search term to order by relevance.");
                }
                query.orderBy(by, false);
            }
            default -> query.orderBy(by, wanted.text("order").orElse("desc").equals("asc"));
        }
    }

    private void addPostConditions(ItemQuery query, ArgumentValues wanted) {
        addTerms(query, wanted);
        wanted.value("sticky").ifPresent(sticky -> query.where("sticky = ?", sticky.booleanValue()));
        List<String> formats = wanted.texts("format");
        if (!formats.isEmpty()) {
            query.where("format = any (?)", (Object) formats.toArray(String[]::new));
        }
    }

    /** A condition on terms: text with marks, and the values for them. */
    private record TermCondition(String sql, List<Object> values) {}

    private void addTerms(ItemQuery query, ArgumentValues wanted) {
        List<TermCondition> conditions = new ArrayList<>();
        for (Taxonomy taxonomy : Taxonomy.values()) {
            wanted.value(taxonomy.collection())
                    .flatMap(filter -> condition(taxonomy, filter))
                    .ifPresent(conditions::add);
            wanted.value(taxonomy.collection() + "_exclude")
                    .flatMap(filter -> condition(taxonomy, filter))
                    .ifPresent(found -> conditions.add(new TermCondition("not " + found.sql(), found.values())));
        }
        if (conditions.isEmpty()) {
            return;
        }
        String relation = wanted.text("tax_relation").orElse("AND").equals("OR") ? " or " : " and ";
        List<String> parts = conditions.stream().map(TermCondition::sql).toList();
        Object[] values =
                conditions.stream().flatMap(part -> part.values().stream()).toArray();
        query.where("(" + String.join(relation, parts) + ")", values);
    }

    private Optional<TermCondition> condition(Taxonomy taxonomy, JsonNode filter) {
        List<Long> ids = new ArrayList<>();
        JsonNode listed = filter.isArray() ? filter : filter.path("terms");
        listed.forEach(id -> ids.add(id.longValue()));
        if (ids.isEmpty()) {
            return Optional.empty();
        }
        Collection<Long> wanted =
                filter.path("include_children").asBoolean(false) ? terms.withDescendants(ids) : Set.copyOf(ids);
        Long[] bound = wanted.toArray(Long[]::new);
        if (filter.path("operator").asString("OR").equals("AND")) {
            String all = "(select count(*) from item_term x join term t on t.id = x.term_id"
                    + " where x.item_id = item.id and t.taxonomy = ? and t.id = any (?)) = ?";
            return Optional.of(new TermCondition(all, List.of(taxonomy.wireName(), bound, bound.length)));
        }
        String any = "(item.id in (select x.item_id from item_term x join term t on t.id = x.term_id"
                + " where t.taxonomy = ? and t.id = any (?)))";
        return Optional.of(new TermCondition(any, List.of(taxonomy.wireName(), bound)));
    }

    /**
     * Answers a list of items.
     *
     * @param request with the arguments of {@link #arguments}
     * @param type of the items
     * @param query from {@link #query}
     * @param show makes what the answer shows of the items
     * @return one page; items that the caller may not see drop out of it, and are counted still
     */
    public RestAnswer answer(
            RestRequest request,
            ItemType type,
            ItemQuery query,
            BiFunction<Collection<Item>, Context, ArrayNode> show) {
        ItemStore.Slice slice = store.list(query);
        long page = request.arguments().number("page");
        long perPage = request.arguments().number("per_page");
        long total = slice.total();
        if (slice.items().isEmpty() && request.arguments().has("offset")) {
            total = 0;
        }
        long pages = Paging.pages(total, perPage);
        if (page > pages && total > 0) {
            throw RestError.of(
                    400,
                    "rest_post_invalid_page_number",
                    "The page number requested is larger than the number of pages available.");
        }
        List<Item> items = slice.items();
        if (type == ItemType.POST && page == 1 && !request.arguments().flag("ignore_sticky")) {
            items = withStickyOnTop(query, items, request);
        }
        Context context = Context.of(request);
        return Paging.answer(request, show.apply(visible(request, type, items, context), context), total, pages);
    }

    /**
     * Answers a list of items, shown as items usually are.
     *
     * @param request with the arguments of {@link #arguments}
     * @param type of the items
     * @return one page
     */
    public RestAnswer answer(RestRequest request, ItemType type) {
        return answer(request, type, query(request, type), (items, context) -> view.show(request, items, context));
    }

    private List<Item> withStickyOnTop(ItemQuery query, List<Item> items, RestRequest request) {
        ArgumentValues wanted = request.arguments();
        boolean isNarrowed = wanted.has("search")
                || wanted.has("sticky")
                || wanted.has("offset")
                || !wanted.integers("author").isEmpty()
                || wanted.has("categories")
                || wanted.has("tags");
        if (isNarrowed) {
            return items;
        }
        List<Item> top = new ArrayList<>(store.all(query.copy().where("sticky = ?", true)));
        items.stream().filter(item -> !item.isSticky()).forEach(top::add);
        return top;
    }

    private List<Item> visible(RestRequest request, ItemType type, List<Item> items, Context context) {
        if (type == ItemType.ATTACHMENT) {
            List<Long> parents = items.stream()
                    .map(Item::parent)
                    .filter(id -> id > 0)
                    .distinct()
                    .toList();
            Map<Long, Item> found = store.findAll(parents);
            found.values().forEach(parent -> access.keep(request, parent));
        }
        return items.stream()
                .filter(item -> access.mayRead(request, item))
                .filter(item -> context != Context.EDIT || access.mayEdit(request.caller(), item))
                .toList();
    }
}
