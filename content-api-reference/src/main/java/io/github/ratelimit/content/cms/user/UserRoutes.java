package io.github.ratelimit.content.cms.user;

import io.github.ratelimit.content.cms.rest.ArgumentValues;
import io.github.ratelimit.content.cms.rest.Arguments;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.Lookup;
import io.github.ratelimit.content.cms.rest.Paging;
import io.github.ratelimit.content.cms.rest.Permission;
import io.github.ratelimit.content.cms.rest.RestAddress;
import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Route;
import io.github.ratelimit.content.cms.rest.RouteSource;
import io.github.ratelimit.content.cms.security.Account;
import io.github.ratelimit.content.cms.security.AccountChanges;
import io.github.ratelimit.content.cms.security.AccountQuery;
import io.github.ratelimit.content.cms.security.Accounts;
import io.github.ratelimit.content.cms.security.AuthoredContent;
import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.shared.storage.SqlCondition;
import io.github.ratelimit.content.shared.storage.Writes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Accounts: list, read, create, change, delete, and the caller's own under {@code /users/me}.
 *
 * <p>Readers know the authors of published items and nobody else; that an account exists is told to those only who may
 * list accounts, and to its owner.
 */
@Component
@Order(500)
class UserRoutes implements RouteSource {
    private static final String TAKEN_EMAIL = "Sorry, that email address is already used!";

    private final Accounts accounts;
    private final ObjectProvider<AuthoredContent> content;
    private final TransactionOperations transaction;
    private final Writes writes;
    private final Lookup<Long, Account> known;
    private final Lookup<Long, Accounts.Seen> seen = Lookup.ofSeveral(this::seen);

    UserRoutes(
            Accounts accounts,
            ObjectProvider<AuthoredContent> content,
            TransactionOperations transaction,
            Writes writes) {
        this.accounts = accounts;
        this.content = content;
        this.transaction = transaction;
        this.writes = writes;
        this.known = Lookup.of(accounts::find, accounts::findAll);
    }

    @Override
    public List<Route> routes() {
        return List.of(collection(), item(), me());
    }

    private Route collection() {
        return Route.in("cms/v2")
                .at("/users")
                .describedBy(base -> UserFields.TABLE.describe("user"))
                .on(RestMethod.GET)
                .accepts(UserFilters.TABLE.arguments())
                .allowedTo(UserRoutes::toList)
                .servedBy(this::list)
                .on(RestMethod.POST)
                .accepts(UserFields.TABLE.arguments().requiring("username", "email", "password"))
                .allowedTo(request -> request.require(
                        Capability.CREATE_USERS,
                        "rest_cannot_create_user",
                        "Sorry, you are not allowed to create new users."))
                .servedBy(this::create)
                .build();
    }

    private Route item() {
        return Route.in("cms/v2")
                .at("/users/<id>")
                .describedBy(base -> UserFields.TABLE.describe("user"))
                .on(RestMethod.GET)
                .accepts(Arguments.of(UserFields.ID, UserFields.CONTEXT))
                .foreseeing(this::foresee)
                .about(this::toRead)
                .servedBy(UserRoutes::read)
                .on(RestMethod.POST, RestMethod.PUT, RestMethod.PATCH)
                .accepts(Arguments.of(UserFields.ID).and(UserFields.TABLE.arguments()))
                .about(request -> toChange(request, account(request)))
                .servedBy(this::change)
                .on(RestMethod.DELETE)
                .accepts(Arguments.of(UserFields.ID).and(UserFields.deleting()))
                .about(request -> toDelete(request, account(request)))
                .servedBy(this::delete)
                .build();
    }

    private Route me() {
        return Route.in("cms/v2")
                .at("/users/me")
                .describedBy(base -> UserFields.TABLE.describe("user"))
                .on(RestMethod.GET)
                .accepts(Arguments.of(UserFields.CONTEXT))
                // Anybody may ask who he is, also who is nobody.
                .allowedTo(Permission.ANYONE)
                .servedBy(request -> read(request, own(request)))
                .on(RestMethod.POST, RestMethod.PUT, RestMethod.PATCH)
                .accepts(UserFields.TABLE.arguments())
                .about(request -> toChange(request, ownToWrite(request)))
                .servedBy(this::change)
                .on(RestMethod.DELETE)
                .accepts(UserFields.deleting())
                .about(request -> toDelete(request, ownToWrite(request)))
                .servedBy(this::delete)
                .build();
    }

