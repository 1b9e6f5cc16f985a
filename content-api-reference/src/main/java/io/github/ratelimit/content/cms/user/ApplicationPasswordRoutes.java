package io.github.ratelimit.content.cms.user;

import static io.github.ratelimit.content.cms.rest.Context.EDITING;
import static io.github.ratelimit.content.cms.rest.Context.EVERYWHERE;
import static io.github.ratelimit.content.cms.rest.Context.NOT_EMBEDDED;

import io.github.ratelimit.content.cms.rest.Argument;
import io.github.ratelimit.content.cms.rest.Arguments;
import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.Fields;
import io.github.ratelimit.content.cms.rest.InvalidValue;
import io.github.ratelimit.content.cms.rest.RestAddress;
import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Route;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.security.Account;
import io.github.ratelimit.content.cms.security.Accounts;
import io.github.ratelimit.content.cms.security.ApplicationPassword;
import io.github.ratelimit.content.cms.security.ApplicationPasswords;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.cms.text.Letters;
import io.github.ratelimit.content.cms.text.SingleLine;
import io.github.ratelimit.content.cms.text.SiteDates;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Application passwords of an account; {@code me} is the caller's own. The secret is in the answer that makes one, once. */
@Component
@Order(510)
class ApplicationPasswordRoutes implements Route.Source {
    private static final String OWNER = "/users/<user_id:(?:[\\d]+|me)>/application-passwords";

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** As many as the column holds: a wide letter is two. */
    private static final int LONGEST_LINE = 400;

    private static final Fields<Shown, Draft> TABLE = fields();

    private final ApplicationPasswords passwords;
    private final Accounts accounts;

