package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.item.ItemQuery.OrderBy;
import io.github.ratelimit.content.cms.item.ItemType.Feature;
import io.github.ratelimit.content.cms.rest.Arguments;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.Filters;
import io.github.ratelimit.content.cms.rest.Paging;
import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.cms.text.Slugs;
import io.github.ratelimit.content.server.store.PageQuery;
import io.github.ratelimit.content.server.store.SqlCondition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ArrayNode;

/** Lists of items: how the answer is found to what {@link ItemFilters} lets them be asked for. */
@Component
public class ItemListing {
    /** Chosen: as many as a page has at most. */
    private static final int MOST_STICKY = 100;

    private static final Set<ItemColumn> RAW = EnumSet.of(ItemColumn.TITLE, ItemColumn.CONTENT, ItemColumn.EXCERPT);

    /** The texts of members, as they are read. */
    private static final Map<String, Set<ItemColumn>> SHOWN = Map.of(
            "title", EnumSet.of(ItemColumn.TITLE_RENDERED),
            "content", EnumSet.of(ItemColumn.CONTENT_RENDERED),
            "excerpt", EnumSet.of(ItemColumn.EXCERPT_RENDERED),
            "meta", EnumSet.of(ItemColumn.FOOTNOTES));

    /** All but what was thrown away or never saved. */
    private static final Set<ItemStatus> ANY =
            EnumSet.complementOf(EnumSet.of(ItemStatus.TRASH, ItemStatus.AUTO_DRAFT));

    private final ItemStore store;
    private final ItemFinder access;

    ItemListing(ItemStore store, ItemFinder access) {
        this.store = store;
        this.access = access;
    }

    /** Makes a query of what a request asks for. */
    private ItemQuery query(RestRequest request, ItemType type, Filters filters) {
        ItemQuery query = ItemQuery.of(type);
        restrictStatus(query, type, request.arguments(), request.caller());
        query.readableBy(request.caller()).reading(texts(request, type));
        return refine(query, request, type, filters);
    }

    /**
     * Adds what a request asks for: conditions, order and page.
     *
     * @param query takes it
     * @param request with the arguments of the table
     * @param type of the items
     * @param filters the table
     * @return the query
     */
    public ItemQuery refine(ItemQuery query, RestRequest request, ItemType type, Filters filters) {
        Arguments.Values wanted = request.arguments();
        filters.conditions(request).forEach(query.within(request::takeRoom)::where);
        if (wanted.has("search")) {
            query.ofTexts();
        }
        List<SqlCondition> ofTerms = filters.joined(request);
        if (!ofTerms.isEmpty()) {
            query.where(ItemFilters.isAnyEnough(request) ? SqlCondition.anyOf(ofTerms) : SqlCondition.allOf(ofTerms));
        }
        setOrder(query, request, type);
        long perPage = wanted.integer("per_page").orElse(Integer.MAX_VALUE);
        return query.page(Paging.skipped(wanted, perPage), perPage);
    }

    /** Names the texts that the answer shows: raw ones are for whoever edits, and excerpts of another length are made of them. */
    private static Set<ItemColumn> texts(RestRequest request, ItemType type) {
        if (!type.has(Feature.TEXT)) {
            return ItemColumn.READ_TEXTS;
        }
        boolean isRaw = Context.of(request) == Context.EDIT
                || request.raw("excerpt_length").isPresent();
        Set<ItemColumn> texts = EnumSet.noneOf(ItemColumn.class);
        SHOWN.forEach((member, columns) -> {
            if (request.shows(member)) {
                texts.addAll(columns);
            }
        });
        if (isRaw) {
            texts.addAll(RAW);
        }
        return texts;
    }

    private static void restrictStatus(ItemQuery query, ItemType type, Arguments.Values wanted, Caller caller) {
        List<String> names = wanted.texts("status");
        Set<ItemStatus> statuses = EnumSet.noneOf(ItemStatus.class);
        if (names.contains("any")) {
            statuses.addAll(ANY);
        } else if (names.contains("")) {
            statuses.addAll(EnumSet.allOf(ItemStatus.class));
        }
        names.forEach(name -> ItemStatus.of(name).ifPresent(statuses::add));
        if (statuses.isEmpty() && type == ItemType.ATTACHMENT) {
            statuses.add(ItemStatus.INHERIT); // a list of files is never of no status
        }
        if (!statuses.isEmpty()) {
            query.withStatus(statuses);
        } else if (caller.may(type.capabilities().readPrivate())) {
            query.withStatus(Set.of(ItemStatus.PUBLISH, ItemStatus.PRIVATE));
        } else {
            // No status at all.
            query.where("(status = 'publish' or (status = 'private' and author_id = ?))", ReadingRule.owner(caller));
        }
    }