    private Account own(RestRequest request) {
        return known.find(request, request.caller().accountId())
                .orElseThrow(() -> RestError.of(401, "rest_not_logged_in", "You are not currently logged in."));
    }

    /** Readers are told that they are nobody, writers that there is no such account. */
    private Account ownToWrite(RestRequest request) {
        return known.find(request, request.caller().accountId()).orElseThrow(UserRoutes::unknown);
    }

    private Account account(RestRequest request) {
        return known.find(request, request.arguments().number("id")).orElseThrow(UserRoutes::unknown);
    }

    private static RestError unknown() {
        return RestError.of(404, "rest_user_invalid_id", "Invalid user ID.");
    }

    private void foresee(List<RestRequest> requests) {
        RestRequest any = requests.get(0);
        List<Long> ids = requests.stream()
                .map(request -> request.arguments().number("id"))
                .toList();
        if (any.caller().may(Capability.LIST_USERS)) {
            known.findAll(any, ids);
        } else {
            seen.findAll(any, ids);
        }
    }

    private Map<Long, Accounts.Seen> seen(Collection<Long> ids) {
        return accounts.findAll(
                ids,
                content.stream()
                        .map(AuthoredContent::isPublicAuthor)
                        .reduce("false", (one, other) -> one + " or " + other));
    }

    private static void toList(RestRequest request) {
        ArgumentValues wanted = request.arguments();
        if (wanted.value("roles").isPresent()) {
            request.require(
                    Capability.LIST_USERS,
                    "rest_user_cannot_view",
                    "Sorry, you are not allowed to filter users by role.");
        }
        if (wanted.value("capabilities").isPresent()) {
            request.require(
                    Capability.LIST_USERS,
                    "rest_user_cannot_view",
                    "Sorry, you are not allowed to filter users by capability.");
        }
        if (Context.of(request) == Context.EDIT) {
            request.require(
                    Capability.LIST_USERS, "rest_forbidden_context", "Sorry, you are not allowed to edit users.");
        }
        String order = wanted.text("orderby").orElse("name");
        if (order.equals("email") || order.equals("registered_date")) {
            request.require(
                    Capability.LIST_USERS,
                    "rest_forbidden_orderby",
                    "Sorry, you are not allowed to order users by this parameter.");
        }
        if (wanted.text("who").isPresent()) {
            request.require(
                    Capability.EDIT_POSTS,
                    "rest_forbidden_who",
                    "Sorry, you are not allowed to query users by this parameter.");
        }
    }

    private Account toRead(RestRequest request) {
        Caller caller = request.caller();
        long id = request.arguments().number("id");
        boolean isForAll = caller.is(id) || caller.may(Capability.LIST_USERS);
        Accounts.Seen found = (isForAll
                        ? known.find(request, id).map(account -> new Accounts.Seen(account, true))
                        : seen.find(request, id))
                .orElseThrow(UserRoutes::unknown);
        if (caller.is(id)) {
            return found.account();
        }
        if (Context.of(request) == Context.EDIT && !caller.may(Capability.EDIT_USERS)) {
            throw RestError.forbidden(
                    caller, "rest_forbidden_context", "Sorry, you are not allowed to edit this user.");
        }
        if (!found.isPublic()) {
            throw RestError.forbidden(caller, "rest_user_cannot_view", "Sorry, you are not allowed to list users.");
        }
        return found.account();
    }

    private static Account toChange(RestRequest request, Account account) {
        Caller caller = request.caller();
        if (request.arguments().value("roles").isPresent() && !caller.may(Capability.PROMOTE_USERS)) {
            throw RestError.forbidden(
                    caller, "rest_cannot_edit_roles", "Sorry, you are not allowed to edit roles of this user.");
        }
        if (!mayChange(caller, account)) {
            throw RestError.forbidden(caller, "rest_cannot_edit", "Sorry, you are not allowed to edit this user.");
        }
        return account;
    }

    private static boolean mayChange(Caller caller, Account account) {
        return caller.is(account.id()) || caller.may(Capability.EDIT_USERS);
    }

