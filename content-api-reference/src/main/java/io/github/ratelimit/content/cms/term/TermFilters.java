package io.github.ratelimit.content.cms.term;

import io.github.ratelimit.content.cms.rest.Argument;
import io.github.ratelimit.content.cms.rest.Arguments;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.Filters;
import io.github.ratelimit.content.cms.rest.Paging;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.text.Letters;
import io.github.ratelimit.content.cms.text.Slugs;
import io.github.ratelimit.content.server.store.PageQuery;
import io.github.ratelimit.content.server.store.SqlCondition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tables of what lists of terms can be asked for: each argument, and what it means to the database. */
final class TermFilters {
    private static final String NAME = "t.name_order";

    /** What lists can be ordered by, besides the name. */
    private static final Map<String, String> ORDERS = Map.of(
            "id", "t.id",
            "term_group", "t.id",
            "slug", "cast(t.slug as bytea)",
            "description", "t.description",
            "count", "(select count(*) from item_term i where i.term_id = t.id and i.published)");

    private static final SqlCondition USED =
            new SqlCondition("exists (select 1 from item_term i where i.term_id = t.id and i.published)");

    private TermFilters() {}

    static Filters of(Taxonomy taxonomy) {
        Filters table = new Filters();
        table.with(Context.ARGUMENT, Paging.page(), Paging.perPage("terms", 10));
        table.add(
                Argument.optional("search", Schema.string("Part of a name or a slug.")),
                (request, text) -> Optional.of(text.stringValue())
                        .filter(part -> !part.isEmpty())
                        .map(part -> SqlCondition.contains(Letters.lower(part), Letters.lowerSql("t.name"), "t.slug")));
        table.notAmong("exclude", "Other terms than these.", "t.id").unless("include");
        table.among("include", "These terms.", "t.id");
        table.with(
                Paging.order("asc"),
                Paging.orderBy(
                        "name",
                        "id",
                        "include",
                        "name",
                        "slug",
                        "include_slugs",
                        "term_group",
                        "description",
                        "count"));
        table.add(
                Argument.optional(
                        "hide_empty",
                        Schema.bool("Whether to leave out terms that sort nothing.")
                                .defaultsTo(false)),
                (request, isHidden) -> Optional.of(USED).filter(used -> isHidden.booleanValue()));
        if (taxonomy.isHierarchical()) {
            table.number("parent", "Directly below this term.", id -> new SqlCondition("t.parent_id = ?", id));
        } else {
            table.with(Paging.offset("terms"));
        }
        table.number(
                "post",
                "Those that sort this item.",
                id -> new SqlCondition("t.id in (select term_id from item_term where item_id = ?)", id));
        table.texts(
                Argument.optional("slug", Schema.arrayOf(Schema.string(), "With one of these slugs.")),
                slugs -> SqlCondition.isOneOfTexts("t.slug", slugs(slugs)));
        return table;
    }

    /** Asks for a page of the terms that fulfil some conditions. */
    static PageQuery query(Taxonomy taxonomy, List<SqlCondition> conditions, Arguments.Values wanted) {
        List<SqlCondition> all = new ArrayList<>(conditions);
        all.add(new SqlCondition("t.taxonomy = ?", taxonomy.wireName()));
        String orderBy = wanted.text("orderby").orElse("");
        Optional<SqlCondition> places = switch (orderBy) {
            case "include" -> SqlCondition.placeInNumbers("t.id", Paging.ids(wanted, "include"));
            case "include_slugs" -> SqlCondition.placeInTexts("t.slug", slugs(wanted.texts("slug")));
            default -> Optional.empty();
        };
        String direction = wanted.text("order").orElse("asc").equals("asc") ? " asc" : " desc";
        String order = ORDERS.getOrDefault(orderBy, NAME) + direction + ", t.id" + direction;
        long perPage = wanted.number("per_page");
        return new PageQuery(
                new SqlCondition(
                        "term t" + places.map(SqlCondition::sql).orElse(""),
                        places.map(SqlCondition::values).orElse(List.of())),
                all,
                places.isPresent() ? "given.place" + direction : order,
                Paging.skipped(wanted, perPage),
                perPage);
    }

    private static List<String> slugs(List<String> texts) {
        return texts.stream().map(Slugs::of).toList();
    }
}
