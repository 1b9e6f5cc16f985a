package io.github.ratelimit.content.user;

import io.github.ratelimit.content.security.Account;
import io.github.ratelimit.content.security.Accounts;
import io.github.ratelimit.content.security.ApplicationPassword;
import io.github.ratelimit.content.security.ApplicationPasswords;
import io.github.ratelimit.content.security.Capability;
import io.github.ratelimit.content.web.Arguments;
import io.github.ratelimit.content.web.Permission;
import io.github.ratelimit.content.web.RestAddress;
import io.github.ratelimit.content.web.RestAnswer;
import io.github.ratelimit.content.web.RestError;
import io.github.ratelimit.content.web.RestMethod;
import io.github.ratelimit.content.web.RestRequest;
import io.github.ratelimit.content.web.Route;
import io.github.ratelimit.content.web.RouteSource;
import java.util.List;
import java.util.Optional;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Application passwords of an account; {@code me} is the caller's own. The secret is in the answer that makes one, once. */
@Component
@Order(510)
class ApplicationPasswordRoutes implements RouteSource {
    private static final String OWNER = "/users/<user_id:(?:[\\d]+|me)>/application-passwords";

    private final Accounts accounts;
    private final ApplicationPasswords passwords;

    ApplicationPasswordRoutes(Accounts accounts, ApplicationPasswords passwords) {
        this.accounts = accounts;
        this.passwords = passwords;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                Route.in("cms/v2")
                        .at(OWNER)
                        .describedBy(base -> UserFields.describePassword())
                        .on(RestMethod.GET)
                        .accepts(Arguments.of(UserFields.CONTEXT))
                        .allowedTo(to("rest_cannot_list_application_passwords", "list application passwords"))
                        .servedBy(this::list)
                        .on(RestMethod.POST)
                        .accepts(UserFields.password(true))
                        .allowedTo(to("rest_cannot_create_application_passwords", "create application passwords"))
                        .servedBy(this::create)
                        .on(RestMethod.DELETE)
                        .allowedTo(to("rest_cannot_delete_application_passwords", "delete application passwords"))
                        .servedBy(this::deleteAll)
                        .build(),
                Route.in("cms/v2")
                        .at(OWNER + "/<uuid:[\\w\\-]+>")
                        .describedBy(base -> UserFields.describePassword())
                        .on(RestMethod.GET)
                        .accepts(Arguments.of(UserFields.CONTEXT))
                        .allowedTo(to("rest_cannot_read_application_password", "read this application password"))
                        .servedBy(request -> RestAnswer.ok(UserView.show(request, password(request), null)))
                        .on(RestMethod.POST, RestMethod.PUT, RestMethod.PATCH)
                        .accepts(UserFields.password(false))
                        .allowedTo(to("rest_cannot_edit_application_password", "edit this application password"))
                        .servedBy(this::rename)
                        .on(RestMethod.DELETE)
                        .allowedTo(to("rest_cannot_delete_application_password", "delete this application password"))
                        .servedBy(this::delete)
                        .build());
    }

    private Permission to(String code, String what) {
        return request -> {
            Account owner = owner(request);
            if (!request.caller().is(owner.id()) && !request.caller().may(Capability.EDIT_USERS)) {
                throw RestError.forbidden(
                        request.caller(), code, "Sorry, you are not allowed to " + what + " of this user.");
            }
        };
    }

    private Account owner(RestRequest request) {
        String named = request.arguments()
                .value("user_id")
                .map(segment -> segment.asString(""))
                .orElse("");
        if (named.equals("me")) {
            if (request.caller().isAnonymous()) {
                throw RestError.of(401, "rest_not_logged_in", "You are not currently logged in.");
            }
            return account(request, request.caller().accountId());
        }
        return account(request, named.length() > 18 ? 0 : Long.parseLong(named));
    }

    private Account account(RestRequest request, long id) {
        Optional<Account> found = request.remember("account " + id, () -> accounts.find(id));
        return found.orElseThrow(() -> RestError.of(404, "rest_user_invalid_id", "Invalid user ID."));
    }

    private ApplicationPassword password(RestRequest request) {
        return passwords
                .find(owner(request).id(), request.arguments().text("uuid").orElse(""))
                .orElseThrow(ApplicationPasswordRoutes::notFound);
    }

    private static RestError notFound() {
        return RestError.of(404, "rest_application_password_not_found", "Application password not found.");
    }

    private RestAnswer list(RestRequest request) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        passwords.of(owner(request).id()).forEach(password -> list.add(UserView.show(request, password, null)));
        return RestAnswer.ok(list);
    }

    private RestAnswer create(RestRequest request) {
        ApplicationPasswords.Issued issued = passwords.issue(
                owner(request).id(),
                name(request).orElseThrow(ApplicationPasswordRoutes::emptyName),
                request.arguments().text("app_id").orElse(""));
        return RestAnswer.created(
                UserView.show(request, issued.password(), issued.grouped()),
                RestAddress.of(request.baseUrl(), UserView.route(issued.password())));
    }

    private static Optional<String> name(RestRequest request) {
        return request.arguments().text("name").map(String::strip).filter(name -> !name.isEmpty());
    }

    private static RestError emptyName() {
        return RestError.of(
                400,
                "rest_application_password_empty_name",
                "An application name is required to create an application password.");
    }

    private RestAnswer rename(RestRequest request) {
        ApplicationPassword password = password(request);
        if (request.arguments().has("name")) {
            passwords.rename(
                    password.accountId(),
                    password.uuid(),
                    name(request).orElseThrow(ApplicationPasswordRoutes::emptyName));
        }
        return RestAnswer.ok(UserView.show(request, password(request), null));
    }

    private RestAnswer delete(RestRequest request) {
        ApplicationPassword password = password(request);
        if (!passwords.revoke(password.accountId(), password.uuid())) {
            throw notFound();
        }
        ObjectNode previous = UserView.show(request, password, null);
        previous.remove("_links");
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("deleted", true);
        return RestAnswer.ok(body.set("previous", previous));
    }

    private RestAnswer deleteAll(RestRequest request) {
        int count = passwords.revokeAll(owner(request).id());
        return RestAnswer.ok(
                JsonNodeFactory.instance.objectNode().put("deleted", true).put("count", count));
    }
}