    private static Account toDelete(RestRequest request, Account account) {
        request.require(
                Capability.DELETE_USERS, "rest_user_cannot_delete", "Sorry, you are not allowed to delete this user.");
        return account;
    }

    private static RestAnswer read(RestRequest request, Account account) {
        return RestAnswer.ok(UserView.show(request, account, Context.of(request)));
    }

    private RestAnswer list(RestRequest request) {
        ArgumentValues wanted = request.arguments();
        boolean all = request.caller().may(Capability.LIST_USERS);
        // Whoever writes may choose among those who write, whether or not anything of theirs is public.
        boolean isAmongAuthors = wanted.text("who").isPresent();
        boolean published = (!all && !isAmongAuthors) || wanted.flag("has_published_posts");
        long perPage = wanted.number("per_page");
        List<SqlCondition> conditions = new ArrayList<>(UserFilters.TABLE.conditions(request));
        if (published) {
            content.stream()
                    .map(authored -> new SqlCondition(authored.isPublicAuthor()))
                    .forEach(conditions::add);
        }
        AccountQuery query = new AccountQuery(
                conditions,
                order(wanted),
                wanted.text("order").orElse("asc").equals("desc"),
                Paging.skipped(wanted, perPage),
                perPage);
        long total = accounts.count(query);
        ArrayNode items = JsonNodeFactory.instance.arrayNode();
        if (query.offset() < total) {
            list(wanted, query).forEach(account -> items.add(UserView.show(request, account, Context.of(request))));
        }
        return Paging.answerFrom(request, items, total, perPage, query.offset());
    }

    /** Lists a page; those that the caller names may be asked for in the order that he names them. */
    private List<Account> list(ArgumentValues wanted, AccountQuery query) {
        List<?> named = switch (wanted.text("orderby").orElse("")) {
            case "include" -> Paging.ids(wanted, "include");
            case "include_slugs" -> wanted.texts("slug");
            default -> List.of();
        };
        if (named.isEmpty()) {
            return accounts.list(query);
        }
        Map<Object, Integer> places = new HashMap<>();
        named.forEach(name -> places.putIfAbsent(name, places.size()));
        Comparator<Account> asNamed = Comparator.comparingInt(
                account -> places.getOrDefault(account.id(), places.getOrDefault(account.slug(), Integer.MAX_VALUE)));
        return accounts.list(query.whole()).stream()
                .sorted(query.descending() ? asNamed.reversed() : asNamed)
                .skip(query.offset())
                .limit(query.limit())
                .toList();
    }

    private static AccountQuery.Order order(ArgumentValues wanted) {
        return switch (wanted.text("orderby").orElse("name")) {
            case "id" -> AccountQuery.Order.ID;
            case "registered_date" -> AccountQuery.Order.REGISTERED_DATE;
            case "slug" -> AccountQuery.Order.SLUG;
            case "email" -> AccountQuery.Order.EMAIL;
            case "url" -> AccountQuery.Order.URL;
            default -> AccountQuery.Order.NAME;
        };
    }

    private RestAnswer create(RestRequest request) {
        if (request.raw("id").filter(UserRoutes::isNumbered).isPresent()) {
            throw RestError.of(400, "rest_user_exists", "Cannot create existing user.");
        }
        ArgumentValues sent = request.arguments();
        AccountChanges wishes = UserFields.TABLE.write(sent, new AccountChanges());
        Account account = refusing(
                RestError.of(400, "existing_user_email", TAKEN_EMAIL),
                () -> accounts.create(
                        sent.text("username").orElse(""), sent.text("password").orElse(""), wishes));
        return RestAnswer.created(
                UserView.show(request, account, Context.EDIT),
                RestAddress.of(request.baseUrl(), UserView.ROUTE + "/" + account.id()));
    }

    private static boolean isNumbered(JsonNode id) {
        return !Set.of("", "0", "false").contains(id.asString(""));
    }

