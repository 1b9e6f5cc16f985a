package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.item.ItemQuery.OrderBy;
import io.github.ratelimit.content.cms.item.ItemType.Feature;
import io.github.ratelimit.content.cms.rest.Argument;
import io.github.ratelimit.content.cms.rest.ArgumentValues;
import io.github.ratelimit.content.cms.rest.Arguments;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.InvalidValue;
import io.github.ratelimit.content.cms.rest.Paging;
import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.rest.Site;
import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.cms.security.ItemKind;
import io.github.ratelimit.content.cms.term.Taxonomy;
import io.github.ratelimit.content.cms.term.TermStore;
import io.github.ratelimit.content.cms.text.SingleLine;
import io.github.ratelimit.content.cms.text.SiteDates;
import io.github.ratelimit.content.cms.text.Slugs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Stream;
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

    /** Chosen: as many as a page has at most. */
    private static final int MOST_STICKY = 100;

    /** All but what was thrown away or never saved. */
    private static final Set<ItemStatus> ANY =
            EnumSet.complementOf(EnumSet.of(ItemStatus.TRASH, ItemStatus.AUTO_DRAFT));

    private static final Argument PAGE = Paging.page().checkedFirst();
    private static final Argument OFFSET = Paging.offset("items");
    private static final Argument SEARCH = searched(Schema.string().describedAs("Words that must occur."));
    private static final Argument ORDER = Paging.order("desc");

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
                Paging.perPage("items", 10).checkedFirst(),
                SEARCH,
                moment("after", "Published after this moment."),
                moment("modified_after", "Last written after this moment."),
                Paging.ids("author", "Of these accounts."),
                Paging.ids("author_exclude", "Of other accounts than these."),
                moment("before", "Published before this moment."),
                moment("modified_before", "Last written before this moment."),
                Paging.ids("exclude", "Other items than these."),
                Paging.ids("include", "These items."),
                Argument.optional(
                        "search_semantics",
                        Schema.string().describedAs("How words must fit.").among("exact")),
                OFFSET,
                ORDER,
                Paging.orderBy("date", type.has(Feature.TREE) ? with(ORDERS, "menu_order") : ORDERS));
        if (type.has(Feature.TREE)) {
            arguments = arguments.and(
                    Argument.optional("menu_order", Schema.integer().describedAs("With this place among siblings.")));
        }
        if (type.has(Feature.TREE) || type == ItemType.ATTACHMENT) {
            arguments = arguments.and(
                    Paging.ids("parent", "Directly below these items."),
                    Paging.ids("parent_exclude", "Not directly below these items."));
        }
        arguments = arguments.and(
                Argument.optional(
                        "search_columns",
                        Schema.arrayOf(Schema.string().among("post_title", "post_content", "post_excerpt"))
                                .describedAs("Where to look for words.")
                                .defaultsToNone()),
                Argument.optional("slug", Schema.arrayOf(Schema.string()).describedAs("With one of these slugs.")),
                status(type, "publish", LISTED_STATUSES));
        return type.has(Feature.TERMS) ? arguments.and(postArguments()) : arguments;
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
                        Schema.arrayOf(Schema.string().among(ItemFields.FORMATS))
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
                Paging.perPage("items").checkedFirst(),
                SEARCH,
                Paging.ids("exclude", "Other items than these."),
                Paging.ids("include", "These items."),
                OFFSET,
                ORDER,
                Paging.orderBy("date", "date", "id", "include", "relevance", "slug", "include_slugs", "title"));
    }

    private static Argument searched(Schema schema) {
        Argument search = Argument.optional("search", schema).checkedFirst().readBy((request, value) -> {
            String text = schema.read("search", value).stringValue();
            // As it is, it is longer than what is searched for: nobody has to make one line of it.
            return JsonNodeFactory.instance.stringNode(
                    text.length() > Search.LONGEST_READ ? text : SingleLine.of(text));
        });
        return search.readingBeginning(2 * Search.LONGEST_READ);
    }

    /**
     * Declares a filter of files by status.
     *
     * @param usual what everybody may ask for, and what nobody has to
     * @param names what can be asked for at all
     * @return the argument {@code status}
     */
    public static Argument status(String usual, String... names) {
        return status(ItemType.ATTACHMENT, usual, names);
    }

    private static Argument status(ItemType type, String usual, String... names) {
        Schema schema = Schema.arrayOf(Schema.string().among(names))
                .describedAs("Which have come this far.")
                .defaultsTo(usual);
        return Argument.optional("status", schema)
                .readBy((request, value) -> readStatus(request.caller(), type.kind(), schema, usual, value));
    }

    /** What others may not know of must not be asked for, and the refusal comes before any other complaint. */
    private static JsonNode readStatus(Caller caller, ItemKind kind, Schema schema, String usual, JsonNode value) {
        boolean mayAsk = caller.may(kind.edit());
        ArrayNode names = JsonNodeFactory.instance.arrayNode();
        // Names are read as slugs are, in any letter case.
        Schema.arrayOf(Schema.any()).read("status", value).forEach(name -> names.add(Slugs.of(name.asString(""))));
        if (names.isEmpty() && usual.equals(ItemStatus.INHERIT.wireName())) {
            names.add(usual); // a list of files is never of no status
        }
        for (JsonNode item : names) {
            String name = item.stringValue();
            boolean isPrivate = name.equals(ItemStatus.PRIVATE.wireName()) && caller.may(kind.readPrivate());
            if (!name.equals(usual) && !mayAsk && !isPrivate) {
                throw InvalidValue.of(
                        "rest_forbidden_status",
                        "Status is forbidden.",
                        JsonNodeFactory.instance.objectNode().put("status", caller.isAnonymous() ? 401 : 403));
            }
        }
        return schema.read("status", names);
    }

    private static Argument moment(String name, String description) {
        return Argument.optional(name, Schema.string().describedAs(description).format("date-time"));
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
        ItemQuery query = ItemQuery.of(type).named(slugs(wanted));
        restrictStatus(query, type, wanted, request.caller());
        query.readableBy(request.caller(), store::filesOf);
        // Of such a pair only one counts, even where they do not contradict each other.
        List<Long> otherAuthors = wanted.integers("author_exclude");
        query.notIn("author_id", otherAuthors)
                .in("author_id", otherAuthors.isEmpty() ? wanted.integers("author") : List.of());
        List<Long> parents = wanted.integers("parent");
        query.in("parent_id", parents)
                .notIn("parent_id", parents.isEmpty() ? wanted.integers("parent_exclude") : List.of());
        addMoments(query, wanted);
        wanted.integer("menu_order").ifPresent(query::placedAt);
        if (type.has(Feature.TERMS)) {
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
        List<Long> ids = wanted.integers("include");
        // Sticky items are listed by their ids, so that nothing is left out of them either.
        boolean isNamed = !ids.isEmpty() || wanted.flag("sticky");
        query.in("id", ids).notIn("id", isNamed ? List.of() : wanted.integers("exclude"));
        wanted.text("search")
                .filter(Search::isSearched)
                .ifPresent(text -> query.matching(Search.of(
                        text,
                        columns(wanted),
                        wanted.text("search_semantics").isPresent(),
                        ItemAccess.guardedFor(request.caller()))));
        setOrder(query, wanted);
        long perPage = wanted.integer("per_page").orElse(Integer.MAX_VALUE);
        long offset = wanted.integer("offset").isPresent()
                ? ItemQuery.absolute(wanted.number("offset"))
                : Paging.skipped(wanted, perPage);
        return query.page(offset, perPage);
    }

    private static List<String> slugs(ArgumentValues wanted) {
        return wanted.texts("slug").stream().map(Slugs::of).toList();
    }

    private static void restrictStatus(ItemQuery query, ItemType type, ArgumentValues wanted, Caller caller) {
        List<String> names = wanted.texts("status");
        Set<ItemStatus> statuses = EnumSet.noneOf(ItemStatus.class);
        if (names.contains("any")) {
            statuses.addAll(ANY);
        }
        names.forEach(name -> ItemStatus.of(name).ifPresent(statuses::add));
        if (!statuses.isEmpty()) {
            query.withStatus(statuses);
        } else if (caller.may(type.kind().readPrivate())) {
            query.withStatus(Set.of(ItemStatus.PUBLISH, ItemStatus.PRIVATE));
        } else {
            // No status at all.
            query.publishedOrOwn(ownerId(caller));
        }
    }

    /** Names the account that a caller owns items as; an anonymous one owns nothing. */
    private static long ownerId(Caller caller) {
        return caller.isAnonymous() ? -1 : caller.accountId();
    }

    private void addMoments(ItemQuery query, ArgumentValues wanted) {
        moment(wanted, "after").ifPresent(moment -> query.after("published_at", moment));
        moment(wanted, "before").ifPresent(moment -> query.before("published_at", moment));
        moment(wanted, "modified_after").ifPresent(moment -> query.after("modified_at", moment));
        moment(wanted, "modified_before").ifPresent(moment -> query.before("modified_at", moment));
    }

    private Optional<Instant> moment(ArgumentValues wanted, String name) {
        return wanted.text(name).flatMap(text -> SiteDates.parse(text, site.zone()));
    }

    private static List<Search.Column> columns(ArgumentValues wanted) {
        return wanted.texts("search_columns").stream()
                .map(name -> Search.Column.valueOf(name.toUpperCase(Locale.ROOT)))
                .toList();
    }

    private static void setOrder(ItemQuery query, ArgumentValues wanted) {
        OrderBy by = OrderBy.valueOf(wanted.text("orderby").orElse("date").toUpperCase(Locale.ROOT));
        boolean isAscending = wanted.text("order").orElse("desc").equals("asc");
        switch (by) {
            case INCLUDE -> {
                List<Long> ids = wanted.integers("include");
                if (ids.isEmpty()) {
                    throw RestError.of(
                            400,
                            "rest_orderby_include_missing_include",
                            "You need to define an include parameter to order by include.");
                }
                query.orderAsGiven(by, ids.stream().map(ItemQuery::absolute).toList());
            }
            case INCLUDE_SLUGS -> {
                List<String> slugs = slugs(wanted);
                if (slugs.isEmpty()) {
                    // No order was given after all: the oldest first, whatever the direction.
                    query.orderBy(OrderBy.DATE, true);
                } else {
                    query.orderAsGiven(by, slugs);
                }
            }
            case RELEVANCE -> {
                if (Set.of("", "0").contains(wanted.text("search").orElse(""))) {
                    throw RestError.of(
                            400,
                            "rest_no_search_term_defined",
                            "You need to define a search term to order by relevance.");
                }
                query.orderBy(by, isAscending);
            }
            default -> query.orderBy(by, isAscending);
        }
    }

    private void addPostConditions(ItemQuery query, ArgumentValues wanted) {
        addTerms(query, wanted);
        if (wanted.flag("sticky")) {
            query.sticky(true);
        } else if (wanted.has("sticky") && wanted.integers("include").isEmpty()) {
            // The others are left out like any excluded id, and who names ids excludes none.
            query.sticky(false);
        }
    }

    private void addTerms(ItemQuery query, ArgumentValues wanted) {
        List<Condition> conditions = new ArrayList<>();
        boolean isAnyEnough = wanted.text("tax_relation").orElse("AND").equals("OR");
        for (Taxonomy taxonomy : Taxonomy.values()) {
            wanted.value(taxonomy.collection())
                    .flatMap(filter -> condition(taxonomy, filter))
                    .ifPresent(conditions::add);
            wanted.value(taxonomy.collection() + "_exclude")
                    // To lack terms that nobody has is no condition. Among several it would be the one that all fulfil.
                    .filter(filter -> !isAnyEnough || terms.areKnown(taxonomy, ids(filter)))
                    .flatMap(filter -> condition(taxonomy, filter))
                    .ifPresent(found -> conditions.add(found.negated()));
        }
        List<String> formats = wanted.texts("format");
        if (!formats.isEmpty()) {
            // A format is a term of its own taxonomy, and joined like the others.
            conditions.add(Condition.of(ItemTerms.isOneOf(ItemTerms.FORMAT, formats), "format = any (?)", (Object)
                    formats.toArray(String[]::new)));
        }
        if (conditions.isEmpty()) {
            return;
        }
        query.where(isAnyEnough ? Condition.anyOf(conditions) : Condition.allOf(conditions));
    }

    private static List<Long> ids(JsonNode filter) {
        List<Long> ids = new ArrayList<>();
        JsonNode listed = filter.isArray() ? filter : filter.path("terms");
        listed.forEach(id -> ids.add(ItemQuery.absolute(id.longValue())));
        return ids;
    }

    private Optional<Condition> condition(Taxonomy taxonomy, JsonNode filter) {
        List<Long> ids = ids(filter);
        if (ids.isEmpty()) {
            return Optional.empty();
        }
        Collection<Long> wanted =
                filter.path("include_children").asBoolean(false) ? terms.withDescendants(ids) : Set.copyOf(ids);
        Long[] bound = wanted.toArray(Long[]::new);
        List<String> names = wanted.stream()
                .map(id -> ItemTerms.term(taxonomy.wireName(), id))
                .toList();
        if (filter.path("operator").asString("OR").equals("AND")) {
            String all = "((select count(*) from item_term x join term t on t.id = x.term_id"
                    + " where x.item_id = item.id and t.taxonomy = ? and t.id = any (?)) = ?)";
            Object[] values = {taxonomy.wireName(), bound, bound.length};
            return Optional.of(new Condition(all, List.of(values), ItemTerms.isAllOf(ItemTerms.TERM, names)));
        }
        String any = "(item.id in (select x.item_id from item_term x join term t on t.id = x.term_id"
                + " where t.taxonomy = ? and t.id = any (?)))";
        return Optional.of(Condition.of(ItemTerms.isOneOf(ItemTerms.TERM, names), any, taxonomy.wireName(), bound));
    }

    /**
     * Answers a list of items.
     *
     * @param request with the arguments of {@link #arguments}
     * @param type of the items
     * @param query from {@link #query}
     * @param show makes what the answer shows of the items
     * @return one page; of what the caller may not read nothing is on it
     */
    public RestAnswer answer(
            RestRequest request,
            ItemType type,
            ItemQuery query,
            BiFunction<Collection<Item>, Context, ArrayNode> show) {
        ItemStore.ListPage found = store.list(query);
        long page = request.arguments().number("page");
        long perPage = request.arguments().number("per_page");
        long total = found.total();
        if (found.items().isEmpty() && request.arguments().has("offset")) {
            total = 0;
        }
        long pages = Paging.pages(total, perPage);
        if (page > pages && total > 0) {
            throw RestError.of(
                    400,
                    "rest_post_invalid_page_number",
                    "The page number requested is larger than the number of pages available.");
        }
        List<Item> items = found.items();
        if (type.has(Feature.STICKINESS) && page == 1 && !request.arguments().flag("ignore_sticky")) {
            items = withStickyOnTop(items, request);
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

    /** Sticky items come first, those of the page before the others; and they come beside what was asked for. */
    private List<Item> withStickyOnTop(List<Item> items, RestRequest request) {
        ArgumentValues wanted = request.arguments();
        boolean isNarrowed = wanted.has("search")
                || wanted.flag("sticky")
                || !wanted.integers("include").isEmpty()
                || Stream.of("categories", "tags", "format")
                        .anyMatch(name -> wanted.value(name)
                                .filter(filter -> !isEmpty(filter))
                                .isPresent());
        if (isNarrowed) {
            return items;
        }
        List<Long> excluded =
                wanted.integers("exclude").stream().map(ItemQuery::absolute).toList();
        List<Item> top = new ArrayList<>(items.stream()
                .filter(item -> item.isSticky() && !excluded.contains(item.id()))
                .toList());
        if (!wanted.has("sticky")) {
            List<Long> there = items.stream().map(Item::id).toList();
            ItemQuery others = ItemQuery.of(ItemType.POST)
                    .withStatus(Set.of(ItemStatus.PUBLISH))
                    .sticky(true)
                    .notIn("id", there)
                    .notIn("id", excluded)
                    .page(0, MOST_STICKY);
            top.addAll(store.list(others).items());
        }
        items.stream().filter(item -> !top.contains(item)).forEach(top::add);
        return top;
    }

    private static boolean isEmpty(JsonNode filter) {
        return (filter.isArray() ? filter : filter.path("terms")).isEmpty();
    }

    private List<Item> visible(RestRequest request, ItemType type, List<Item> items, Context context) {
        access.known(request, items);
        if (type == ItemType.ATTACHMENT) {
            List<Long> parents = items.stream()
                    .map(Item::parent)
                    .filter(id -> id > 0)
                    .distinct()
                    .toList();
            // Looked up at once: they say who may see the files.
            access.findAll(request, parents);
        }
        return items.stream()
                .filter(item -> access.mayRead(request, item))
                .filter(item -> context != Context.EDIT || access.mayEdit(request.caller(), item))
                .toList();
    }
}
