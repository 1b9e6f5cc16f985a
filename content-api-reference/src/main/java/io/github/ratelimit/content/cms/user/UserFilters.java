package io.github.ratelimit.content.cms.user;

import io.github.ratelimit.content.cms.rest.Argument;
import io.github.ratelimit.content.cms.rest.Filters;
import io.github.ratelimit.content.cms.rest.Paging;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.cms.security.Role;
import io.github.ratelimit.content.cms.text.LetterCase;
import io.github.ratelimit.content.shared.storage.SqlCondition;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/** The table of what lists of accounts can be asked for: each argument, and what it means to the database. */
final class UserFilters {
    private static final Pattern STARS = Pattern.compile("^\\*++|(?<!\\*)\\*++$");

    static final Filters<SqlCondition> TABLE = table();

    private UserFilters() {}

    private static Filters<SqlCondition> table() {
        Filters<SqlCondition> table = new Filters<>();
        table.with(UserFields.CONTEXT, Paging.page(), Paging.perPage("accounts", 10));
        table.add(
                Argument.optional("search", Schema.string().describedAs("Part of a name.")),
                (request, text) -> Optional.of(withoutStars(text.stringValue()))
                        .filter(part -> !part.isEmpty())
                        .map(part -> named(part, request.caller().may(Capability.LIST_USERS))));
        table.ids("exclude", "Other accounts than these.", ids -> SqlCondition.isNoneOf("a.id", ids))
                .unless("include");
        table.ids("include", "These accounts.", ids -> SqlCondition.isOneOf("a.id", ids));
        table.with(
                Paging.offset("accounts"),
                Paging.order("asc"),
                Paging.orderBy(
                        "name", "id", "include", "name", "registered_date", "slug", "include_slugs", "email", "url"));
        table.texts(
                Argument.optional("slug", Schema.arrayOf(Schema.string()).describedAs("With one of these slugs.")),
                slugs -> SqlCondition.isOneOfTexts("a.slug", slugs));
        table.texts(
                        Argument.optional(
                                "roles", Schema.arrayOf(Schema.string()).describedAs("With one of these roles.")),
                        names -> withRole(role -> names.contains(role.wireName())))
                .unless("who");
        table.texts(
                Argument.optional(
                        "capabilities", Schema.arrayOf(Schema.string()).describedAs("Those who may do all of this.")),
                needed -> withRole(role -> {
                    ObjectNode may = UserFields.capabilities(role);
                    return needed.stream().allMatch(may::has);
                }));
        table.add(
                Argument.optional(
                        "who",
                        Schema.string().describedAs("Those who may write.").among("authors")),
                (request, who) -> Optional.of(withRole(role -> role.may(Capability.EDIT_POSTS))));
        return table.with(Argument.optional(
                "has_published_posts", Schema.bool().describedAs("Whether to show only authors of published items.")));
    }

    /** Clients write stars around what is a part of a name anyway. */
    private static String withoutStars(String part) {
        return STARS.matcher(part.strip()).replaceAll("");
    }

    /** The login and the address are no secrets to those who may list accounts; others find by names alone. */
    private static SqlCondition named(String part, boolean alsoPrivately) {
        String name = LetterCase.lowerSql("a.display_name");
        return alsoPrivately
                ? SqlCondition.contains(LetterCase.lower(part), "a.login_key", "a.email_key", name, "a.slug")
                : SqlCondition.contains(LetterCase.lower(part), name, "a.slug");
    }

    /** What an account may is a matter of its role alone. Roles that nobody can have match nobody. */
    private static SqlCondition withRole(Predicate<Role> fits) {
        return SqlCondition.isOneOfTexts(
                "a.role",
                Stream.of(Role.values()).filter(fits).map(Role::wireName).toList());
    }
}