    private RestAnswer change(RestRequest request, Account account) {
        ArgumentValues sent = request.arguments();
        if (sent.text("username").filter(name -> !name.equals(account.login())).isPresent()) {
            throw RestError.of(400, "rest_user_invalid_argument", "Username isn't editable.");
        }
        AccountChanges changes = UserFields.TABLE.write(sent, new AccountChanges());
        if (request.caller().is(account.id())
                && changes.role()
                        .filter(wish -> !wish.may(Capability.PROMOTE_USERS))
                        .isPresent()
                && account.role().may(Capability.PROMOTE_USERS)) {
            // Nobody could give it back.
            throw RestError.of(
                    403, "rest_user_invalid_role", "Sorry, you are not allowed to give up the right to change roles.");
        }
        Account changed = refusing(RestError.of(400, "rest_user_invalid_email", TAKEN_EMAIL), () -> {
            // Before the transaction: it takes longer than anything in it.
            Optional<Accounts.NewPassword> password = sent.text("password").map(accounts::newPassword);
            return transaction.execute(status -> {
                Account current = forChange(account);
                password.ifPresent(hashed -> accounts.changePassword(account.id(), hashed));
                return accounts.update(current, changes);
            });
        });
        return RestAnswer.ok(UserView.show(request, changed, Context.EDIT));
    }

    /** Holds an account until the transaction ends. */
    private Account forChange(Account account) {
        return accounts.findForChange(account.id()).orElseThrow(UserRoutes::unknown);
    }

    private RestAnswer delete(RestRequest request, Account account) {
        if (!request.arguments().flag("force")) {
            throw RestError.of(
                    501, "rest_trash_not_supported", "Users do not support trashing. Set 'force=true' to delete.");
        }
        Optional<Long> heir = heir(request, account);
        ObjectNode previous = UserView.show(request, account, Context.EDIT);
        // Any number of items: they go before the account, some at a time. Where that is ended in between, the account
        // is there, and a repeat finishes it.
        leave(account, heir);
        boolean isDeleted = writes.run(hopeful -> {
            // First: whoever makes it an heir at this moment has done so then, or finds it gone. An item that is made
            // by
            // it, or in its name, at this moment may come after it: such a one belongs to nobody.
            if (!accounts.hold(account.id())) {
                return false;
            }
            leave(account, heir); // what was written meanwhile
            return accounts.delete(account.id());
        });
        if (!isDeleted) {
            throw unknown();
        }
        return RestAnswer.deleted(previous);
    }

    private void leave(Account account, Optional<Long> heir) {
        content.forEach(kept -> heir.ifPresentOrElse(
                to -> kept.handOver(account.id(), to, () -> {
                    if (!accounts.hold(to)) {
                        throw invalidHeir();
                    }
                }),
                () -> kept.deleteAllOf(account.id())));
    }

    private Optional<Long> heir(RestRequest request, Account account) {
        JsonNode sent = request.arguments().value("reassign").orElse(JsonNodeFactory.instance.booleanNode(false));
        String text = sent.asString("");
        if (Set.of("", "false", "0").contains(text)) {
            return Optional.empty();
        }
        Optional<Long> heir = text.matches("\\d{1,18}") ? Optional.of(Long.valueOf(text)) : Optional.empty();
        return Optional.of(
                heir.filter(id -> id != account.id() && accounts.find(id).isPresent())
                        .orElseThrow(UserRoutes::invalidHeir));
    }

    private static RestError invalidHeir() {
        return RestError.of(400, "rest_user_invalid_reassign", "Invalid user ID for reassignment.");
    }

    @FunctionalInterface
    private interface Write {
        @Nullable
        Account run();
    }

    private static Account refusing(RestError takenEmail, Write write) {
        try {
            return Objects.requireNonNull(write.run());
        } catch (Accounts.BusyException e) {
            throw RestError.of(503, "rest_busy", "Too many passwords are being checked. Please try again.");
        } catch (Accounts.RefusedException e) {
            throw switch (e.refusal()) {
                case INVALID_LOGIN ->
                    RestError.of(400, "rest_user_invalid_username", "Sorry, that username is not allowed.");
                case LOGIN_TAKEN -> RestError.of(400, "existing_user_login", "Sorry, that username already exists!");
                case INVALID_EMAIL -> RestError.of(400, "rest_user_invalid_email", "Invalid email address.");
                case EMAIL_TAKEN -> takenEmail;
                case INVALID_PASSWORD ->
                    RestError.of(400, "rest_user_invalid_password", "Passwords must have 1 to 72 bytes.");
                case SLUG_TAKEN -> RestError.of(400, "rest_user_invalid_slug", "Invalid slug.");
            };
        }
    }
}
