package io.github.ratelimit.content.cms.user;

import io.github.ratelimit.content.cms.rest.Argument;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.Filters;
import io.github.ratelimit.content.cms.rest.Paging;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.cms.text.LetterCase;
import io.github.ratelimit.content.server.store.SqlCondition;
import java.util.Optional;

/** The arguments of lists of accounts, and the condition that each sets. */
final class UserFilters {
    static final Filters<SqlCondition> TABLE = table();

    private UserFilters() {}

    private static Filters<SqlCondition> table() {
        Filters<SqlCondition> table = new Filters<>();
        table.with(Context.ARGUMENT, Paging.page(), Paging.perPage("accounts", 10));
        table.add(
                Argument.optional("search", Schema.string().describedAs("Part of a name.")),
                (request, text) -> Optional.of(text.stringValue().strip())
                        .filter(part -> !part.isEmpty())
                        .map(part -> named(part, request.caller().may(Capability.LIST_USERS))));
        table.ids("exclude", "Other accounts than these.", ids -> SqlCondition.isNoneOf("a.id", ids))
                .unless("include");
        table.ids("include", "These accounts.", ids -> SqlCondition.isOneOf("a.id", ids));
        table.with(
                Paging.offset("accounts"),
                Paging.order("asc"),
                Paging.orderBy("name", "id", "include", "name", "registered_date", "slug", "email"));
        table.texts(
                Argument.optional("slug", Schema.arrayOf(Schema.string()).describedAs("With one of these slugs.")),
                slugs -> SqlCondition.isOneOfTexts("a.slug", slugs));
        table.texts(
                Argument.optional("roles", Schema.arrayOf(Schema.string()).describedAs("With one of these roles.")),
                roles -> SqlCondition.isOneOfTexts("a.role", roles));
        return table;
    }

    /** Callers who may list accounts find them by login and email address too. */
    private static SqlCondition named(String part, boolean isForManagers) {
        String name = LetterCase.lowerSql("a.display_name");
        return isForManagers
                ? SqlCondition.contains(LetterCase.lower(part), "a.login_key", "a.email_key", name, "a.slug")
                : SqlCondition.contains(LetterCase.lower(part), name, "a.slug");
    }
}
