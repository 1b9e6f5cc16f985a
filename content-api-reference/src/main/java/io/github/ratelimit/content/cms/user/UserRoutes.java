package io.github.ratelimit.content.cms.user;

import static io.github.ratelimit.content.cms.rest.Context.EDITING;
import static io.github.ratelimit.content.cms.rest.Context.EVERYWHERE;
import static io.github.ratelimit.content.cms.rest.Context.NOT_EMBEDDED;

import io.github.ratelimit.content.cms.rest.Argument;
import io.github.ratelimit.content.cms.rest.Arguments;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.Fields;
import io.github.ratelimit.content.cms.rest.Filters;
import io.github.ratelimit.content.cms.rest.Lookup;
import io.github.ratelimit.content.cms.rest.Paging;
import io.github.ratelimit.content.cms.rest.RestAddress;
import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Route;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.security.Account;
import io.github.ratelimit.content.cms.security.Accounts;
import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.cms.security.Role;
import io.github.ratelimit.content.cms.text.Letters;
import io.github.ratelimit.content.cms.text.SiteDates;
import io.github.ratelimit.content.server.store.PageQuery;
import io.github.ratelimit.content.server.store.SqlCondition;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Accounts: lists, single ones, and the own account of a caller under {@code /users/me}. They are made by settings.
 *
 * <p>Readers know the authors of published items only. Other accounts are known to their owners and to callers who may list accounts.
 */
@Component
@Order(500)
class UserRoutes implements Route.Source {
    static final String ROUTE = "/cms/v2/users";
    private static final Filters FILTERS = filters();

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private static final Argument ID = Argument.optional("id", Schema.integer("The number of the account."));

    private static final Fields<Shown, Void> TABLE = fields();

    private final Accounts accounts;
    private final Lookup<Long, Accounts.Profile> known;

    UserRoutes(Accounts accounts) {
        this.accounts = accounts;
        this.known = Lookup.ofSeveral(accounts::findAll);
    }

    @Override
    public List<Route> routes() {
        Route list = Route.at("cms/v2", "/users")
                .describedBy(base -> TABLE.describe("user"))
                .on(RestMethod.GET)
                .accepts(FILTERS.arguments())
                .allowedTo(UserRoutes::toList)
                .servedBy(this::list)
                .build();
        Route one = Route.at("cms/v2", "/users/<id>")
                .describedBy(base -> TABLE.describe("user"))
                .on(RestMethod.GET)
                .accepts(Arguments.of(ID, Context.ARGUMENT))
                .foreseeing(requests -> known.findAll(
                        requests.get(0),
                        requests.stream()
                                .map(request -> request.arguments().number("id"))
                                .toList()))
                .servedBy(this::toRead, UserRoutes::show)
                .build();
        Route me = Route.at("cms/v2", "/users/me")
                .describedBy(base -> TABLE.describe("user"))
                .on(RestMethod.GET)
                .accepts(Arguments.of(Context.ARGUMENT))
                .allowedTo(Route.Permission.ANYONE)
                .servedBy(request -> show(request, own(request)))
                .build();
        return List.of(list, one, me);
    }

    private static Filters filters() {
        Filters table = new Filters();
        table.with(Context.ARGUMENT, Paging.page(), Paging.perPage("accounts", 10));
        table.add(
                Argument.optional("search", Schema.string("Part of a name.")),
                (request, text) -> Optional.of(text.stringValue().strip())
                        .filter(part -> !part.isEmpty())
                        .map(part -> named(part, request.caller().may(Capability.LIST_USERS))));
        table.notAmong("exclude", "Other accounts than these.", "a.id").unless("include");
        table.among("include", "These accounts.", "a.id");
        table.with(Paging.order("asc"), Paging.orderBy("name", "id", "include", "name"));
        table.texts(
                Argument.optional("slug", Schema.arrayOf(Schema.string(), "With one of these slugs.")),
                slugs -> SqlCondition.isOneOfTexts("a.slug", slugs));
        return table;
    }

    /** Callers that may list accounts find them by login and email address too. */
    private static SqlCondition named(String part, boolean isForManagers) {
        String name = Letters.lowerSql("a.display_name");
        return isForManagers
                ? SqlCondition.contains(Letters.lower(part), "a.login_key", "a.email_key", name, "a.slug")
                : SqlCondition.contains(Letters.lower(part), name, "a.slug");
    }

    private Account own(RestRequest request) {
        return known.find(request, request.caller().accountId())
                .map(Accounts.Profile::account)
                .orElseThrow(() -> RestError.of(401, "rest_not_logged_in", "You are not currently logged in."));
    }

