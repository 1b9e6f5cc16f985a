package io.github.ratelimit.content.user;

import io.github.ratelimit.content.security.Account;
import io.github.ratelimit.content.security.AccountQuery;
import io.github.ratelimit.content.security.Accounts;
import io.github.ratelimit.content.security.AuthoredContent;
import io.github.ratelimit.content.security.Caller;
import io.github.ratelimit.content.security.Capability;
import io.github.ratelimit.content.security.Role;
import io.github.ratelimit.content.text.Slugs;
import io.github.ratelimit.content.web.ArgumentValues;
import io.github.ratelimit.content.web.Arguments;
import io.github.ratelimit.content.web.Paging;
import io.github.ratelimit.content.web.RestAddress;
import io.github.ratelimit.content.web.RestAnswer;
import io.github.ratelimit.content.web.RestError;
import io.github.ratelimit.content.web.RestMethod;
import io.github.ratelimit.content.web.RestRequest;
import io.github.ratelimit.content.web.Route;
import io.github.ratelimit.content.web.RouteSource;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
    private final Accounts accounts;
    private final ObjectProvider<AuthoredContent> content;
    private final TransactionOperations transaction;

    UserRoutes(Accounts accounts, ObjectProvider<AuthoredContent> content, TransactionOperations transaction) {
        this.accounts = accounts;
        this.content = content;
        this.transaction = transaction;
    }

    @Override
    public List<Route> routes() {
        return List.of(collection(), item(), me());
    }

    private Route collection() {
        return Route.in("cms/v2")
                .at("/users")
                .describedBy(base -> UserFields.describe())
                .on(RestMethod.GET)
                .accepts(UserFields.listing())
                .allowedTo(UserRoutes::toList)
                .servedBy(this::list)
                .on(RestMethod.POST)
                .accepts(UserFields.creating())
                .allowedTo(request -> require(
                        request,
                        Capability.CREATE_USERS,
                        "rest_cannot_create_user",
                        "Sorry, you are not allowed to create new users."))
                .servedBy(this::create)
                .build();
    }

    private Route item() {
        return Route.in("cms/v2")
                .at("/users/<id>")
                .describedBy(base -> UserFields.describe())
                .on(RestMethod.GET)
                .accepts(Arguments.of(UserFields.ID, UserFields.CONTEXT))
                .allowedTo(request -> toRead(request, account(request)))
                .servedBy(request -> RestAnswer.ok(UserView.show(request, account(request), context(request))))
                .on(RestMethod.POST, RestMethod.PUT, RestMethod.PATCH)
                .accepts(Arguments.of(UserFields.ID).and(UserFields.changing()))
                .allowedTo(request -> toChange(request, account(request)))
                .servedBy(request -> change(request, account(request)))
                .on(RestMethod.DELETE)
                .accepts(Arguments.of(UserFields.ID).and(UserFields.deleting()))
                .allowedTo(request -> {
                    account(request);
                    toDelete(request);
                })
                .servedBy(request -> delete(request, account(request)))
                .build();
    }

    private Route me() {
        return Route.in("cms/v2")
                .at("/users/me")
                .describedBy(base -> UserFields.describe())
                .on(RestMethod.GET)
                .accepts(Arguments.of(UserFields.CONTEXT))
                .allowedTo(this::own)
                .servedBy(request -> RestAnswer.ok(UserView.show(request, own(request), context(request))))
                .on(RestMethod.POST, RestMethod.PUT, RestMethod.PATCH)
                .accepts(UserFields.changing())
                .allowedTo(request -> toChange(request, own(request)))
                .servedBy(request -> change(request, own(request)))
                .on(RestMethod.DELETE)
                .accepts(UserFields.deleting())
                .allowedTo(request -> {
                    own(request);
                    toDelete(request);
                })
                .servedBy(request -> delete(request, own(request)))
                .build();
    }

    private static String context(RestRequest request) {
        return request.arguments().text("context").orElse("view");
    }

    private Account own(RestRequest request) {
        Optional<Account> own = request.remember(
                "own account", () -> accounts.find(request.caller().accountId()));
        return own.orElseThrow(() -> RestError.of(401, "rest_not_logged_in", "You are not currently logged in."));
    }

    private Account account(RestRequest request) {
        long id = request.arguments().number("id");
        Optional<Account> found = request.remember("account " + id, () -> accounts.find(id));
        return found.orElseThrow(() -> RestError.of(404, "rest_user_invalid_id", "Invalid user ID."));
    }

    private static void require(RestRequest request, Capability capability, String code, String message) {
        if (!request.caller().may(capability)) {
            throw RestError.forbidden(request.caller(), code, message);
        }
    }

    private static void toList(RestRequest request) {
        ArgumentValues wanted = request.arguments();
        if (wanted.value("roles").isPresent()) {
            require(
                    request,
                    Capability.LIST_USERS,
                    "rest_user_cannot_view",
                    "Sorry, you are not allowed to filter users by role.");
        }
        if (context(request).equals("edit")) {
            require(
                    request,
                    Capability.LIST_USERS,
                    "rest_forbidden_context",
                    "Sorry, you are not allowed to edit users.");
        }
        String order = wanted.text("orderby").orElse("name");
        if (order.equals("email") || order.equals("registered_date")) {
            require(
                    request,
                    Capability.LIST_USERS,
                    "rest_forbidden_orderby",
                    "Sorry, you are not allowed to order users by this parameter.");
        }
        if (wanted.text("who").isPresent()) {
            require(
                    request,
                    Capability.EDIT_POSTS,
                    "rest_forbidden_who",
                    "Sorry, you are not allowed to query users by this parameter.");
        }
    }

    private void toRead(RestRequest request, Account account) {
        Caller caller = request.caller();
        if (caller.is(account.id())) {
            return;
        }
        if (context(request).equals("edit") && !caller.may(Capability.EDIT_USERS)) {
            throw RestError.forbidden(caller, "rest_user_cannot_view", "Sorry, you are not allowed to edit this user.");
        }
        if (!caller.may(Capability.LIST_USERS)
                && content.stream().noneMatch(kept -> kept.isPublicAuthor(account.id()))) {
            throw RestError.forbidden(caller, "rest_user_cannot_view", "Sorry, you are not allowed to list users.");
        }
    }

    private static void toChange(RestRequest request, Account account) {
        Caller caller = request.caller();
        if (!caller.is(account.id()) && !caller.may(Capability.EDIT_USERS)) {
            throw RestError.forbidden(caller, "rest_cannot_edit", "Sorry, you are not allowed to edit this user.");
        }
        if (request.arguments().value("roles").isPresent() && !caller.may(Capability.PROMOTE_USERS)) {
            throw RestError.forbidden(
                    caller, "rest_cannot_edit_roles", "Sorry, you are not allowed to edit roles of this user.");
        }
    }

    private static void toDelete(RestRequest request) {
        if (!request.caller().may(Capability.DELETE_USERS)) {
            throw RestError.forbidden(
                    request.caller(), "rest_user_cannot_delete", "Sorry, you are not allowed to delete this user.");
        }
    }

    private Set<Long> publicAuthors() {
        Set<Long> authors = new HashSet<>();
        content.forEach(kept -> authors.addAll(kept.publicAuthors()));
        return authors;
    }

    private RestAnswer list(RestRequest request) {
        ArgumentValues wanted = request.arguments();
        boolean all = request.caller().may(Capability.LIST_USERS);
        boolean published = !all || wanted.flag("has_published_posts");
        long perPage = wanted.number("per_page");
        long page = wanted.number("page");
        long skipped = page > Long.MAX_VALUE / perPage ? Long.MAX_VALUE : (page - 1) * perPage;
        List<Role> roles = wanted.text("who").isPresent()
                ? Arrays.stream(Role.values())
                        .filter(role -> role.may(Capability.EDIT_POSTS))
                        .toList()
                : wanted.texts("roles").stream()
                        .flatMap(name -> Role.of(name).stream())
                        .toList();
        AccountQuery query = new AccountQuery(
                wanted.text("search").orElse("").strip(),
                all,
                wanted.integers("include"),
                wanted.integers("exclude"),
                wanted.texts("slug"),
                roles,
                published ? Optional.of(publicAuthors()) : Optional.empty(),
                order(wanted),
                wanted.text("order").orElse("asc").equals("desc"),
                wanted.integer("offset").isPresent() ? Math.max(0, wanted.number("offset")) : skipped,
                perPage);
        // Roles that nobody can have match nobody, not everybody.
        boolean none = roles.isEmpty() && !wanted.texts("roles").isEmpty();
        long total = none ? 0 : accounts.count(query);
        ArrayNode items = JsonNodeFactory.instance.arrayNode();
        if (total > 0) {
            accounts.list(query).forEach(account -> items.add(UserView.show(request, account, context(request))));
        }
        return Paging.answer(request, items, total, Paging.pages(total, perPage));
    }

    private static AccountQuery.Order order(ArgumentValues wanted) {
        return switch (wanted.text("orderby").orElse("name")) {
            case "id", "include" -> AccountQuery.Order.ID;
            case "registered_date" -> AccountQuery.Order.REGISTERED_DATE;
            case "slug", "include_slugs" -> AccountQuery.Order.SLUG;
            case "email" -> AccountQuery.Order.EMAIL;
            case "url" -> AccountQuery.Order.URL;
            default -> AccountQuery.Order.NAME;
        };
    }

    private RestAnswer create(RestRequest request) {
        ArgumentValues sent = request.arguments();
        String login = sent.text("username").orElse("");
        Role role = role(sent).orElse(Role.SUBSCRIBER);
        Account.Profile start = Account.Profile.named(login, login);
        Account account = refusing(() -> accounts.create(
                login,
                role,
                sent.text("email").orElse(""),
                sent.text("slug").orElse(""),
                profile(sent, start),
                sent.text("password").orElse("")));
        return RestAnswer.created(
                UserView.show(request, account, "edit"),
                RestAddress.of(request.baseUrl(), UserView.ROUTE + "/" + account.id()));
    }

    private RestAnswer change(RestRequest request, Account account) {
        ArgumentValues sent = request.arguments();
        if (sent.text("username").filter(name -> !name.equals(account.login())).isPresent()) {
            throw RestError.of(400, "rest_user_invalid_argument", "Username isn't editable.");
        }
        Role role = role(sent).orElse(account.role());
        if (request.caller().is(account.id())
                && !role.may(Capability.PROMOTE_USERS)
                && account.role().may(Capability.PROMOTE_USERS)) {
            // Nobody could give it back.
            throw RestError.of(
                    403, "rest_user_invalid_role", "Sorry, you are not allowed to give up the right to change roles.");
        }
        String slug =
                sent.text("slug").map(Slugs::of).filter(wish -> !wish.isEmpty()).orElse(account.slug());
        Account changed = new Account(
                account.id(),
                account.login(),
                sent.text("email").or(account::email).orElse(null),
                slug,
                role,
                profile(sent, account.profile()),
                account.registered());
        refusing(() -> {
            transaction.executeWithoutResult(status -> {
                accounts.update(changed);
                sent.text("password").ifPresent(password -> accounts.changePassword(account.id(), password));
            });
            return changed;
        });
        request.forget();
        return RestAnswer.ok(UserView.show(request, changed, "edit"));
    }

    private static Account.Profile profile(ArgumentValues sent, Account.Profile known) {
        return new Account.Profile(
                sent.text("name").filter(name -> !name.isBlank()).orElse(known.displayName()),
                sent.text("first_name").orElse(known.firstName()),
                sent.text("last_name").orElse(known.lastName()),
                sent.text("nickname").filter(name -> !name.isBlank()).orElse(known.nickname()),
                sent.text("url").map(UserRoutes::url).orElse(known.url()),
                sent.text("description").orElse(known.description()),
                sent.text("locale").orElse(known.locale()));
    }

    /** It is shown as a link, so it must not be able to run code. */
    private static String url(String url) {
        if (!url.isEmpty() && !url.matches("https?://\\S+")) {
            throw RestError.of(400, "rest_invalid_param", "Invalid parameter(s): url")
                    .with("params", JsonNodeFactory.instance.objectNode().put("url", "Invalid URL."))
                    .with("details", JsonNodeFactory.instance.objectNode());
        }
        return url;
    }

    private static Optional<Role> role(ArgumentValues sent) {
        return sent.texts("roles").stream().findFirst().flatMap(Role::of);
    }

    private RestAnswer delete(RestRequest request, Account account) {
        if (!request.arguments().flag("force")) {
            throw RestError.of(
                    501, "rest_trash_not_supported", "Users do not support trashing. Set 'force=true' to delete.");
        }
        Optional<Long> heir = heir(request, account);
        ObjectNode previous = UserView.show(request, account, "edit");
        previous.remove("_links");
        transaction.executeWithoutResult(status -> {
            content.forEach(kept ->
                    heir.ifPresentOrElse(to -> kept.handOver(account.id(), to), () -> kept.deleteAllOf(account.id())));
            if (!accounts.delete(account.id())) {
                throw RestError.of(404, "rest_user_invalid_id", "Invalid user ID.");
            }
        });
        request.forget();
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("deleted", true);
        return RestAnswer.ok(body.set("previous", previous));
    }

    private Optional<Long> heir(RestRequest request, Account account) {
        JsonNode sent = request.arguments().value("reassign").orElse(JsonNodeFactory.instance.booleanNode(false));
        String text = sent.asString("");
        if (text.isEmpty() || text.equals("false")) {
            return Optional.empty();
        }
        Optional<Long> heir = text.matches("\\d{1,18}") ? Optional.of(Long.valueOf(text)) : Optional.empty();
        return Optional.of(
                heir.filter(id -> id != account.id() && accounts.find(id).isPresent())
                        .orElseThrow(() ->
                                RestError.of(400, "rest_user_invalid_reassign", "Invalid user ID for reassignment.")));
    }

    @FunctionalInterface
    private interface Write {
        Account run();
    }

    private static Account refusing(Write write) {
        try {
            return write.run();
        } catch (Accounts.RefusedException e) {
            throw switch (e.refusal()) {
                case INVALID_LOGIN ->
                    RestError.of(400, "rest_user_invalid_username", "Sorry, that username is not allowed.");
                case LOGIN_TAKEN -> RestError.of(400, "existing_user_login", "Sorry, that username already exists!");
                case INVALID_EMAIL -> RestError.of(400, "rest_user_invalid_email", "Invalid email address.");
                case EMAIL_TAKEN ->
                    RestError.of(400, "existing_user_email", "Sorry, that email address is already used!");
                case INVALID_PASSWORD ->
                    RestError.of(400, "rest_user_invalid_password", "Passwords must have 1 to 72 bytes.");
                case SLUG_TAKEN -> RestError.of(400, "rest_user_invalid_slug", "Invalid slug.");
            };
        }
    }
}