    private static void setOrder(ItemQuery query, RestRequest request, ItemType type) {
        Arguments.Values wanted = request.arguments();
        OrderBy by = OrderBy.valueOf(wanted.text("orderby").orElse("date").toUpperCase(Locale.ROOT));
        boolean isAscending = wanted.text("order").orElse("desc").equals("asc");
        switch (by) {
            case INCLUDE -> {
                List<Long> ids = Paging.ids(wanted, "include");
                if (ids.isEmpty()) {
                    throw RestError.of(
                            400,
                            "rest_orderby_include_missing_include",
                            "You need to define an include parameter to order by include.");
                }
                SqlCondition.placeInNumbers("id", ids).ifPresent(query::orderAsGiven);
            }
            case INCLUDE_SLUGS -> {
                List<String> slugs =
                        wanted.texts("slug").stream().map(Slugs::of).toList();
                // Without slugs there is no order: the oldest first, whatever the direction.
                query.orderBy(OrderBy.DATE, true);
                SqlCondition.placeInTexts("slug", slugs).ifPresent(query::orderAsGiven);
            }
            case RELEVANCE -> {
                if (Set.of("", "0").contains(wanted.text("search").orElse(""))) {
                    throw RestError.of(
                            400,
                            "rest_no_search_term_defined",
                            "You need to define a search term to order by relevance.");
                }
                query.orderBy(by, isAscending);
                ItemFilters.search(request, type).map(Search::rank).ifPresent(query::first);
            }
            default -> query.orderBy(by, isAscending);
        }
    }

    /**
     * Answers a list of items.
     *
     * @param request with the arguments of the table
     * @param type of the items
     * @param filters the table
     * @param show makes what the answer shows of the items
     * @return one page; of what the caller may not read nothing is on it
     */
    public RestAnswer answer(
            RestRequest request,
            ItemType type,
            Filters filters,
            BiFunction<Collection<Item>, Context, ArrayNode> show) {
        PageQuery.Page<Item> found = store.list(query(request, type, filters));
        long page = request.arguments().number("page");
        long perPage = request.arguments().number("per_page");
        long total = found.total();
        if (found.rows().isEmpty() && request.arguments().has("offset")) {
            total = 0;
        }
        long pages = Paging.pages(total, perPage);
        if (page > pages && total > 0) {
            throw RestError.of(
                    400,
                    "rest_post_invalid_page_number",
                    "The page number requested is larger than the number of pages available.");
        }
        List<Item> items = found.rows();
        if (type.has(Feature.STICKINESS) && page == 1 && !request.arguments().flag("ignore_sticky")) {
            items = withStickyOnTop(items, request);
        }
        Context context = Context.of(request);
        return Paging.answer(request, show.apply(visible(request, type, items, context), context), total, pages);
    }

    /** Sticky items come first, those of the page before the others; and they come beside what was asked for. */
    private List<Item> withStickyOnTop(List<Item> items, RestRequest request) {
        Arguments.Values wanted = request.arguments();
        boolean isNarrowed = wanted.has("search")
                || wanted.flag("sticky")
                || !wanted.integers("include").isEmpty()
                || Stream.of("categories", "tags", "format")
                        .anyMatch(name -> wanted.value(name)
                                .filter(filter -> !ItemFilters.listed(filter).isEmpty())
                                .isPresent());
        if (isNarrowed) {
            return items;
        }
        List<Long> excluded = Paging.ids(wanted, "exclude");
        List<Item> top = new ArrayList<>(items.stream()
                .filter(item -> item.isSticky() && !excluded.contains(item.id()))
                .toList());
        if (!wanted.has("sticky")) {
            List<Long> there = items.stream().map(Item::id).toList();
            ItemQuery others = ItemQuery.of(ItemType.POST)
                    .withStatus(Set.of(ItemStatus.PUBLISH))
                    .where("sticky = ?", true)
                    .reading(texts(request, ItemType.POST))
                    .within(request::takeRoom)
                    .page(0, MOST_STICKY);
            Stream.of(there, excluded)
                    .filter(ids -> !ids.isEmpty())
                    .forEach(ids -> others.where(SqlCondition.isNoneOf("id", ids)));
            top.addAll(store.list(others).rows());
        }
        items.stream().filter(item -> !top.contains(item)).forEach(top::add);
        return top;
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
            access.headers(request, parents);
        }
        return items.stream()
                .filter(item -> access.mayRead(request, item))
                .filter(item -> context != Context.EDIT
                        || item.rightsOf(request.caller()).mayEdit())
                .toList();
    }
}