    ApplicationPasswordRoutes(Accounts accounts, ApplicationPasswords passwords) {
        this.accounts = accounts;
        this.passwords = passwords;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                Route.at("cms/v2", OWNER)
                        .describedBy(base -> TABLE.describe("application-password"))
                        .on(RestMethod.GET)
                        .accepts(Arguments.of(Context.ARGUMENT))
                        .servedBy(
                                to("rest_cannot_list_application_passwords", "list application passwords"), this::list)
                        .on(RestMethod.POST)
                        .accepts(TABLE.arguments().requiring("name"))
                        .servedBy(
                                to("rest_cannot_create_application_passwords", "create application passwords"),
                                this::create)
                        .on(RestMethod.DELETE)
                        .servedBy(
                                to("rest_cannot_delete_application_passwords", "delete application passwords"),
                                this::deleteAll)
                        .build(),
                Route.at("cms/v2", OWNER + "/<uuid:[\\w\\-]+>")
                        .describedBy(base -> TABLE.describe("application-password"))
                        .on(RestMethod.GET)
                        .accepts(Arguments.of(Context.ARGUMENT))
                        .servedBy(
                                to("rest_cannot_read_application_password", "read this application password"),
                                (request, owner) ->
                                        RestAnswer.ok(show(request, password(request, owner), Optional.empty())))
                        .on(RestMethod.DELETE)
                        .servedBy(
                                to("rest_cannot_delete_application_password", "delete this application password"),
                                this::delete)
                        .build());
    }

    private Function<RestRequest, Account> to(String code, String what) {
        return request -> {
            Account owner = owner(request);
            request.require(
                    request.caller().is(owner.id()) || request.caller().may(Capability.EDIT_USERS),
                    code,
                    "Sorry, you are not allowed to " + what + " of this user.");
            return owner;
        };
    }

    private Account owner(RestRequest request) {
        if (!passwords.isEnabled()) {
            throw RestError.of(501, "application_passwords_disabled", "Application passwords are not available.");
        }
        String named = request.arguments()
                .value("user_id")
                .map(segment -> segment.asString(""))
                .orElse("");
        if (named.equals("me")) {
            if (request.caller().isAnonymous()) {
                throw RestError.of(401, "rest_not_logged_in", "You are not currently logged in.");
            }
            return account(request.caller().accountId());
        }
        return account(named.length() > 18 ? 0 : Long.parseLong(named));
    }

    private Account account(long id) {
        return accounts.find(id).orElseThrow(() -> RestError.of(404, "rest_user_invalid_id", "Invalid user ID."));
    }

    private ApplicationPassword password(RestRequest request, Account owner) {
        return passwords.find(owner.id(), uuid(request)).orElseThrow(ApplicationPasswordRoutes::notFound);
    }

    private static String uuid(RestRequest request) {
        return request.arguments().text("uuid").orElse("");
    }

    /** Shows an application password, whole in every context; the secret only where it was just made. */
    private static ObjectNode show(RestRequest request, ApplicationPassword password, Optional<String> secret) {
        ObjectNode shown = TABLE.show(request, new Shown(password, secret), Context.EDIT);
        RestAddress.link(shown.putObject("_links"), "self", address(request, password));
        return shown;
    }

    private static String address(RestRequest request, ApplicationPassword password) {
        return RestAddress.of(
                request.baseUrl(),
                UserRoutes.ROUTE + "/" + password.accountId() + "/application-passwords/" + password.uuid());
    }

    private static RestError notFound() {
        return RestError.of(404, "rest_application_password_not_found", "Application password not found.");
    }

    private RestAnswer list(RestRequest request, Account owner) {
        ArrayNode list = JSON.arrayNode();
        passwords.of(owner.id()).forEach(password -> list.add(show(request, password, Optional.empty())));
        return RestAnswer.ok(list);
    }

    private RestAnswer create(RestRequest request, Account owner) {
        Draft draft = TABLE.write(request.arguments(), Draft.NOTHING);
        ApplicationPasswords.Issued issued = passwords.issue(owner.id(), draft.name(), draft.application());
        return RestAnswer.created(
                show(request, issued.password(), Optional.of(issued.grouped())), address(request, issued.password()));
    }

    private RestAnswer delete(RestRequest request, Account owner) {
        ApplicationPassword password = password(request, owner);
        passwords.revoke(owner.id(), password.uuid());
        // Whole, for members of it to be selected below the member that holds it.
        RestRequest whole = request.within(request.method(), request.route(), JSON.objectNode(), null);
        return RestAnswer.deleted(show(whole, password, Optional.empty()));
    }

    private RestAnswer deleteAll(RestRequest request, Account owner) {
        int count = passwords.revokeAll(owner.id());
        return RestAnswer.ok(JSON.objectNode().put("deleted", true).put("count", count));
    }

    /**
     * An application password as an answer shows it.
     *
     * @param password what is known of it
     * @param secret the password itself, where it was just made
     */
    record Shown(ApplicationPassword password, Optional<String> secret) {}

    /**
     * What an application password is to be.
     *
     * @param name what its owner calls it
     * @param application the UUID of what uses it, or empty
     */
    record Draft(String name, String application) {
        static final Draft NOTHING = new Draft("", "");
    }

    private static Fields<Shown, Draft> fields() {
        Fields.Table<Shown, Draft> fields = Fields.declare();
        Fields.Members<ApplicationPassword, Draft> password = fields.of(Shown::password);
        password.text("uuid", "What it is known by.", "uuid", EVERYWHERE, ApplicationPassword::uuid);
        password.text("app_id", "The UUID of the application.", "uuid", EVERYWHERE, ApplicationPassword::appId)
                .readBy(ApplicationPasswordRoutes::orNothing)
                .writtenBy((draft, sent) -> new Draft(draft.name(), sent.stringValue()));
        password.text("name", "What its owner calls it.", EVERYWHERE, ApplicationPassword::name)
                .with(schema -> schema.maxLength(200))
                .readBy(ApplicationPasswordRoutes::named)
                .writtenBy((draft, sent) -> new Draft(line(sent.stringValue()), draft.application()));
        password.add("created", moment(), NOT_EMBEDDED, shown -> moment(shown.createdAt()));
        Schema secret = Schema.string("The password itself, shown once when it is made.");
        fields.of(Shown::secret)
                .add(
                        "password",
                        secret,
                        EDITING,
                        shown -> shown.map(JSON::stringNode).orElse(null));
        password.add("last_used", moment(), NOT_EMBEDDED, shown -> moment(shown.lastUsedAt()));
        Schema address = Schema.ofTypes("string", "null").describedAs("Where it was used last.");
        password.add("last_ip", address, NOT_EMBEDDED, shown -> text(shown.lastAddress()));
        return fields.build();
    }

    /** An application that is not said is an empty text. */
    private static Argument orNothing(Argument argument) {
        Argument.Reader reader = argument.reader();
        return argument.readBy((request, value) ->
                value.isString() && value.stringValue().isEmpty() ? value : reader.read(request, value));
    }

    private static Argument named(Argument argument) {
        Argument.Reader reader = argument.reader();
        return argument.readBy((request, value) -> {
            JsonNode name = reader.read(request, value);
            if (name.stringValue().isEmpty()) {
                throw InvalidValue.of("rest_too_short", "name must be at least 1 character long.");
            }
            if (name.stringValue().isBlank()) {
                throw InvalidValue.of("rest_invalid_pattern", "name does not match pattern .*\\S.*.");
            }
            return name;
        });
    }

    private static String line(String name) {
        String line = Letters.beginning(SingleLine.of(name), LONGEST_LINE);
        if (line.isEmpty()) {
            throw RestError.of(
                    400,
                    "application_password_empty_name",
                    "An application name is required to create an application password.");
        }
        return line;
    }

    private static Schema moment() {
        return Schema.ofTypes("string", "null").describedAs("In GMT.").format("date-time");
    }

    private static JsonNode moment(@Nullable OffsetDateTime moment) {
        return text(moment == null ? null : SiteDates.print(moment.toInstant(), ZoneOffset.UTC));
    }

    private static JsonNode text(@Nullable String text) {
        return text == null ? JSON.nullNode() : JSON.stringNode(text);
    }
}