    private static void toList(RestRequest request) {
        if (Context.of(request) == Context.EDIT) {
            request.require(
                    Capability.LIST_USERS, "rest_forbidden_context", "Sorry, you are not allowed to edit users.");
        }
    }

    private Account toRead(RestRequest request) {
        Caller caller = request.caller();
        Accounts.Profile found = known.find(request, request.arguments().number("id"))
                .orElseThrow(() -> RestError.of(404, "rest_user_invalid_id", "Invalid user ID."));
        if (caller.is(found.account().id())) {
            return found.account();
        }
        request.require(
                Context.of(request) != Context.EDIT || caller.may(Capability.EDIT_USERS),
                "rest_forbidden_context",
                "Sorry, you are not allowed to edit this user.");
        request.require(
                found.isPublic() || caller.may(Capability.LIST_USERS),
                "rest_user_cannot_view",
                "Sorry, you are not allowed to list users.");
        return found.account();
    }

    private static RestAnswer show(RestRequest request, Account account) {
        return RestAnswer.ok(shown(request, account));
    }

    private static ObjectNode shown(RestRequest request, Account account) {
        String base = request.baseUrl();
        ObjectNode shown = TABLE.show(request, new Shown(account, base), Context.of(request));
        ObjectNode links = shown.putObject("_links");
        RestAddress.link(links, "self", RestAddress.of(base, ROUTE + "/" + account.id()));
        RestAddress.link(links, "collection", RestAddress.of(base, ROUTE));
        return shown;
    }

    private RestAnswer list(RestRequest request) {
        Arguments.Values wanted = request.arguments();
        List<SqlCondition> conditions = new ArrayList<>(FILTERS.conditions(request));
        if (!request.caller().may(Capability.LIST_USERS)) {
            conditions.add(new SqlCondition(Accounts.IS_PUBLIC_AUTHOR));
        }
        String direction = wanted.text("order").orElse("asc").equals("desc") ? " desc" : " asc";
        String column = wanted.text("orderby").orElse("name").equals("name") ? "a.name_order" : "a.id";
        long perPage = wanted.number("per_page");
        PageQuery.Page<Account> found =
                accounts.list(conditions, column + direction + ", a.id", Paging.skipped(wanted, perPage), perPage);
        ArrayNode items = JSON.arrayNode();
        found.rows().forEach(account -> items.add(shown(request, account)));
        return Paging.answer(request, items, found.total(), Paging.pages(found.total(), perPage));
    }

    /**
     * An account as an answer shows it.
     *
     * @param account the account
     * @param base the address of the site
     */
    record Shown(Account account, String base) {
        String link() {
            return base + "/?author=" + account.id();
        }
    }

    private static Fields<Shown, Void> fields() {
        Fields.Table<Shown, Void> fields = Fields.declareShown();
        Fields.Members<Account, Void> account = fields.of(Shown::account);
        account.number("id", "Its number.", EVERYWHERE, Account::id);
        account.text("username", "The name to sign in with.", EDITING, Account::login);
        account.text("name", "The name that readers see.", EVERYWHERE, Account::name);
        account.text("email", "Email address.", EDITING, Account::email);
        account.text("url", "The address of a site of theirs; always empty here.", EVERYWHERE, known -> "");
        account.text("description", "A text about them; always empty here.", EVERYWHERE, known -> "");
        fields.text("link", "The address of a page with their items.", "uri", EVERYWHERE, Shown::link);
        account.text("slug", "The name in addresses.", EVERYWHERE, Account::slug);
        account.text("registered_date", "When the account was made.", "date-time", EDITING, UserRoutes::registered);
        Schema roles = Schema.arrayOf(Schema.string(), "The role of the account.");
        account.add(
                "roles",
                roles,
                EDITING,
                known -> JSON.arrayNode().add(known.role().wireName()));
        Schema capabilities = Schema.object("What the account may do.");
        account.of(Account::role).add("capabilities", capabilities, EDITING, UserRoutes::capabilities);
        Schema meta = Schema.object("Members of tools.").withoutProperties();
        fields.add("meta", meta, NOT_EMBEDDED, shown -> JSON.arrayNode()).unmarked();
        return fields.build();
    }

    private static String registered(Account account) {
        return SiteDates.print(account.registered(), ZoneOffset.UTC) + "+00:00";
    }

    /** Tells what a role is allowed, as accounts show it. */
    static ObjectNode capabilities(Role role) {
        ObjectNode capabilities = JSON.objectNode();
        for (Capability capability : role.capabilities()) {
            capabilities.put(capability.name().toLowerCase(Locale.ROOT), true);
        }
        return capabilities.put(role.wireName(), true);
    }
}
